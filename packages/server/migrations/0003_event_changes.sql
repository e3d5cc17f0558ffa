-- Which transaction last changed what the columns in memory hold of an event (docs/decisions/0011). A reader adds what
-- changed since they were brought up to date, so its answer is exact in its own snapshot. Zero: before any of them.
ALTER TABLE service_event ADD COLUMN changed_in xid8 NOT NULL DEFAULT '0';
ALTER TABLE service_event ALTER COLUMN changed_in SET DEFAULT pg_current_xact_id();
CREATE INDEX service_event_changed ON service_event (changed_in) WHERE changed_in > '0';

-- Here and not with each UPDATE: one that forgot it would make searches wrong without anybody noticing.
CREATE FUNCTION mark_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_in := pg_current_xact_id();
  RETURN NEW;
END $$;
CREATE TRIGGER mark_event_change
  BEFORE UPDATE OF alert_status, claimed_by, reason_closed, full_support, last_action_at ON service_event
  FOR EACH ROW EXECUTE FUNCTION mark_event_change();
