-- Usage soon due: the forecast of each part, made beforehand. To fit a line through the days of 20,000 parts takes seconds.

CREATE TABLE usage_forecast (
  instrument_id int NOT NULL,
  component_name text NOT NULL,
  metric text NOT NULL,
  -- Share of the maximum; null for a count-down.
  used double precision,
  is_due boolean NOT NULL,
  -- UTC, by all days; null where it is due already, or never will be.
  due date,
  -- The same by the days since the instrument came to its customer, and when it did: what was told before is nothing to them.
  customer_due date,
  customer_since timestamptz(3) NOT NULL,
  PRIMARY KEY (instrument_id, component_name, metric),
  FOREIGN KEY (instrument_id, component_name) REFERENCES component_usage ON DELETE CASCADE
);

-- The UTC day for which its forecasts stand; null since something was sampled.
ALTER TABLE component_usage ADD COLUMN forecast_on date;
CREATE INDEX component_usage_forecast_on ON component_usage (forecast_on);

GRANT SELECT, INSERT, UPDATE, DELETE ON usage_forecast TO benchwatch_app;
