-- Reads all log lines, without a lock that writers wait for.
ALTER TABLE log_entry VALIDATE CONSTRAINT log_entry_bound;
