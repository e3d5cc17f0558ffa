-- Links of users to calendars of their instruments.
CREATE TABLE calendar (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id int NOT NULL REFERENCES app_user ON DELETE CASCADE,
  name text NOT NULL,
  -- SHA-256: the token itself is 256 random bits, so a slow hash adds nothing.
  token_hash bytea NOT NULL UNIQUE,
  contents text[] NOT NULL,
  -- The chosen customers; null for all that the user may see.
  customer_ids int[],
  -- Name and filters of the chosen view, as they were; null for all instruments.
  view jsonb,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3)
);
CREATE INDEX calendar_user ON calendar (user_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON calendar TO benchwatch_app;
GRANT USAGE, SELECT ON SEQUENCE calendar_id_seq TO benchwatch_app;

-- Changes of the date that a calendar shows: calendar programs take a change only with a higher number.
ALTER TABLE maintenance_window ADD COLUMN date_revision int NOT NULL DEFAULT 0;
ALTER TABLE instrument ADD COLUMN date_revision int NOT NULL DEFAULT 0;
ALTER TABLE contract ADD COLUMN date_revision int NOT NULL DEFAULT 0;

CREATE FUNCTION count_date_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.date_revision := OLD.date_revision + 1;
  RETURN NEW;
END $$;

CREATE TRIGGER count_date_revision BEFORE UPDATE OF end_at ON maintenance_window FOR EACH ROW
  WHEN (NEW.end_at IS DISTINCT FROM OLD.end_at) EXECUTE FUNCTION count_date_revision();
CREATE TRIGGER count_date_revision BEFORE UPDATE OF next_service ON instrument FOR EACH ROW
  WHEN (NEW.next_service IS DISTINCT FROM OLD.next_service) EXECUTE FUNCTION count_date_revision();
CREATE TRIGGER count_date_revision BEFORE UPDATE OF end_date ON contract FOR EACH ROW
  WHEN (NEW.end_date IS DISTINCT FROM OLD.end_date) EXECUTE FUNCTION count_date_revision();
