-- What gateways tell of an instrument beside its alarms: use of its components, run time, computers and software.
-- Each is brought to its newest by the gateway's counting (outbox life, sequence), never by arrival.

CREATE TABLE component_usage (
  instrument_id int NOT NULL REFERENCES instrument ON DELETE CASCADE,
  -- With its module in parentheses at the end.
  component_name text NOT NULL,
  -- The gateway's clock.
  sampled_at timestamptz(3) NOT NULL,
  epoch int NOT NULL,
  sequence bigint NOT NULL,
  -- [{metric, unit, value, thresholdRule, thresholdValues}]
  usage jsonb NOT NULL,
  -- [{metric, unit, value}] each.
  info jsonb NOT NULL,
  details jsonb NOT NULL,
  PRIMARY KEY (instrument_id, component_name)
);

-- The last counted value of each UTC day: what a forecast takes its slope from.
CREATE TABLE component_usage_day (
  instrument_id int NOT NULL REFERENCES instrument ON DELETE CASCADE,
  component_name text NOT NULL,
  metric text NOT NULL,
  day date NOT NULL,
  epoch int NOT NULL,
  sequence bigint NOT NULL,
  value double precision NOT NULL,
  PRIMARY KEY (instrument_id, component_name, metric, day)
);

CREATE TABLE runtime_day (
  instrument_id int NOT NULL REFERENCES instrument ON DELETE CASCADE,
  -- A day in the zone of the site.
  day date NOT NULL,
  epoch int NOT NULL,
  sequence bigint NOT NULL,
  seconds int NOT NULL CHECK (seconds BETWEEN 0 AND 86400),
  PRIMARY KEY (instrument_id, day)
);

CREATE TABLE instrument_software (
  instrument_id int PRIMARY KEY REFERENCES instrument ON DELETE CASCADE,
  told_at timestamptz(3) NOT NULL,
  epoch int NOT NULL,
  sequence bigint NOT NULL,
  client_pc_names text[] NOT NULL,
  instrument_server_pc_name text,
  unicorn_version text,
  unicorn_win_os text,
  unicorn_pc_name text,
  unicorn_service_pack text,
  unicorn_embedded_pc_domain text,
  unicorn_embedded_pc_type text,
  unicorn_installed_config_file text,
  -- JSON text as the gateway sent it, also where it can't be read.
  unicorn_network_configurations text
);

GRANT SELECT, INSERT, UPDATE, DELETE ON component_usage, component_usage_day, runtime_day, instrument_software TO benchwatch_app;
