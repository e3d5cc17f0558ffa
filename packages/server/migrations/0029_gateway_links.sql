-- Links of a gateway's sources as its last heartbeat told them: a JSON list of {name, kind, state, since, reason, …}.
ALTER TABLE gateway ADD COLUMN links jsonb NOT NULL DEFAULT '[]';

-- A sentence of the gateway about the last status, such as why it does not reach the instrument.
ALTER TABLE instrument ADD COLUMN status_reason text;
