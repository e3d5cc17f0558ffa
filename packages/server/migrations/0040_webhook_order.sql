-- The delivery that a webhook sends next. Without it each one sorts all that wait, so that a backlog of an hour is never worked off.
CREATE INDEX webhook_delivery_next ON webhook_delivery (webhook_id, next_at, id) WHERE state = 'waiting';
