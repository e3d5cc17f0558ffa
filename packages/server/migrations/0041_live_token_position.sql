-- The last message published when a page asked for its token: what comes after it, the page has not read yet.
ALTER TABLE live_token ADD COLUMN last_seq bigint;
