-- Runs of instruments, which others call batch or lot, once for each name and customer: several instruments and several
-- stretches of time may belong to one run. Rows are never changed or removed.
CREATE TABLE run (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id int NOT NULL REFERENCES customer,
  name text NOT NULL,
  name_folded text NOT NULL,
  UNIQUE (customer_id, name)
);
CREATE INDEX run_folded ON run (name_folded);
GRANT SELECT, INSERT ON run TO benchwatch_app;
GRANT USAGE, SELECT ON SEQUENCE run_id_seq TO benchwatch_app;

-- The run that a status tells; null for none. Without a foreign key, which each status would have to check.
ALTER TABLE instrument_status_history ADD COLUMN run_id int;

-- The run that is on, and since when; run_since stays after the last run, and is null if there was never one.
ALTER TABLE instrument ADD COLUMN run_id int REFERENCES run, ADD COLUMN run_since timestamptz(3);

-- The run that was on when the event happened. A status that arrives late sets it afterwards.
ALTER TABLE service_event ADD COLUMN run_id int REFERENCES run;
CREATE INDEX service_event_run ON service_event (run_id) WHERE run_id IS NOT NULL;

DROP TRIGGER mark_event_change ON service_event;
CREATE TRIGGER mark_event_change
  BEFORE UPDATE OF alert_status, claimed_by, reason_closed, full_support, last_action_at, automatic_email_sent_at,
    customer_id, site_id, run_id
  ON service_event FOR EACH ROW EXECUTE FUNCTION mark_change();
