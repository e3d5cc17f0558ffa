-- Reading logs: by computer, by age, and only from the time on at which an instrument came to its customer.

-- Lines of computers, which several instruments may share.
CREATE INDEX log_entry_computer ON log_entry (hostname, log_type, ts DESC, id DESC)
  WHERE log_type IN ('UNICORNCLIENT', 'INSTRUMENTSERVER', 'WINDOWSSYSTEMEVENT');

-- For forgetting old lines; they come in by this time, so it costs next to nothing.
CREATE INDEX log_entry_received ON log_entry USING brin (received_at) WITH (pages_per_range = 32);

-- What an instrument told before is nothing to a customer that it came to later. Instruments that moved before this
-- column was there are not known.
ALTER TABLE instrument ADD COLUMN customer_since timestamptz(3) NOT NULL DEFAULT '-infinity';
