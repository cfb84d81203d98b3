import { SiltstoneError } from "../errors.js";
import type { Host, Store, StoreBatch, StoredEntry, StoreRange } from "../host.js";
import { madeByNewer, notWritten, outcomeUnknown, recordTooLarge } from "./failure.js";
import { type Dialect, type SqlStatement, VERSION } from "./sql/dialect.js";
import { mysql } from "./sql/mysql.js";
import { jsonLists, plan } from "./sql/plan.js";
import { postgres } from "./sql/postgres.js";
import { sqlite } from "./sql/sqlite.js";
import { newVersion } from "./version.js";

export type { SqlStatement };

/** What the adapter needs of a database driver. */
export interface SqlDriver {
  /** Runs one statement that reads, and gives its rows. */
  query(statement: SqlStatement): Promise<SqlRow[]> | SqlRow[];
  /**
   * Runs statements in one transaction: all of them, or none and the error of the one that failed.
   * Gives the rows of the last one, where it has any. MySQL's transactions are `READ COMMITTED`.
   */
  transaction(statements: SqlStatement[]): Promise<SqlRow[]> | SqlRow[];
}

/** A row, by the names of its columns. */
export type SqlRow = Record<string, unknown>;

/** The databases that the adapter speaks to. */
export type SqlDialect = "sqlite" | "mysql" | "postgres";

const DIALECTS: Record<SqlDialect, Dialect> = { sqlite, mysql, postgres };

/**
 * A host over any SQL database, given a way to run statements on it. The tables are made when they
 * are not there; {@link schemaOf} gives their statements for your own migrations.
 *
 * ```ts
 * // libSQL
 * const host = sqlHost("sqlite", {
 *   query: async ({ sql, params }) => (await client.execute({ sql, args: params })).rows,
 *   transaction: async (statements) => {
 *     const batch = statements.map(({ sql, params }) => ({ sql, args: params }));
 *     return (await client.batch(batch, "write")).at(-1)?.rows ?? [];
 *   },
 * });
 * ```
 */
export function sqlHost(dialect: SqlDialect, driver: SqlDriver): Host {
  return { store: new SqlStore(dialect, driver) };
}

/**
 * The statements that make the tables, and the views `siltstone_memories` and `siltstone_messages`
 * for your own queries, or bring older ones up to date; each may run again. In the views' ids,
 * characters other than letters, digits and `-./:;<=>?@[\]^_` are encoded as in the keys.
 */
export function schemaOf(dialect: SqlDialect): readonly string[] {
  return DIALECTS[dialect].steps.flat();
}

/** Databases whose schema was found, or made, to be today's. */
const opened = new WeakSet<object>();
/** Times a commit is tried that the database undid because of another one. */
const TRIES = 10;

/** @internal A store over a driver; `database` is what stays the same when the driver is made anew. */
export class SqlStore implements Store {
  readonly #dialect: Dialect;
  readonly #driver: SqlDriver;
  readonly #database: object;

  constructor(dialect: SqlDialect, driver: SqlDriver, database: object = driver) {
    this.#dialect = DIALECTS[dialect];
    this.#driver = driver;
    this.#database = database;
  }

  async get(keys: string[]) {
    await this.#open();
    const { get } = this.#dialect;
    const answers = await Promise.all(
      jsonLists([...new Set(keys)]).map((list) => this.#driver.query({ sql: get, params: [list] })),
    );
    const found = new Map(answers.flat().map((row) => [row.key, entry(row)]));
    return keys.map((key) => found.get(key) ?? null);
  }

  async range({ start, end, limit, reverse }: StoreRange) {
    await this.#open();
    const sql = this.#dialect.range(Math.max(0, Math.trunc(limit)), reverse);
    return (await this.#driver.query({ sql, params: [start, end] })).map(entry);
  }

  async commit(batch: StoreBatch) {
    await this.#open();
    const statements = this.#dialect.commit(plan(batch), newVersion());
    if (statements.length === 0) {
      return true;
    }
    for (let attempt = 1; ; attempt += 1) {
      try {
        const [verdict] = await this.#driver.transaction(statements);
        return verdict?.committed !== false;
      } catch (error) {
        if (this.#dialect.isConflict(error)) {
          return false;
        }
        if (!this.#dialect.isUndone(error)) {
          throw this.#explained(batch, error);
        }
        if (attempt === TRIES) {
          // Others came first each time: what the checks were read from has changed.
          if (batch.checks.length > 0) {
            return false;
          }
          throw this.#explained(batch, error);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * attempt));
    }
  }

  #explained(batch: StoreBatch, error: unknown): SiltstoneError {
    if (error instanceof SiltstoneError) {
      return error;
    }
    if (this.#dialect.isTooLarge(error)) {
      return recordTooLarge(batch, this.#dialect.limit, error);
    }
    return this.#dialect.isUnknown(error) ? outcomeUnknown(error) : notWritten(error);
  }

  /** Checks the version of the schema once, and brings an older one up to date. */
  async #open(): Promise<void> {
    if (opened.has(this.#database)) {
      return;
    }
    const { steps } = this.#dialect;
    const found = await this.#version();
    if (found > steps.length) {
      throw madeByNewer("the database", found, steps.length);
    }
    const due = steps.slice(found).flat();
    if (due.length > 0) {
      await this.#driver.transaction(due.map((sql) => ({ sql, params: [] })));
    }
    opened.add(this.#database);
  }

  async #version(): Promise<number> {
    try {
      const [row] = await this.#driver.query({ sql: VERSION, params: [] });
      return Number(row?.value ?? 0);
    } catch (error) {
      if (this.#dialect.isMissing(error)) {
        return 0;
      }
      throw error;
    }
  }
}

function entry({ key, value, version }: SqlRow): StoredEntry {
  return { key: String(key), value: String(value), version: String(version) };
}
