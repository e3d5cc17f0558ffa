-- The items that were taken, as ranges of numbers instead of one row an item: a gateway counts its items, so a year of
-- them is a few ranges, and a repeat is still recognised for ever.
CREATE TABLE taken_number (
  gateway_id int NOT NULL REFERENCES gateway ON DELETE CASCADE,
  -- The id of an item up to its number, with the zeros that fill it up.
  series text NOT NULL,
  -- The number without its last 16 bits, so that the ranges of a gateway that skips numbers stay small.
  block bigint NOT NULL,
  numbers int8multirange NOT NULL,
  PRIMARY KEY (gateway_id, series, block)
) WITH (fillfactor = 50);
GRANT SELECT, INSERT, UPDATE, DELETE ON taken_number TO benchwatch_app;

-- Splits the id of an item: `e1-0042` is the number 42 in the series `e1-00`.
CREATE FUNCTION item_number(item_id text) RETURNS TABLE (series text, number bigint, block bigint)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(item_id, -length(n.number::text)), n.number, n.number >> 16
  FROM (SELECT substr(item_id, length(rtrim(item_id, '0123456789')) + 1)::bigint AS number) AS n
$$;

-- Rows of earlier releases are moved to the ranges by the leader, bit by bit. A server of the previous release still writes
-- here while it is being replaced, and must not take what is known by its number alone.
CREATE FUNCTION skip_taken() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM item_number(NEW.item_id) i JOIN taken_number t USING (series, block)
    WHERE t.gateway_id = NEW.gateway_id AND t.numbers @> i.number
  ) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER skip_taken BEFORE INSERT ON gateway_inbox FOR EACH ROW EXECUTE FUNCTION skip_taken();
