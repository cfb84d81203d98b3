import { type Dialect, field } from "./dialect.js";
import { type Column, MEMORY, MESSAGE } from "./views.js";

const TABLE = `CREATE TABLE IF NOT EXISTS siltstone_kv (
  key text COLLATE "C" PRIMARY KEY,
  value text NOT NULL,
  version text NOT NULL
)`;

function expression([name, path, type]: Column): string {
  const typed = { text: "", integer: "::bigint", real: "::double precision", boolean: "::boolean" };
  return `(d ->> '${path}')${typed[type]} AS ${name}`;
}

// PostgreSQL cannot hold the character NUL, not even in the text of a JSON field.
function view(kind: string, place: string[], columns: Column[]): string {
  return `CREATE OR REPLACE VIEW siltstone_${kind === "memory" ? "memories" : "messages"} AS SELECT
  ${["parts[2] AS tenant", 'parts[3] AS "user"', ...place, ...columns.map(expression)].join(",\n  ")}
FROM (
  SELECT replace(value, '\\u0000', '\\ufffd')::json -> 'd' AS d, string_to_array(key, '!') AS parts
  FROM siltstone_kv WHERE key >= 's1!' AND key < 's1"'
    AND split_part(key, '!', 4) = '${kind}'
) AS records`;
}

const PLACE = ["parts[5] AS session", "parts[6]::bigint AS number"];

// One statement, so that one round trip does it on a pool as on a connection. The rows of the checks
// are locked before they are compared; a key that must not be there is locked by inserting it.
const COMMIT = `CREATE OR REPLACE FUNCTION siltstone_commit(
  present json, absent json, deletes json, puts json, mark text
) RETURNS boolean LANGUAGE plpgsql AS $commit$
BEGIN
  PERFORM 1 FROM siltstone_kv AS k
    WHERE k.key = ANY (ARRAY(SELECT c ->> 'key' FROM json_array_elements(present) AS c))
    ORDER BY k.key FOR UPDATE;
  IF EXISTS (
    SELECT 1 FROM json_array_elements(present) AS c
    WHERE (SELECT k.version FROM siltstone_kv AS k WHERE k.key = c ->> 'key')
      IS DISTINCT FROM c ->> 'version'
  ) THEN
    RETURN false;
  END IF;
  INSERT INTO siltstone_kv (key, value, version)
    SELECT c, '', mark FROM json_array_elements_text(absent) AS c;
  DELETE FROM siltstone_kv AS k
    WHERE k.key = ANY (ARRAY(SELECT json_array_elements_text(deletes)));
  INSERT INTO siltstone_kv (key, value, version)
    SELECT p ->> 'key', p ->> 'value', mark FROM json_array_elements(puts) AS p
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, version = excluded.version;
  RETURN true;
EXCEPTION WHEN unique_violation THEN
  RETURN false;
END $commit$`;

// One statement, under a lock: two that create the same thing at once get in each other's way.
const SCHEMA = `DO $schema$ BEGIN
PERFORM pg_advisory_xact_lock(7310034277);
${TABLE};
CREATE TABLE IF NOT EXISTS siltstone_meta (name text PRIMARY KEY, value integer NOT NULL);
${view("memory", [], MEMORY)};
${view("message", PLACE, MESSAGE)};
${COMMIT};
INSERT INTO siltstone_meta (name, value) VALUES ('schema', 2)
  ON CONFLICT (name) DO UPDATE SET value = GREATEST(siltstone_meta.value, excluded.value);
END $schema$`;

const CALL = "SELECT siltstone_commit($1::json, $2::json, $3::json, $4::json, $5) AS committed";

const stateOf = (error: unknown): string => String(field(error, "code") ?? "");

/** PostgreSQL 12 or later. */
export const postgres: Dialect = {
  steps: [[], [SCHEMA]],
  limit: "1 GB for one commit",
  get: `SELECT key, value, version FROM siltstone_kv
  WHERE key = ANY (ARRAY(SELECT json_array_elements_text($1::json)))`,
  range: (limit, isReverse) => `SELECT key, value, version FROM siltstone_kv
  WHERE key >= $1 AND key < $2 ORDER BY key ${isReverse ? "DESC" : "ASC"} LIMIT ${limit}`,
  commit: ({ present, absent, unclaims, deletes, puts, large }, version) => {
    const joined = (lists: string[]) => `[${lists.map((list) => list.slice(1, -1)).join(",")}]`;
    const records = [...puts, ...large.map((put) => JSON.stringify([put]))];
    const params = [present, absent, [...deletes, ...unclaims], records].map(joined);
    return [{ sql: CALL, params: [...params, version] }];
  },
  isMissing: (error) => stateOf(error) === "42P01",
  isConflict: () => false,
  isUndone: (error) => ["40001", "40P01"].includes(stateOf(error)),
  isTooLarge: (error) => ["54000", "53200"].includes(stateOf(error)),
  // A fault that is not PostgreSQL's own, or that of a server that is going down.
  isUnknown: (error) => !/^[0-9A-Z]{5}$/.test(stateOf(error)) || /^(08|57P)/.test(stateOf(error)),
};
