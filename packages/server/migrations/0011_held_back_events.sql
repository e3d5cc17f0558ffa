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

-- Raises of instruments without a running contract, while the deployment makes events only under one. One row for each event
-- that there would be: repeats are counted until it returns to normal.
CREATE TABLE held_back_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  instrument_id int NOT NULL REFERENCES instrument ON DELETE CASCADE,
  -- Whose instrument it was.
  customer_id int NOT NULL REFERENCES customer,
  template_id text NOT NULL,
  component_id int NOT NULL REFERENCES component,
  -- Who delivered its first raise, and the place of that in what they sent.
  gateway_id int NOT NULL REFERENCES gateway ON DELETE CASCADE,
  epoch int NOT NULL,
  sequence bigint NOT NULL,
  -- The first raise as it came.
  item jsonb NOT NULL,
  -- As the event would say it.
  description text NOT NULL,
  -- When it was raised first, by the instrument's clock and by the server's.
  raised_at timestamptz(3) NOT NULL,
  held_back_at timestamptz(3) NOT NULL,
  raises int NOT NULL,
  -- When it returned to normal.
  cleared_at timestamptz(3),
  -- Once an event was made of it; that event may be deleted later.
  released_at timestamptz(3),
  event_id bigint
);
CREATE UNIQUE INDEX held_back_event_latch ON held_back_event (instrument_id, template_id, component_id, customer_id)
  WHERE released_at IS NULL AND cleared_at IS NULL;
CREATE INDEX held_back_event_list ON held_back_event (held_back_at DESC, id DESC);

-- Alert ids of its raises: a 'cleared' may name any of them, as latched_alert does for events.
CREATE TABLE held_back_alert (
  instrument_id int NOT NULL REFERENCES instrument ON DELETE CASCADE,
  alert_id text NOT NULL,
  held_back_id bigint NOT NULL REFERENCES held_back_event ON DELETE CASCADE,
  PRIMARY KEY (instrument_id, alert_id, held_back_id)
);
CREATE INDEX held_back_alert_event ON held_back_alert (held_back_id);

GRANT SELECT, INSERT, UPDATE, DELETE ON held_back_event, held_back_alert TO benchwatch_app;
GRANT USAGE, SELECT ON SEQUENCE held_back_event_id_seq TO benchwatch_app;
