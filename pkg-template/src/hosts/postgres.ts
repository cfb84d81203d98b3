import type { Host } from "../host.js";
import { type SqlRow, type SqlStatement, SqlStore } from "./sql.js";

/** What is used of a pool or client of `pg`; PGlite has it as well. */
export interface PostgresClient {
  query(sql: string, params: string[]): Promise<{ rows: unknown[] }>;
}

/**
 * A host over PostgreSQL (12 or later). Each commit is one statement, so that it runs on a pool, on
 * one connection and behind a pooler alike.
 *
 * ```ts
 * import pg from "pg";
 *
 * const host = postgresHost(new pg.Pool({ connectionString: process.env.DATABASE_URL }));
 * ```
 */
export function postgresHost(client: PostgresClient): Host {
  const query = async ({ sql, params }: SqlStatement) =>
    (await client.query(sql, params)).rows as SqlRow[];
  const driver = {
    query,
    // A commit, and the schema, is one statement: a transaction by itself.
    transaction: async (statements: SqlStatement[]) => {
      let rows: SqlRow[] = [];
      for (const statement of statements) {
        rows = await query(statement);
      }
      return rows;
    },
  };
  return { store: new SqlStore("postgres", driver, client) };
}
