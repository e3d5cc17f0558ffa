-- Log lines by time of arrival, so that old ones go by dropping a table instead of row by row. What was stored so far, and
-- what arrives until a week from now, is the first partition. Nothing is copied or read under the lock.

DO $$
DECLARE
  bound timestamptz;
  next_id bigint;
BEGIN
  -- Writers of lines hold rows of instruments, so that table comes first.
  LOCK TABLE instrument, log_entry IN ACCESS EXCLUSIVE MODE;
  SELECT substring(pg_get_constraintdef(oid) FROM '''([^'']+)''')::timestamptz INTO STRICT bound
    FROM pg_constraint WHERE conrelid = 'log_entry'::regclass AND conname = 'log_entry_bound';
  SELECT last_value + is_called::int INTO next_id FROM log_entry_id_seq;

  -- A deleted instrument takes its lines along before its own row (features/deletions); a line that is left over belongs
  -- to no instrument, so nobody sees it.
  ALTER TABLE log_entry DROP CONSTRAINT log_entry_instrument_id_fkey;
  ALTER TABLE log_entry ALTER COLUMN id DROP IDENTITY;
  ALTER TABLE log_entry RENAME TO log_entry_before;
  ALTER INDEX log_entry_pkey RENAME TO log_entry_before_pkey;
  -- These are the names that PostgreSQL gives to indexes of partitions.
  ALTER INDEX log_entry_page RENAME TO log_entry_before_instrument_id_log_type_ts_id_idx;
  ALTER INDEX log_entry_computer RENAME TO log_entry_before_hostname_log_type_ts_id_idx;
  ALTER INDEX log_entry_client RENAME TO log_entry_before_instrument_id_hostname_ts_id_idx;

  -- Ids are unique in each partition by its primary key; a key of this table would have to contain the time.
  EXECUTE format('CREATE TABLE log_entry (
    id bigint GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME log_entry_id_seq START WITH %s),
    instrument_id int NOT NULL,
    log_type text NOT NULL,
    ts timestamptz(3) NOT NULL,
    message text NOT NULL,
    module text,
    level text,
    event_code text,
    user_name text,
    hostname text,
    received_at timestamptz(3) NOT NULL
  ) PARTITION BY RANGE (received_at)', next_id);
  CREATE INDEX log_entry_page ON log_entry (instrument_id, log_type, ts DESC, id DESC);
  CREATE INDEX log_entry_computer ON log_entry (hostname, log_type, ts DESC, id DESC)
    WHERE log_type IN ('UNICORNCLIENT', 'INSTRUMENTSERVER', 'WINDOWSSYSTEMEVENT');
  CREATE INDEX log_entry_client ON log_entry (instrument_id, hostname, ts DESC, id DESC)
    WHERE log_type = 'UNICORNCLIENT';

  EXECUTE format('ALTER TABLE log_entry ATTACH PARTITION log_entry_before FOR VALUES FROM (MINVALUE) TO (%L)', bound);
  ALTER TABLE log_entry_before DROP CONSTRAINT log_entry_bound;
END $$;

-- Lines of a time that has no partition: those that arrive while no leader has prepared one.
CREATE TABLE log_entry_default PARTITION OF log_entry DEFAULT;
ALTER TABLE log_entry_default ADD PRIMARY KEY (id);

-- Makes the next partition of log lines or drops the oldest one, and returns its name; null if there is nothing to do now.
-- Partitions of `days` exist until two of them ahead of `at`. One is dropped when all of its lines arrived before
-- `forget_before`. The first partition is never dropped: its lines are deleted one by one. After a long stop, one partition
-- takes the whole gap. A table that is in use for more than two seconds, as by a backup, waits for the next call.
CREATE FUNCTION keep_log_partitions(at timestamptz, days int, forget_before timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET lock_timeout = '2s' SET timezone = 'UTC'
AS $$
DECLARE
  part text;
  starts_at timestamptz;
  ends_at timestamptz;
BEGIN
  FOR part, ends_at IN
    SELECT c.relname, substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([^'']+)''\)')::timestamptz AS bound
    FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid
    WHERE h.inhparent = 'log_entry'::regclass AND c.relname <> 'log_entry_default' ORDER BY bound
  LOOP
    IF part <> 'log_entry_before' AND ends_at <= forget_before THEN
      EXECUTE format('DROP TABLE %I', part);
      RETURN part;
    END IF;
    starts_at := ends_at;
  END LOOP;
  IF starts_at > at + make_interval(days => 2 * days) THEN
    RETURN NULL;
  END IF;
  ends_at := greatest(starts_at + make_interval(days => days), date_trunc('day', at));
  part := 'log_entry_' || to_char(starts_at, 'YYYYMMDD');
  EXECUTE format('CREATE TABLE %I (LIKE log_entry, PRIMARY KEY (id))
    WITH (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000)', part);
  -- Writers do not use the default partition while they have another one.
  LOCK TABLE log_entry_default IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('WITH moved AS (
      DELETE FROM log_entry_default WHERE received_at >= %L AND received_at < %L RETURNING *
    ) INSERT INTO %I SELECT * FROM moved', starts_at, ends_at, part);
  EXECUTE format('ALTER TABLE log_entry ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part, starts_at, ends_at);
  RETURN part;
EXCEPTION WHEN lock_not_available THEN
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION keep_log_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION keep_log_partitions TO benchwatch_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON log_entry, log_entry_default TO benchwatch_app;
