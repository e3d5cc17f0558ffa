-- Prepares the partitions of log lines (0023): a table whose lines are known to be older than a moment becomes the first
-- partition without being read under a lock. The moment is a week ahead, so that a server of the previous release still
-- stores lines if this migration and the next ones are a few days apart.

-- A line from the future was received by a clock that was wrong.
UPDATE log_entry SET received_at = now() WHERE received_at > now() + interval '1 day';

DO $$
BEGIN
  EXECUTE format(
    'ALTER TABLE log_entry ADD CONSTRAINT log_entry_bound CHECK (received_at < %L::timestamptz) NOT VALID',
    date_trunc('day', now(), 'UTC') + interval '7 days');
END $$;
