const TABLE = `CREATE TABLE IF NOT EXISTS siltstone_kv (
  key TEXT PRIMARY KEY CONSTRAINT siltstone_conflict CHECK (key <> ''),
  value TEXT NOT NULL,
  version TEXT NOT NULL
) WITHOUT ROWID`;

const MEMORIES = view("siltstone_memories", "memory", [
  ["id", "id"],
  ["content", "content"],
  ["category", "category"],
  ["importance", "importance"],
  ["scope", "scope"],
  ["agentId", "agent"],
  ["sessionId", "session"],
  ["isValid", "is_valid"],
  ["isPinned", "is_pinned"],
  ["version", "version"],
  ["observedAt", "observed_at_ms"],
  ["createdAt", "created_at_ms"],
]);

const MESSAGES = view("siltstone_messages", "message", [
  ["id", "id"],
  ["role", "role"],
  ["content", "content"],
  ["createdAt", "created_at_ms"],
  ["meta", "meta"],
]);

/**
 * The statements that make the table and its views, for your migrations; the host runs them by
 * itself when the table is not there. The views `siltstone_memories` and `siltstone_messages` are
 * for your own queries; in their ids, characters other than letters, digits and `-./:;<=>?@[\]^_`
 * are encoded as in the keys.
 */
export const schema: readonly string[] = [TABLE, MEMORIES, MESSAGES];

/**
 * A view of the records of one kind. Keys are `s1!tenant!user!kind!…`, a message's going on with its
 * session and number; no part holds a `!` or a quotation mark. A value is `{ v, d: record }`.
 */
function view(name: string, kind: string, fields: [field: string, column: string][]): string {
  const columns = fields.map(([field, column]) => `  value ->> '$.d.${field}' AS ${column}`);
  const place =
    kind === "message" ? ["parts ->> 4 AS session", "CAST(parts ->> 5 AS INTEGER) AS number"] : [];
  return `CREATE VIEW IF NOT EXISTS ${name} AS
SELECT
${[...["parts ->> 1 AS tenant", "parts ->> 2 AS user", ...place].map((column) => `  ${column}`), ...columns].join(",\n")}
FROM (
  SELECT value, '["' || replace(replace(key, '\\', '\\\\'), '!', '","') || '"]' AS parts
  FROM siltstone_kv WHERE key >= 's1!' AND key < 's1"'
)
WHERE parts ->> 3 = '${kind}'`;
}
