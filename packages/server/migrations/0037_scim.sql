-- Accounts that an identity provider keeps by SCIM.
CREATE TABLE scim_user (
  user_id int PRIMARY KEY REFERENCES app_user ON DELETE CASCADE,
  external_id text,
  -- What the provider says; an account is enabled if it is active and its groups give it a role.
  is_active boolean NOT NULL,
  -- False for an account older than SCIM until it comes into a group with a role: it keeps its role until then.
  follows_groups boolean NOT NULL,
  -- Deleted by the provider, which may create it again.
  deleted_at timestamptz(3)
);

CREATE TABLE scim_group (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  external_id text,
  name text NOT NULL,
  -- The name as names are compared: in one case.
  name_key text NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL
);

CREATE TABLE scim_member (
  group_id int NOT NULL REFERENCES scim_group ON DELETE CASCADE,
  user_id int NOT NULL REFERENCES scim_user ON DELETE CASCADE,
  PRIMARY KEY (group_id, user_id)
);
CREATE INDEX scim_member_user ON scim_member (user_id);

GRANT SELECT, INSERT, UPDATE, DELETE ON scim_user, scim_group, scim_member TO benchwatch_app;
GRANT USAGE, SELECT ON SEQUENCE scim_group_id_seq TO benchwatch_app;
