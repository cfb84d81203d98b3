import type { Host } from "../host.js";
import { type SqlRow, type SqlStatement, SqlStore } from "./sql.js";

/** What is used of a database: `DatabaseSync` of `node:sqlite`, better-sqlite3's or Bun's. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): {
    all(...params: string[]): unknown[];
    run(...params: string[]): unknown;
  };
}

/** How long a writer waits for another process's. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * A host over a SQLite file, or over `:memory:`. Several processes of one machine may share the file,
 * which is put into WAL mode so that they can read while one of them writes.
 *
 * ```ts
 * import { DatabaseSync } from "node:sqlite";
 *
 * const host = sqliteHost(new DatabaseSync("memory.db"));
 * ```
 */
export function sqliteHost(database: SqliteDatabase): Host {
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  database.exec("PRAGMA journal_mode = WAL");
  const driver = {
    query: ({ sql, params }: SqlStatement) => database.prepare(sql).all(...params) as SqlRow[],
    transaction: (statements: SqlStatement[]): SqlRow[] => {
      database.exec("BEGIN IMMEDIATE");
      try {
        for (const { sql, params } of statements) {
          database.prepare(sql).run(...params);
        }
        database.exec("COMMIT");
      } catch (error) {
        rollback(database);
        throw error;
      }
      return [];
    },
  };
  return { store: new SqlStore("sqlite", driver, database) };
}

/** Some faults end the transaction by themselves: then there is nothing left to roll back. */
function rollback(database: SqliteDatabase): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // The fault that led here is the one to tell.
  }
}
