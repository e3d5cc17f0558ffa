-- The version of an event that closed it, to tell the close from a later correction of its reason. Null for events that were
-- closed before.
ALTER TABLE service_event ADD COLUMN closed_version int;
