-- Key figures: how long gateways were heard.

-- When each gateway was silent; the one that lasts has no end. `gateway.silent_since` says the same of now alone.
CREATE TABLE gateway_silence (
  gateway_id int NOT NULL REFERENCES gateway ON DELETE CASCADE,
  since timestamptz(3) NOT NULL,
  until timestamptz(3),
  PRIMARY KEY (gateway_id, since)
);

-- From when on there is anything to tell of a gateway.
ALTER TABLE gateway ADD COLUMN first_seen_at timestamptz(3);

-- So far the record alone tells of silences, and keys of when gateways began.
INSERT INTO gateway_silence (gateway_id, since, until)
SELECT g.id, a.new_value::timestamptz,
  (SELECT min(b.at) FROM audit b WHERE b.entity_type = 'gateway' AND b.entity_id = a.entity_id
    AND b.property = 'silentSince' AND b.entity_seq > a.entity_seq)
FROM audit a JOIN gateway g ON g.name = a.entity_id
WHERE a.entity_type = 'gateway' AND a.property = 'silentSince' AND a.new_value IS NOT NULL
ON CONFLICT DO NOTHING;

UPDATE gateway g SET first_seen_at = least(
  g.last_seen_at,
  (SELECT min(k.created_at) FROM gateway_key k WHERE k.gateway_id = g.id),
  (SELECT min(s.since) FROM gateway_silence s WHERE s.gateway_id = g.id))
WHERE g.last_seen_at IS NOT NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON gateway_silence TO benchwatch_app;
