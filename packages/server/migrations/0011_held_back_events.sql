-- Deleting for good, and events that were held back for want of a contract.

---------------------------------------------------------------------------------------------------------- deleting

-- Events that are gone, and the transaction that took them out: whoever holds events in memory takes them out as well
-- (docs/decisions/0011). Kept: an event's number is never given again.
CREATE TABLE deleted_event (
  id bigint PRIMARY KEY,
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX deleted_event_changed ON deleted_event (changed_in, id);

-- An instrument that is gone for everybody while its events and logs are still being taken out.
ALTER TABLE instrument ADD COLUMN deleted_at timestamptz(3);
CREATE INDEX instrument_deleted ON instrument (id) WHERE deleted_at IS NOT NULL;

-- A user who is gone: the row stays without anything personal in it, for what they owned.
ALTER TABLE app_user ADD COLUMN deleted_at timestamptz(3);

GRANT SELECT, INSERT, UPDATE, DELETE ON deleted_event TO benchwatch_app;

---------------------------------------------------------------------------------------------------------- held back

-- Raises of instruments without a running contract, while the deployment makes events only under one. One row for an
-- alarm, however often it is raised.
CREATE TABLE held_back_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  instrument_id int NOT NULL REFERENCES instrument ON DELETE CASCADE,
  -- Whose instrument it was.
  customer_id int NOT NULL REFERENCES customer,
  template_id text NOT NULL,
  component_id int NOT NULL REFERENCES component,
  -- Who delivered its last raise, and the place of that in what they sent.
  gateway_id int NOT NULL REFERENCES gateway ON DELETE CASCADE,
  epoch int NOT NULL,
  sequence bigint NOT NULL,
  -- The last raise as it came.
  item jsonb NOT NULL,
  -- As the event would say it.
  description text NOT NULL,
  -- When it was raised first, by the instrument's clock and by the server's.
  raised_at timestamptz(3) NOT NULL,
  held_back_at timestamptz(3) NOT NULL,
  raises int NOT NULL,
  -- When its last raise returned to normal, where that came with it; one that came later waits in pending_clear.
  cleared_at timestamptz(3),
  -- Once an event was made of it; that event may be deleted later.
  released_at timestamptz(3),
  event_id bigint
);
CREATE UNIQUE INDEX held_back_event_latch ON held_back_event (instrument_id, template_id, component_id, customer_id)
  WHERE released_at IS NULL;
CREATE INDEX held_back_event_list ON held_back_event (held_back_at DESC, id DESC);

GRANT SELECT, INSERT, UPDATE, DELETE ON held_back_event TO benchwatch_app;
GRANT USAGE, SELECT ON SEQUENCE held_back_event_id_seq TO benchwatch_app;
