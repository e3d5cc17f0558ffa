-- Texts of events about lost connections are edited in the console: who wrote them, and when.
ALTER TABLE connection_template
  ADD COLUMN updated_at timestamptz(3),
  ADD COLUMN updated_by text;
