-- Jobs, written in the transaction of the change. The leader moves them into the job queue, which notifies the workers:
-- PostgreSQL lets transactions that notify commit only one after the other (docs/decisions/0028).
CREATE TABLE job_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  payload json NOT NULL,
  key text,
  run_at timestamptz,
  max_attempts smallint,
  written_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (written_in, id)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON job_outbox TO benchwatch_app;
