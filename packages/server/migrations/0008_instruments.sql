-- Instruments as a list of their own: maintenance, connection, automatic support e-mails, exports of them.

---------------------------------------------------------------------------------------------------------- service events

-- Whether the instrument was in maintenance when it happened; what was stored before this column was there was not.
ALTER TABLE service_event ADD COLUMN during_maintenance boolean NOT NULL DEFAULT false;

-- How many open events an instrument has, counted in the index alone, and which they are.
CREATE INDEX service_event_open_instrument ON service_event (instrument_id, created_at DESC, id DESC)
  INCLUDE (customer_id) WHERE alert_status <> 3 AND instrument_id IS NOT NULL;

-- Events about lost connections that have not returned to normal: a few at most, looked at every some seconds.
CREATE INDEX service_event_lost_connection ON service_event (id)
  WHERE alert_source IN ('EDGE_ISSUE', 'OFFLINE') AND cleared_at IS NULL AND alert_status <> 3;

---------------------------------------------------------------------------------------------------------- maintenance

-- What somebody asked for: one window, or a rule by which windows recur.
CREATE TABLE maintenance (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  instrument_id int NOT NULL REFERENCES instrument ON DELETE CASCADE,
  -- The first window.
  start_at timestamptz(3) NOT NULL,
  end_at timestamptz(3),
  reason text,
  -- RFC 5545 without DTSTART, and the zone whose clock the windows follow.
  rrule text,
  time_zone text,
  created_at timestamptz(3) NOT NULL,
  -- No window begins from here on.
  ended_at timestamptz(3),
  -- Of a rule: up to where its windows are planned; null once the last one is.
  planned_until timestamptz(3),
  -- Of a rule: when the window that people see ends and the next one is to be shown.
  shown_until timestamptz(3),
  CHECK (end_at > start_at),
  CHECK ((rrule IS NULL) = (time_zone IS NULL)),
  CHECK (rrule IS NULL OR end_at IS NOT NULL)
);
CREATE INDEX maintenance_instrument ON maintenance (instrument_id);
CREATE INDEX maintenance_planned ON maintenance (planned_until) WHERE rrule IS NOT NULL AND ended_at IS NULL;

-- Each window by itself, past ones included, so that whether one holds is a comparison and never a calculation.
CREATE TABLE maintenance_window (
  maintenance_id int NOT NULL REFERENCES maintenance ON DELETE CASCADE,
  instrument_id int NOT NULL REFERENCES instrument ON DELETE CASCADE,
  start_at timestamptz(3) NOT NULL,
  end_at timestamptz(3),
  PRIMARY KEY (maintenance_id, start_at)
);
CREATE INDEX maintenance_window_instrument ON maintenance_window (instrument_id, start_at) INCLUDE (end_at);

---------------------------------------------------------------------------------------------------------- connection

-- Since when a gateway gives no sign of life; null while it does.
ALTER TABLE gateway ADD COLUMN silent_since timestamptz(3);

CREATE TABLE orc_status_history (
  instrument_id int NOT NULL REFERENCES instrument ON DELETE CASCADE,
  at timestamptz(3) NOT NULL,
  orc_status text NOT NULL,
  PRIMARY KEY (instrument_id, at)
);

-- Texts of the events that the product itself raises about a connection, in place of its own; {gateway}, {instrument} and
-- {minutes} are filled in.
CREATE TABLE connection_template (
  kind text PRIMARY KEY CHECK (kind IN ('EDGE_ISSUE', 'OFFLINE')),
  severity smallint NOT NULL CHECK (severity BETWEEN 1 AND 3),
  description text NOT NULL,
  user_message text
);

---------------------------------------------------------------------------------------------------------- usage

-- For forgetting old days; they come in by this order, so it costs next to nothing.
CREATE INDEX component_usage_day_day ON component_usage_day USING brin (day) WITH (pages_per_range = 32);

---------------------------------------------------------------------------------------------------------- support e-mails

-- What is mailed to an instrument's contact by itself when it raises this error.
CREATE TABLE support_email_template (
  instrument_type text NOT NULL,
  template_id text NOT NULL,
  -- The component that the module code of the error stands for.
  component_name text NOT NULL,
  subject text NOT NULL,
  -- Plain text with placeholders in braces.
  body text NOT NULL,
  -- Sanitised HTML.
  troubleshooting text,
  closes_event boolean NOT NULL DEFAULT false,
  under_review boolean NOT NULL DEFAULT false,
  PRIMARY KEY (instrument_type, template_id)
);

-- Who wants no mail about which error of which instrument.
CREATE TABLE support_email_unsubscription (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- As contacts have it.
  contact_email text NOT NULL,
  instrument_id int NOT NULL REFERENCES instrument ON DELETE CASCADE,
  template_id text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Mails go out again from here on; null for never.
  until timestamptz(3),
  UNIQUE (instrument_id, contact_email, template_id)
);

---------------------------------------------------------------------------------------------------------- exports

ALTER TABLE export_file ADD COLUMN type text NOT NULL DEFAULT 'event' CHECK (type IN ('event', 'instrument'));
ALTER TABLE export_chunk RENAME COLUMN event_ids TO row_ids;

GRANT SELECT, INSERT, UPDATE, DELETE ON maintenance, maintenance_window, orc_status_history, connection_template,
  support_email_template, support_email_unsubscription TO benchwatch_app;
GRANT USAGE, SELECT ON SEQUENCE maintenance_id_seq, support_email_unsubscription_id_seq TO benchwatch_app;
