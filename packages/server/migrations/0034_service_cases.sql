-- Service cases that the case desk creates, one for each event. A row without a number waits until the case exists. It is
-- written before anything is sent, and the desk keeps the number of the event, so a case whose answer was lost is found.
CREATE TABLE service_case (
  event_id bigint PRIMARY KEY REFERENCES service_event ON DELETE CASCADE,
  requested_by int NOT NULL REFERENCES app_user,
  requested_at timestamptz(3) NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) NOT NULL,
  -- Until then, no other server tries.
  taken_until timestamptz(3),
  last_error text,
  -- Unique: a desk that answers one number for two events is misconfigured.
  number text UNIQUE,
  status text,
  status_since timestamptz(3),
  -- The time of the newest report of the desk, so that an older one that arrives later changes nothing.
  reported_at timestamptz(3),
  CHECK ((status IS NULL) = (status_since IS NULL) AND (status IS NULL) = (reported_at IS NULL))
);
CREATE INDEX service_case_waiting ON service_case (next_attempt_at) WHERE number IS NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON service_case TO benchwatch_app;
