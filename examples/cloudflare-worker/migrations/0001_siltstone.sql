CREATE TABLE IF NOT EXISTS siltstone_kv (
  key TEXT PRIMARY KEY CONSTRAINT siltstone_conflict CHECK (key <> ''),
  value TEXT NOT NULL,
  version TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS siltstone_meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL);

DROP VIEW IF EXISTS siltstone_memories;

CREATE VIEW siltstone_memories AS SELECT
  parts ->> 1 AS tenant,
  parts ->> 2 AS user,
  value ->> '$.d.id' AS id,
  value ->> '$.d.content' AS content,
  value ->> '$.d.category' AS category,
  value ->> '$.d.importance' AS importance,
  value ->> '$.d.scope' AS scope,
  value ->> '$.d.agentId' AS agent,
  value ->> '$.d.sessionId' AS session,
  value ->> '$.d.isValid' AS is_valid,
  value ->> '$.d.isPinned' AS is_pinned,
  value ->> '$.d.version' AS version,
  value ->> '$.d.observedAt' AS observed_at_ms,
  value ->> '$.d.createdAt' AS created_at_ms,
  value ->> '$.d.kind' AS kind,
  value ->> '$.d.source' AS source,
  value ->> '$.d.tier' AS tier,
  value ->> '$.d.temperature' AS temperature,
  value ->> '$.d.weight' AS weight,
  value ->> '$.d.accessCount' AS access_count,
  value ->> '$.d.lastAccessAt' AS last_access_at_ms,
  value ->> '$.d.forgottenAt' AS forgotten_at_ms,
  value ->> '$.d.expiresAt' AS expires_at_ms,
  value ->> '$.d.isSensitive' AS is_sensitive,
  value ->> '$.d.previousId' AS previous_id,
  value ->> '$.d.nextId' AS next_id
FROM (
  SELECT value, '["' || replace(replace(key, '\', '\\'), '!', '","') || '"]' AS parts
  FROM siltstone_kv WHERE key >= 's1!' AND key < 's1"'
)
WHERE parts ->> 3 = 'memory';

DROP VIEW IF EXISTS siltstone_messages;

CREATE VIEW siltstone_messages AS SELECT
  parts ->> 1 AS tenant,
  parts ->> 2 AS user,
  parts ->> 4 AS session,
  CAST(parts ->> 5 AS INTEGER) AS number,
  value ->> '$.d.id' AS id,
  value ->> '$.d.role' AS role,
  value ->> '$.d.content' AS content,
  value ->> '$.d.createdAt' AS created_at_ms,
  value ->> '$.d.meta' AS meta
FROM (
  SELECT value, '["' || replace(replace(key, '\', '\\'), '!', '","') || '"]' AS parts
  FROM siltstone_kv WHERE key >= 's1!' AND key < 's1"'
)
WHERE parts ->> 3 = 'message';

INSERT INTO siltstone_meta (name, value) VALUES ('schema', 2)
  ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value);
