-- Signing in by steps, second factors, what limits guessing, people's administration, API tokens, messages that leave;
-- and e-mails in the columns in memory.

---------------------------------------------------------------------------------------------------------- people

ALTER TABLE app_user
  -- A temporary password lets nobody in: it only opens the step in which a new one is set.
  ADD COLUMN must_change_password boolean NOT NULL DEFAULT false,
  ADD COLUMN temporary_password_until timestamptz(3),
  ADD COLUMN password_changed_at timestamptz(3),
  -- Second factors. The secret of an authenticator app is sealed (sealed-secret.ts); it counts once it was confirmed.
  ADD COLUMN sms_mfa boolean NOT NULL DEFAULT false,
  ADD COLUMN totp_secret bytea,
  ADD COLUMN totp_confirmed_at timestamptz(3),
  -- Step of the last accepted code: a code seen over a shoulder is worth nothing.
  ADD COLUMN totp_last_step bigint NOT NULL DEFAULT 0,
  ADD COLUMN last_signed_in_at timestamptz(3);

-- One-time codes for somebody who lost their second factor; SHA-256 of 80 random bits each.
CREATE TABLE recovery_code (
  user_id int NOT NULL REFERENCES app_user ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  used_at timestamptz(3),
  PRIMARY KEY (user_id, code_hash)
);

---------------------------------------------------------------------------------------------------------- signing in

-- Sealing key for secrets that must be read again: secrets of authenticator apps, handles of identity providers.
ALTER TABLE signing_key DROP CONSTRAINT signing_key_purpose_check;
ALTER TABLE signing_key ADD CONSTRAINT signing_key_purpose_check
  CHECK (purpose IN ('access-token', 'refresh-token', 'sealing'));

ALTER TABLE session
  -- From where it began, for the list of one's sessions.
  ADD COLUMN user_agent text,
  ADD COLUMN address text,
  -- What an identity provider gave to ask again whether the person may still come in, sealed; and when it was last asked.
  ADD COLUMN provider_handle bytea,
  ADD COLUMN provider_checked_at timestamptz(3);

-- A step of signing in that waits for its answer. The token is 256 random bits; only its hash is kept.
CREATE TABLE auth_challenge (
  token_hash bytea PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('NEW_PASSWORD_REQUIRED', 'SMS_MFA', 'TOTP_MFA')),
  login text NOT NULL,
  -- What the identity provider needs to judge the answer, such as the hash of a code and its end, sealed.
  state bytea,
  tries int NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
CREATE INDEX auth_challenge_expires ON auth_challenge (expires_at);

-- The code that was mailed to somebody who forgot their password: one at a time.
CREATE TABLE password_reset (
  user_id int PRIMARY KEY REFERENCES app_user ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  tries int NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);

-- Failures in a row of a login name, known or not; the name is kept as a hash, because people type passwords there.
CREATE TABLE sign_in_failure (
  login_hash bytea PRIMARY KEY,
  failures int NOT NULL,
  last_at timestamptz(3) NOT NULL,
  locked_until timestamptz(3)
);

-- How often something was done by somebody within a window of time.
CREATE TABLE rate_count (
  key text NOT NULL,
  window_start timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  count int NOT NULL,
  PRIMARY KEY (key, window_start)
);
CREATE INDEX rate_count_expires ON rate_count (expires_at);

-- A way to an OpenID provider that was begun in a browser and waits for its return.
CREATE TABLE oidc_start (
  state_hash bytea PRIMARY KEY,
  -- Nonce, PKCE verifier and the path to return to, sealed.
  sealed bytea NOT NULL,
  expires_at timestamptz(3) NOT NULL
);

---------------------------------------------------------------------------------------------------------- API tokens

CREATE TABLE api_token (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  -- SHA-256: the token itself is 256 random bits, so a slow hash adds nothing.
  token_hash bytea NOT NULL UNIQUE,
  scopes text[] NOT NULL,
  created_by int NOT NULL REFERENCES app_user,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  last_used_at timestamptz(3)
);

---------------------------------------------------------------------------------------------------------- messages that leave

-- Mails and text messages, written in the transaction of what they tell about; a job sends them.
CREATE TABLE outbound_message (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  channel text NOT NULL CHECK (channel IN ('email', 'sms')),
  recipient text NOT NULL,
  subject text,
  text text,
  html text,
  headers jsonb NOT NULL DEFAULT '{}',
  -- What it is, such as password-reset; and what makes a second one like it a repeat.
  template text NOT NULL,
  dedupe_key text UNIQUE,
  -- Holds a code or a password: its content is wiped once a real transport has taken it, and when it is given up.
  is_secret boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3),
  attempts int NOT NULL DEFAULT 0,
  -- When it may be tried again. Whoever tries it moves this first, so nobody else takes it meanwhile.
  next_attempt_at timestamptz(3) NOT NULL,
  -- An attempt that fails after this is the last one.
  give_up_at timestamptz(3) NOT NULL,
  failed_at timestamptz(3),
  -- unreachable: the transport as a whole; deferred: it wants this message later; refused: never.
  last_failure text CHECK (last_failure IN ('unreachable', 'deferred', 'refused')),
  last_error text
);
CREATE INDEX outbound_message_waiting ON outbound_message (next_attempt_at) WHERE sent_at IS NULL AND failed_at IS NULL;
CREATE INDEX outbound_message_unreachable ON outbound_message (channel, created_at)
  WHERE sent_at IS NULL AND failed_at IS NULL AND last_failure = 'unreachable';

GRANT SELECT, INSERT, UPDATE, DELETE ON recovery_code, auth_challenge, password_reset, sign_in_failure, rate_count,
  oidc_start, api_token, outbound_message TO benchwatch_app;
GRANT USAGE, SELECT ON SEQUENCE api_token_id_seq, outbound_message_id_seq TO benchwatch_app;

---------------------------------------------------------------------------------------------------------- service events

-- The columns in memory also hold when an e-mail was sent, for the sort by it (docs/decisions/0011).
DROP TRIGGER mark_event_change ON service_event;
CREATE TRIGGER mark_event_change
  BEFORE UPDATE OF alert_status, claimed_by, reason_closed, full_support, last_action_at, automatic_email_sent_at
  ON service_event FOR EACH ROW EXECUTE FUNCTION mark_event_change();
