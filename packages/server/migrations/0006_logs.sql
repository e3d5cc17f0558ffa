-- Reading logs: by computer, and only from the time on at which an instrument came to its customer.

-- Lines of computers, which several instruments may share.
CREATE INDEX log_entry_computer ON log_entry (hostname, log_type, ts DESC, id DESC)
  WHERE log_type IN ('UNICORNCLIENT', 'INSTRUMENTSERVER', 'WINDOWSSYSTEMEVENT');

-- Of an instrument the lines of one client, and which clients have told lines: one step for each of them.
CREATE INDEX log_entry_client ON log_entry (instrument_id, hostname, ts DESC, id DESC)
  WHERE log_type = 'UNICORNCLIENT';

-- What an instrument told before is nothing to a customer that it came to later. Instruments that moved before this
-- column was there are not known.
ALTER TABLE instrument ADD COLUMN customer_since timestamptz(3) NOT NULL DEFAULT '-infinity';
