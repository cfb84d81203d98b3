import type { Host } from "../host.js";
import { outcomeUnknown } from "./failure.js";
import { type SqlRow, type SqlStatement, SqlStore } from "./sql.js";

/** What is used of a pool of `mysql2/promise`. */
export interface MysqlPool {
  execute(sql: string, params: string[]): Promise<[unknown, unknown]>;
  getConnection(): Promise<MysqlConnection>;
}

/** What is used of one of its connections. */
export interface MysqlConnection {
  query(sql: string): Promise<unknown>;
  execute(sql: string, params: string[]): Promise<[unknown, unknown]>;
  release(): void;
  destroy(): void;
}

/**
 * A host over MySQL (8.0.16 or later) or MariaDB (10.6 or later), through a pool of mysql2. Add a
 * cache in front with `siltstone/hosts/redis`.
 *
 * ```ts
 * import { createPool } from "mysql2/promise";
 *
 * const host = { ...mysqlHost(createPool(process.env.MYSQL_URL)), cache: redisCache(redis) };
 * ```
 */
export function mysqlHost(pool: MysqlPool): Host {
  const driver = {
    query: async ({ sql, params }: SqlStatement) => {
      const [rows] = await pool.execute(sql, params);
      return rows as SqlRow[];
    },
    transaction: (statements: SqlStatement[]) => transaction(pool, statements),
  };
  return { store: new SqlStore("mysql", driver, pool) };
}

async function transaction(pool: MysqlPool, statements: SqlStatement[]): Promise<SqlRow[]> {
  const connection = await pool.getConnection();
  try {
    await connection.query("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    await connection.query("START TRANSACTION");
    for (const { sql, params } of statements) {
      await connection.execute(sql, params);
    }
  } catch (error) {
    await rollback(connection);
    throw error;
  }
  try {
    await connection.query("COMMIT");
  } catch (error) {
    connection.destroy();
    throw outcomeUnknown(error);
  }
  connection.release();
  return [];
}

/** A connection that cannot even roll back is closed, whereupon the server does so. */
async function rollback(connection: MysqlConnection): Promise<void> {
  try {
    await connection.query("ROLLBACK");
    connection.release();
  } catch {
    connection.destroy();
  }
}
