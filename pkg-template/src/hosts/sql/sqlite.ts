import { messageOf } from "../failure.js";
import type { Dialect, SqlStatement } from "./dialect.js";
import { type Column, MEMORY, MESSAGE } from "./views.js";

const TABLE = `CREATE TABLE IF NOT EXISTS siltstone_kv (
  key TEXT PRIMARY KEY CONSTRAINT siltstone_conflict CHECK (key <> ''),
  value TEXT NOT NULL,
  version TEXT NOT NULL
) WITHOUT ROWID`;

/**
 * A view of the records of one kind. Keys are `s1!tenant!user!kind!…`, a message's going on with its
 * session and number; no part holds a `!` or a quotation mark. A value is `{ v, d: record }`.
 */
function view(kind: string, place: string[], columns: Column[]): string {
  const fields = columns.map(([name, field]) => `value ->> '$.d.${field}' AS ${name}`);
  return `SELECT
  ${["parts ->> 1 AS tenant", "parts ->> 2 AS user", ...place, ...fields].join(",\n  ")}
FROM (
  SELECT value, '["' || replace(replace(key, '\\', '\\\\'), '!', '","') || '"]' AS parts
  FROM siltstone_kv WHERE key >= 's1!' AND key < 's1"'
)
WHERE parts ->> 3 = '${kind}'`;
}

const PLACE = ["parts ->> 4 AS session", "CAST(parts ->> 5 AS INTEGER) AS number"];

/** Version 1 had views of its own, which version 2 replaces, and did not tell its version. */
const STEPS = [
  [TABLE],
  [
    `CREATE TABLE IF NOT EXISTS siltstone_meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL)`,
    `DROP VIEW IF EXISTS siltstone_memories`,
    `CREATE VIEW siltstone_memories AS ${view("memory", [], MEMORY)}`,
    `DROP VIEW IF EXISTS siltstone_messages`,
    `CREATE VIEW siltstone_messages AS ${view("message", PLACE, MESSAGE)}`,
    `INSERT INTO siltstone_meta (name, value) VALUES ('schema', 2)
  ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`,
  ],
];

// A check that does not hold gives a row that the table refuses, which undoes the transaction.
const refused = (mismatch: string) => `INSERT INTO siltstone_kv (key, value, version)
  SELECT '', '', '' FROM json_each(?1) AS c LEFT JOIN siltstone_kv AS k ON ${mismatch} LIMIT 1`;
const PRESENT = refused(`k.key = c.value ->> 'key' WHERE k.version IS NOT c.value ->> 'version'`);
const ABSENT = refused(`k.key = c.value WHERE k.key IS NOT NULL`);
const DELETE = `DELETE FROM siltstone_kv WHERE key IN (SELECT value FROM json_each(?1))`;
const PUT = `INSERT OR REPLACE INTO siltstone_kv (key, value, version)
  SELECT value ->> 'key', value ->> 'value', ?2 FROM json_each(?1)`;
const PUT_LARGE = `INSERT OR REPLACE INTO siltstone_kv (key, value, version) VALUES (?1, ?2, ?3)`;

/** SQLite, which has one writer at a time: D1, Durable Objects, `node:sqlite` and others. */
export const sqlite: Dialect = {
  steps: STEPS,
  limit: "D1 and Durable Objects take 2,000,000 bytes, key included",
  get: `SELECT key, value, version FROM siltstone_kv
  WHERE key IN (SELECT value FROM json_each(?1))`,
  range: (limit, isReverse) => `SELECT key, value, version FROM siltstone_kv
  WHERE key >= ?1 AND key < ?2 ORDER BY key ${isReverse ? "DESC" : "ASC"} LIMIT ${limit}`,
  commit: ({ present, absent, deletes, puts, large }, version) => {
    const each = (sql: string, lists: string[], ...more: string[]): SqlStatement[] =>
      lists.map((list) => ({ sql, params: [list, ...more] }));
    return [
      ...each(PRESENT, present),
      ...each(ABSENT, absent),
      ...each(DELETE, deletes),
      ...each(PUT, puts, version),
      ...large.map(({ key, value }) => ({ sql: PUT_LARGE, params: [key, value, version] })),
    ];
  },
  isMissing: (error) => /no such table: siltstone_/.test(messageOf(error)),
  isConflict: (error) => messageOf(error).includes("siltstone_conflict"),
  isUndone: () => false,
  isTooLarge: (error) => /too big|TOOBIG/i.test(messageOf(error)),
  isUnknown: (error) => /connection lost|timed? ?out|internal error|reset/i.test(messageOf(error)),
};
