-- What the last heartbeat told besides the links: the release of the gateway program, the items on its disk, and of each source a JSON
-- object {name, items, lastItemAt, unmatchedNames}. Older gateways tell none of it.
ALTER TABLE gateway ADD COLUMN version text, ADD COLUMN backlog bigint, ADD COLUMN sources jsonb NOT NULL DEFAULT '[]';
