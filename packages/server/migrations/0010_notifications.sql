-- Whom the product tells of events: notifications of users, automatic support e-mails, unsubscribing.

---------------------------------------------------------------------------------------------------------- occasions

-- What happened that somebody may have to be told of, written in the transaction of it. Read and deleted by the one process
-- that decides whom. No foreign key: a million raised events must not each look for themselves.
CREATE TABLE event_occasion (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('new_event_notification', 'assign_me_notification')),
  -- Of an assignment: to whom, and the version of the event that it made. It may be repeated.
  user_id int,
  version int NOT NULL DEFAULT 0,
  at timestamptz(3) NOT NULL,
  -- Set aside because telling of it failed although others went well; looked at again then.
  retry_at timestamptz(3),
  last_error text
);

---------------------------------------------------------------------------------------------------------- notifications

-- One event told to one person by one way at one address: the log of deliveries, and what still waits.
CREATE TABLE notification (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id bigint NOT NULL REFERENCES service_event ON DELETE CASCADE,
  user_id int NOT NULL REFERENCES app_user,
  kind text NOT NULL CHECK (kind IN ('new_event_notification', 'assign_me_notification')),
  -- Version of the event that the assignment made; 0 for a new event.
  version int NOT NULL,
  channel text NOT NULL CHECK (channel IN ('email', 'sms')),
  recipient text NOT NULL,
  decided_at timestamptz(3) NOT NULL,
  waits_for text CHECK (waits_for IN ('maintenance', 'digest')),
  -- What carries it; a list carries several.
  message_id bigint REFERENCES outbound_message ON DELETE SET NULL,
  -- Never sent, and why.
  withdrawn_reason text,
  CHECK (waits_for IS NULL OR message_id IS NULL),
  UNIQUE (event_id, user_id, kind, version, channel, recipient)
);
CREATE INDEX notification_user ON notification (user_id, decided_at DESC, id DESC);
CREATE INDEX notification_waiting ON notification (waits_for, user_id, channel, recipient) WHERE waits_for IS NOT NULL;
CREATE INDEX notification_message ON notification (message_id) WHERE message_id IS NOT NULL;

-- Who was given which event by whom, for the preview of a profile.
CREATE INDEX audit_assigned ON audit (new_value, at) WHERE entity_type = 'service_event' AND property = 'claimedBy';

-- For the limit of each recipient: messages of their own within the hour.
ALTER TABLE outbound_message ADD COLUMN user_id int REFERENCES app_user ON DELETE SET NULL;
CREATE INDEX outbound_message_user ON outbound_message (user_id, channel, created_at) WHERE user_id IS NOT NULL;

---------------------------------------------------------------------------------------------------------- support e-mails

ALTER TABLE support_email_template
  ADD COLUMN updated_at timestamptz(3),
  ADD COLUMN updated_by text;

-- The automatic support e-mail of an event: one at most, whatever restarts in between. Its texts as they were filled in.
CREATE TABLE support_email (
  event_id bigint PRIMARY KEY REFERENCES service_event ON DELETE CASCADE,
  instrument_id int NOT NULL REFERENCES instrument ON DELETE CASCADE,
  template_id text NOT NULL,
  contact_email text NOT NULL,
  contact_name text,
  subject text NOT NULL,
  body text NOT NULL,
  closes_event boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Held until the maintenance of the instrument ends, or until the contact may be mailed again.
  is_held boolean NOT NULL DEFAULT false,
  message_id bigint REFERENCES outbound_message ON DELETE SET NULL,
  withdrawn_reason text,
  -- Nothing more becomes of it: that it left is noted on the event, or it was given up or withdrawn.
  settled_at timestamptz(3)
);
CREATE INDEX support_email_open ON support_email (event_id) WHERE settled_at IS NULL;
CREATE INDEX support_email_message ON support_email (message_id) WHERE message_id IS NOT NULL;

-- For the limit of each contact: mails to them within the hour.
CREATE INDEX outbound_message_support_email ON outbound_message (recipient, created_at) WHERE template = 'support-email';

-- Two spellings of an address are one mailbox: unsubscriptions are kept in small letters, of several the longest.
DELETE FROM support_email_unsubscription u USING support_email_unsubscription o
  WHERE o.instrument_id = u.instrument_id AND o.template_id = u.template_id
    AND lower(o.contact_email) = lower(u.contact_email)
    AND (coalesce(o.until, 'infinity'), o.id) > (coalesce(u.until, 'infinity'), u.id);
UPDATE support_email_unsubscription SET contact_email = lower(contact_email)
  WHERE contact_email <> lower(contact_email);
ALTER TABLE support_email_unsubscription ADD CHECK (contact_email = lower(contact_email));

-- The link to unsubscribe in a mail: for this contact, instrument and warning. The token itself is in the mail alone.
CREATE TABLE unsubscribe_link (
  token_hash bytea PRIMARY KEY,
  event_id bigint NOT NULL,
  contact_email text NOT NULL,
  instrument_id int NOT NULL REFERENCES instrument ON DELETE CASCADE,
  template_id text NOT NULL,
  component_name text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
CREATE INDEX unsubscribe_link_expires ON unsubscribe_link (expires_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON event_occasion, notification, support_email, unsubscribe_link TO benchwatch_app;
GRANT USAGE, SELECT ON SEQUENCE event_occasion_id_seq, notification_id_seq TO benchwatch_app;
