-- The rollups of totals go: totals are counted from the events themselves, by PostgreSQL, the index in memory or
-- ClickHouse. What filters offer still needs to know where events came from.
CREATE TABLE event_origin (
  customer_id int NOT NULL REFERENCES customer,
  site_id int NOT NULL REFERENCES site,
  -- 0 for events without a component.
  component_id int NOT NULL,
  PRIMARY KEY (customer_id, site_id, component_id)
);

INSERT INTO event_origin (customer_id, site_id, component_id)
SELECT customer_id, site_id, component_id FROM event_seen UNION SELECT customer_id, site_id, component_id FROM event_delta;

GRANT SELECT, INSERT, DELETE ON event_origin TO benchwatch_app;

DROP TABLE event_delta, event_day, event_day_customer, event_seen;
