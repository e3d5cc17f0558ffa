-- The timeline of PostgreSQL in which the number was last used. Another one begins at each failover, which may have lost
-- numbers that consoles have seen already.
ALTER TABLE live_sequence ADD COLUMN timeline text NOT NULL DEFAULT '';
