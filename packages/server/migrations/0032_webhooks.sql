-- Webhooks of users, and the log of what they sent.

CREATE TABLE webhook (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- A webhook sends what its owner may see, and ends with its owner.
  owner_id int NOT NULL REFERENCES app_user ON DELETE CASCADE,
  name text NOT NULL,
  format text NOT NULL CHECK (format IN ('plain', 'slack', 'teams', 'pagerduty')),
  -- The host of the address. The address is sealed together with the secrets, because those of chat systems are secrets.
  host text NOT NULL,
  sealed bytea NOT NULL,
  has_routing_key boolean NOT NULL,
  previous_secret_until timestamptz(3),
  occasions text[] NOT NULL,
  -- Not jsonb, which changes the order of the categories.
  filter json NOT NULL,
  is_on boolean NOT NULL,
  -- The receiver answered 410.
  gone_at timestamptz(3),
  -- Live messages with a higher number are considered: those since it was switched on.
  after_seq bigint NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Attempts that failed in a row. Above a limit nothing is sent before `open_until`.
  failures int NOT NULL DEFAULT 0,
  open_until timestamptz(3),
  -- A process is sending. Whoever sends moves this first, so no other process sends at the same time.
  busy_until timestamptz(3),
  last_tried_at timestamptz(3),
  last_sent_at timestamptz(3)
);
CREATE INDEX webhook_owner ON webhook (owner_id);

CREATE TABLE webhook_delivery (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id int NOT NULL REFERENCES webhook ON DELETE CASCADE,
  -- Header webhook-id.
  message_id text NOT NULL UNIQUE,
  occasion text NOT NULL,
  -- One occasion is sent once.
  occasion_key text NOT NULL,
  -- Deliveries about one event or instrument are sent in order.
  subject text NOT NULL,
  event_id bigint REFERENCES service_event ON DELETE CASCADE,
  -- Whose event or instrument it is; null for a test.
  customer_id int,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'parked', 'withdrawn')),
  -- Attempts since it was made or sent again.
  tries int NOT NULL DEFAULT 0,
  next_at timestamptz(3) NOT NULL,
  give_up_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  -- A list of {at, milliseconds, status, answer, error}, oldest first.
  attempts jsonb NOT NULL DEFAULT '[]',
  UNIQUE (webhook_id, occasion_key)
);
CREATE INDEX webhook_delivery_list ON webhook_delivery (webhook_id, id DESC);
CREATE INDEX webhook_delivery_waiting ON webhook_delivery (webhook_id, subject, id) WHERE state = 'waiting';
CREATE INDEX webhook_delivery_event ON webhook_delivery (event_id) WHERE event_id IS NOT NULL;
CREATE INDEX webhook_delivery_finished ON webhook_delivery (finished_at) WHERE finished_at IS NOT NULL;

-- The last live message that was considered.
CREATE TABLE webhook_position (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  seq bigint NOT NULL
);
INSERT INTO webhook_position (seq) VALUES (0);

GRANT SELECT, INSERT, UPDATE, DELETE ON webhook, webhook_delivery, webhook_position TO benchwatch_app;
GRANT USAGE, SELECT ON SEQUENCE webhook_id_seq, webhook_delivery_id_seq TO benchwatch_app;
