-- Limits of how often somebody may do something: exact, by the instants of the uses within the last stretch of time.

DROP TABLE rate_count;

CREATE TABLE rate_use (
  key text PRIMARY KEY,
  -- Never more than the limit allows.
  uses timestamptz(3)[] NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX rate_use_expires ON rate_use (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON rate_use TO benchwatch_app;
