-- Sharing, bulk changes, exports and saved views.

---------------------------------------------------------------------------------------------------------- mails about events

-- Mails with which people shared an event, one row a receiver; the message itself waits in outbound_message. The
-- automatic support e-mail stands on the event.
CREATE TABLE event_email (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id bigint NOT NULL REFERENCES service_event ON DELETE CASCADE,
  -- Who shared it and with whom; null once they are deleted.
  sender_id int REFERENCES app_user ON DELETE SET NULL,
  receiver_id int REFERENCES app_user ON DELETE SET NULL,
  -- Address and name as they were.
  recipient text NOT NULL,
  recipient_name text NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Tells when it left; null once that message is forgotten.
  message_id bigint REFERENCES outbound_message ON DELETE SET NULL
);
CREATE INDEX event_email_event ON event_email (event_id);
CREATE INDEX event_email_message ON event_email (message_id);

---------------------------------------------------------------------------------------------------------- similar events

-- The same error on all instruments, newest first; the customer in it, so that a narrow scope is passed over here and not
-- row by row in the table.
CREATE INDEX service_event_template ON service_event (template_id, created_at DESC, id DESC) INCLUDE (customer_id);

---------------------------------------------------------------------------------------------------------- bulk changes

-- A change of many events as a job. Its progress is written in the transaction of each step, so that a repeat goes on
-- where the last one was cut off.
CREATE TABLE bulk_change (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id int NOT NULL REFERENCES app_user ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  -- The events in the order in which they are changed; fixed when the change was asked for.
  event_ids bigint[] NOT NULL,
  change jsonb NOT NULL,
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done', 'failed')),
  -- How many of event_ids are dealt with.
  done int NOT NULL DEFAULT 0,
  changed int NOT NULL DEFAULT 0,
  failed jsonb NOT NULL DEFAULT '[]',
  -- Last sign of life; a change that is silent is given to another process.
  stepped_at timestamptz(3) NOT NULL
);
CREATE INDEX bulk_change_running ON bulk_change (stepped_at) WHERE state = 'running';
CREATE INDEX bulk_change_created ON bulk_change (created_at);

---------------------------------------------------------------------------------------------------------- exports

CREATE TABLE export_file (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id int NOT NULL REFERENCES app_user ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  -- The link is of no use any more, and the file is deleted.
  expires_at timestamptz(3) NOT NULL,
  -- SHA-256 of the 256 random bits in the link.
  token_hash bytea NOT NULL UNIQUE,
  details text NOT NULL CHECK (details IN ('BASIC', 'FULL')),
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'ready', 'failed')),
  rows int NOT NULL,
  written int NOT NULL DEFAULT 0,
  -- Last sign of life of whoever writes it.
  stepped_at timestamptz(3) NOT NULL
);
CREATE INDEX export_file_expires ON export_file (expires_at);

-- The selection as it was when the export was asked for, in its order, some thousand events a row.
CREATE TABLE export_chunk (
  export_id uuid NOT NULL REFERENCES export_file ON DELETE CASCADE,
  chunk int NOT NULL,
  event_ids bigint[] NOT NULL,
  PRIMARY KEY (export_id, chunk)
);

---------------------------------------------------------------------------------------------------------- saved views

CREATE TABLE saved_view (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id int NOT NULL REFERENCES app_user ON DELETE CASCADE,
  area text NOT NULL CHECK (area IN ('events', 'instruments')),
  name text NOT NULL,
  -- The name as names are compared: in one case.
  name_key text NOT NULL,
  shared boolean NOT NULL,
  state jsonb NOT NULL,
  -- The customers whom its owner saw as the state was written; null for all. It may name their sites and people.
  customer_ids int[],
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  UNIQUE (user_id, area, name_key)
);

-- Which view somebody's list opens with; it may be one that a colleague shares.
CREATE TABLE default_view (
  user_id int NOT NULL REFERENCES app_user ON DELETE CASCADE,
  area text NOT NULL,
  view_id int NOT NULL REFERENCES saved_view ON DELETE CASCADE,
  PRIMARY KEY (user_id, area)
);
CREATE INDEX default_view_view ON default_view (view_id);

GRANT SELECT, INSERT, UPDATE, DELETE ON event_email, bulk_change, export_file, export_chunk, saved_view, default_view
  TO benchwatch_app;
GRANT USAGE, SELECT ON SEQUENCE event_email_id_seq, saved_view_id_seq TO benchwatch_app;
