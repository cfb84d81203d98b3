import { messageOf } from "../failure.js";
import { type Dialect, field, type SqlStatement } from "./dialect.js";
import { type Column, MEMORY, MESSAGE } from "./views.js";

// Keys are bytes: every collation of text would pad them with spaces or compare them otherwise.
const TABLE = `CREATE TABLE IF NOT EXISTS siltstone_kv (
  \`key\` VARBINARY(1800) NOT NULL PRIMARY KEY,
  value LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  version VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  CONSTRAINT siltstone_conflict CHECK (\`key\` <> '')
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC`;

const part = (index: number) => `SUBSTRING_INDEX(SUBSTRING_INDEX(k, '!', ${index + 1}), '!', -1)`;

function expression([name, path, type]: Column): string {
  const text = `JSON_UNQUOTE(JSON_EXTRACT(value, '$.d.${path}'))`;
  const typed = {
    text,
    integer: `CAST(${text} AS SIGNED)`,
    real: `CAST(${text} AS DOUBLE)`,
    boolean: `${text} = 'true'`,
  };
  return `${typed[type]} AS ${name}`;
}

function view(kind: string, place: string[], columns: Column[]): string {
  return `CREATE OR REPLACE VIEW siltstone_${kind === "memory" ? "memories" : "messages"} AS SELECT
  ${[`${part(1)} AS tenant`, `${part(2)} AS user`, ...place, ...columns.map(expression)].join(",\n  ")}
FROM (
  SELECT CONVERT(\`key\` USING ascii) AS k, value FROM siltstone_kv
  WHERE \`key\` >= 's1!' AND \`key\` < 's1"'
) AS records
WHERE ${part(3)} = '${kind}'`;
}

const PLACE = [`${part(4)} AS session`, `CAST(${part(5)} AS SIGNED) AS number`];

const STEPS = [
  [],
  [
    TABLE,
    `CREATE TABLE IF NOT EXISTS siltstone_meta (
  name VARCHAR(64) NOT NULL PRIMARY KEY, value INTEGER NOT NULL
) ENGINE = InnoDB`,
    view("memory", [], MEMORY),
    view("message", PLACE, MESSAGE),
    `INSERT INTO siltstone_meta (name, value) VALUES ('schema', 2)
  ON DUPLICATE KEY UPDATE value = GREATEST(value, 2)`,
  ],
];

const text = (name: string, path: string, type = "VARCHAR(1800)") =>
  `${name} ${type} CHARACTER SET utf8mb4 PATH '${path}'`;
const KEYS = `JSON_TABLE(?, '$[*]' COLUMNS (${text("k", "$")})) AS j`;
const CHECKS = `JSON_TABLE(?, '$[*]' COLUMNS (${text("k", "$.key")}, ${text("v", "$.version")})) AS j`;
const RECORDS = `JSON_TABLE(?, '$[*]' COLUMNS (${text("k", "$.key")}, ${text("v", "$.value", "LONGTEXT")})) AS j`;
const SAME = "siltstone_kv.`key` = CAST(j.k AS BINARY)";

// The rows of the checks are locked before they are compared; a key that must not be there is locked
// by inserting it, which fails when it is. Nothing holds while another writer is between the two.
const LOCK = `SELECT 1 FROM ${CHECKS} STRAIGHT_JOIN siltstone_kv ON ${SAME} FOR UPDATE`;
const PRESENT = `INSERT INTO siltstone_kv (\`key\`, value, version)
  SELECT '', '', '' FROM ${CHECKS} LEFT JOIN siltstone_kv ON ${SAME}
  WHERE siltstone_kv.version IS NULL OR siltstone_kv.version <> j.v LIMIT 1`;
const CLAIM = `INSERT INTO siltstone_kv (\`key\`, value, version)
  SELECT CAST(j.k AS BINARY), '', ? FROM ${KEYS}`;
const DELETE = `DELETE siltstone_kv FROM ${KEYS} STRAIGHT_JOIN siltstone_kv ON ${SAME}`;
const PUT = `REPLACE INTO siltstone_kv (\`key\`, value, version)
  SELECT CAST(j.k AS BINARY), j.v, ? FROM ${RECORDS}`;
const PUT_LARGE = "REPLACE INTO siltstone_kv (`key`, value, version) VALUES (?, ?, ?)";

const COLUMNS = "CONVERT(siltstone_kv.`key` USING ascii) AS `key`, value, version";
const DUPLICATE = 1062;
const NO_TABLE = 1146;
const PACKET_TOO_LARGE = 1153;
const DEADLOCK = 1213;
const CHANGED_SINCE_READ = 1020;

const numberOf = (error: unknown) => field(error, "errno");

/** MySQL 8.0.16 or later, and MariaDB 10.6 or later, in transactions that read what is committed. */
export const mysql: Dialect = {
  steps: STEPS,
  limit: "the server's `max_allowed_packet`, 16 MB or more unless it was lowered",
  get: `SELECT ${COLUMNS} FROM ${KEYS} STRAIGHT_JOIN siltstone_kv ON ${SAME}`,
  range: (limit, isReverse) => `SELECT ${COLUMNS} FROM siltstone_kv
  WHERE siltstone_kv.\`key\` >= ? AND siltstone_kv.\`key\` < ?
  ORDER BY siltstone_kv.\`key\` ${isReverse ? "DESC" : "ASC"} LIMIT ${limit}`,
  commit: ({ present, absent, unclaims, deletes, puts, large }, version) => {
    const each = (sql: string, lists: string[], ...first: string[]): SqlStatement[] =>
      lists.map((list) => ({ sql, params: [...first, list] }));
    return [
      ...each(LOCK, present),
      ...each(PRESENT, present),
      ...each(CLAIM, absent, version),
      ...each(DELETE, [...deletes, ...unclaims]),
      ...each(PUT, puts, version),
      ...large.map(({ key, value }) => ({ sql: PUT_LARGE, params: [key, value, version] })),
    ];
  },
  isMissing: (error) => numberOf(error) === NO_TABLE,
  isConflict: (error) =>
    numberOf(error) === DUPLICATE || messageOf(error).includes("siltstone_conflict"),
  isUndone: (error) => [DEADLOCK, CHANGED_SINCE_READ].includes(numberOf(error) as number),
  isTooLarge: (error) => numberOf(error) === PACKET_TOO_LARGE,
  // Until `COMMIT` is sent nothing is written; the driver says so when that is what failed.
  isUnknown: () => false,
};
