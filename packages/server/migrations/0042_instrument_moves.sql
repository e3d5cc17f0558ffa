-- The former customer and site of a moved instrument: alarms from before the move that arrive late are theirs.
CREATE TABLE instrument_move (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  instrument_id int NOT NULL REFERENCES instrument ON DELETE CASCADE,
  -- When the instrument left them.
  moved_at timestamptz(3) NOT NULL,
  customer_id int NOT NULL REFERENCES customer,
  site_id int NOT NULL REFERENCES site
);
CREATE INDEX instrument_move_instrument ON instrument_move (instrument_id, moved_at);

GRANT SELECT, INSERT ON instrument_move TO benchwatch_app;

-- Earlier moves are known from the last event under the former customer.
INSERT INTO instrument_move (instrument_id, moved_at, customer_id, site_id)
SELECT i.id, i.customer_since, e.customer_id, e.site_id
FROM instrument i CROSS JOIN LATERAL (
  SELECT customer_id, site_id FROM service_event
  WHERE instrument_id = i.id AND customer_id <> i.customer_id AND created_at < i.customer_since
  ORDER BY created_at DESC LIMIT 1
) e
WHERE i.customer_since > '-infinity';
