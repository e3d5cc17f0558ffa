-- Renames what had an unusual name, so that tables, code and documentation use the same plain words.
ALTER TABLE event_occasion RENAME TO pending_notification;
ALTER SEQUENCE event_occasion_id_seq RENAME TO pending_notification_id_seq;
ALTER INDEX event_occasion_pkey RENAME TO pending_notification_pkey;
ALTER INDEX event_occasion_waiting RENAME TO pending_notification_waiting;
ALTER INDEX event_occasion_aside RENAME TO pending_notification_aside;

ALTER TABLE instrument_software RENAME COLUMN told_at TO reported_at;
