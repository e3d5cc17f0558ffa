-- The transaction that wrote a row of a queue that is looked into many times a second. A look begins at the oldest one that
-- may still bring something, behind all rows that were taken and not yet cleared away (docs/decisions/0004).
ALTER TABLE live_outbox ADD COLUMN written_in xid8 NOT NULL DEFAULT pg_current_xact_id();
ALTER TABLE live_outbox DROP CONSTRAINT live_outbox_pkey;
ALTER TABLE live_outbox ADD PRIMARY KEY (written_in, id);

ALTER TABLE event_occasion ADD COLUMN written_in xid8 NOT NULL DEFAULT pg_current_xact_id();
CREATE INDEX event_occasion_waiting ON event_occasion (written_in, id) WHERE retry_at IS NULL;
CREATE INDEX event_occasion_aside ON event_occasion (retry_at) WHERE retry_at IS NOT NULL;
