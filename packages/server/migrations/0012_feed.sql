-- The state of the feed: what gateways send, hour by hour, and tests of the whole chain.

-- Which numbers of an outbox's life have come. They come in any order, because alarms go before logs: what is missing is
-- how many there must be from the first to the last, less how many have come.
ALTER TABLE gateway_epoch
  ADD COLUMN first_sequence bigint,
  ADD COLUMN last_sequence bigint,
  ADD COLUMN seen bigint NOT NULL DEFAULT 0;

-- One row a gateway and hour, updated in place with each batch: nothing but its key is indexed.
CREATE TABLE gateway_feed_hour (
  gateway_id int NOT NULL REFERENCES gateway ON DELETE CASCADE,
  hour timestamptz(3) NOT NULL,
  accepted bigint NOT NULL,
  duplicates bigint NOT NULL,
  rejected bigint NOT NULL,
  -- Numbers skipped less numbers that came after all, so it may be negative.
  gaps bigint NOT NULL,
  -- Between the gateway's clock and the server's, of the newest item of the last batch that brought any.
  lag_ms bigint,
  PRIMARY KEY (gateway_id, hour)
) WITH (fillfactor = 50);

-- Test events that run through the whole chain; `raised_at` is null until the event was sent.
CREATE TABLE alarm_test (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  gateway_id int NOT NULL REFERENCES gateway ON DELETE CASCADE,
  instrument_id int NOT NULL REFERENCES instrument ON DELETE CASCADE,
  ordered_at timestamptz(3) NOT NULL,
  raised_at timestamptz(3),
  -- The last live message that was published before; its own comes after it.
  after_seq bigint,
  result text NOT NULL DEFAULT 'waiting' CHECK (result IN ('waiting', 'arrived', 'late', 'missing')),
  ended_at timestamptz(3)
);
CREATE INDEX alarm_test_gateway ON alarm_test (gateway_id, id DESC);
CREATE INDEX alarm_test_waiting ON alarm_test (id) WHERE result = 'waiting';

-- When the next weekly test is due; no row while the flag is off.
CREATE TABLE alarm_test_schedule (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  next_at timestamptz(3) NOT NULL
);

-- For metrics, which count what was given up lately.
CREATE INDEX outbound_message_failed ON outbound_message (failed_at) WHERE failed_at IS NOT NULL;

CREATE INDEX parked_item_open ON parked_item (gateway_id) WHERE resolved_at IS NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON gateway_feed_hour, alarm_test, alarm_test_schedule TO benchwatch_app;
GRANT USAGE, SELECT ON SEQUENCE alarm_test_id_seq TO benchwatch_app;
