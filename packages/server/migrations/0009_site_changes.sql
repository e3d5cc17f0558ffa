-- Which transaction last changed a site, as with events: whoever holds sites in memory sees whether they are still what the
-- database has in the snapshot of the reader (docs/decisions/0011). Zero: before it was noted.
ALTER TABLE site ADD COLUMN changed_in xid8 NOT NULL DEFAULT '0';
ALTER TABLE site ALTER COLUMN changed_in SET DEFAULT pg_current_xact_id();
CREATE INDEX site_changed ON site (changed_in) WHERE changed_in > '0';

ALTER FUNCTION mark_event_change() RENAME TO mark_change;
CREATE TRIGGER mark_site_change BEFORE UPDATE ON site FOR EACH ROW EXECUTE FUNCTION mark_change();
