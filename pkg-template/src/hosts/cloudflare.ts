import type { Cache, Host } from "../host.js";
import { type SqlRow, type SqlStatement, SqlStore, schemaOf } from "./sql.js";

/**
 * The statements that make the tables and views in D1, for your migrations; the host runs them by
 * itself when they are not there. The views `siltstone_memories` and `siltstone_messages` are for
 * your own queries; in their ids, characters other than letters, digits and `-./:;<=>?@[\]^_` are
 * encoded as in the keys.
 */
export const schema: readonly string[] = schemaOf("sqlite");

/** What is used of a D1 database; a session of one has it as well. */
export interface D1 {
  prepare(query: string): D1Statement;
  batch(statements: never[]): Promise<{ results: unknown[] }[]>;
}

/** What is used of a prepared statement of D1. */
export interface D1Statement {
  bind(...values: unknown[]): D1Statement;
}

/** What is used of a KV namespace. */
export interface KV {
  get(key: string): Promise<string | null>;
  put(key: string, value: string, options: { expirationTtl: number }): Promise<void>;
  delete(key: string): Promise<void>;
}

/** The bindings of a Worker in which the memory is kept. */
export interface CloudflareBindings {
  /** The D1 database of messages and memories. */
  DB: D1;
  /** The KV namespace that keeps recent messages at hand. */
  CACHE?: KV | undefined;
}

/**
 * A host over D1 and, where it is bound, KV. D1 takes records of up to 2 MB.
 *
 * ```ts
 * const memory = await Siltstone.create({ host: cloudflareHost({ DB: env.DB, CACHE: env.CACHE }) });
 * ```
 */
export function cloudflareHost({ DB, CACHE }: CloudflareBindings): Host {
  return { store: d1Store(DB), ...(CACHE && { cache: kvCache(CACHE) }) };
}

function d1Store(db: D1): SqlStore {
  const batch = async (statements: SqlStatement[]) => {
    const prepared = statements.map(({ sql, params }) => db.prepare(sql).bind(...params));
    const answers = await db.batch(prepared as never[]);
    return (answers.at(-1)?.results ?? []) as SqlRow[];
  };
  return new SqlStore(
    "sqlite",
    { query: (statement) => batch([statement]), transaction: batch },
    db,
  );
}

const KV_KEY_BYTES = 512;
const KV_VALUE_BYTES = 25 * 1024 * 1024;
const KV_MIN_TTL_MS = 60_000;

function kvCache(kv: KV): Cache {
  const takes = (key: string) => key.length <= KV_KEY_BYTES;
  return {
    get: async (key) => (takes(key) ? kv.get(key) : null),
    put: async (key, value, ttlMs) => {
      if (!takes(key)) {
        return;
      }
      // A UTF-16 unit is at most three bytes of UTF-8.
      if (ttlMs < KV_MIN_TTL_MS || value.length * 3 > KV_VALUE_BYTES) {
        // What was kept before must not outlive what could not replace it.
        return kv.delete(key);
      }
      return kv.put(key, value, { expirationTtl: Math.floor(ttlMs / 1000) });
    },
  };
}
