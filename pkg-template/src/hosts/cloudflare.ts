import type { Cache, Host, Store, StoreBatch, StoredEntry, StoreRange } from "../host.js";
import { schema } from "./cloudflare-schema.js";

export { schema };

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

/** A host over D1 and, where it is bound, KV. D1 takes values of up to 2 MB. */
export function cloudflareHost({ DB, CACHE }: CloudflareBindings): Host {
  return { store: new D1Store(DB), ...(CACHE && { cache: kvCache(CACHE) }) };
}

// Each list is one parameter, as JSON: the number of statements does not depend on its length.
const GET = `SELECT key, value, version FROM siltstone_kv
  WHERE key IN (SELECT value FROM json_each(?1))`;
const RANGE = `SELECT key, value, version FROM siltstone_kv WHERE key >= ?1 AND key < ?2 ORDER BY key`;
// A check that does not hold gives a row that the table refuses, which rolls the batch back.
const CHECK = `INSERT INTO siltstone_kv (key, value, version)
  SELECT '', '', '' FROM json_each(?1) AS c LEFT JOIN siltstone_kv AS k ON k.key = c.value ->> 'key'
  WHERE k.version IS NOT c.value ->> 'version' LIMIT 1`;
const DELETE = `DELETE FROM siltstone_kv WHERE key IN (SELECT value FROM json_each(?1))`;
const PUT = `INSERT INTO siltstone_kv (key, value, version)
  SELECT p.value ->> 'key', p.value ->> 'value', lower(hex(randomblob(12))) FROM json_each(?1) AS p
  WHERE true ON CONFLICT (key) DO UPDATE SET value = excluded.value, version = excluded.version`;

/** D1 takes parameters of up to 2,000,000 bytes. */
const PARAMETER_BYTES = 1_000_000;

class D1Store implements Store {
  readonly #db: D1;

  constructor(db: D1) {
    this.#db = db;
  }

  async get(keys: string[]) {
    const queries = chunks(keys).map((chunk) => this.#db.prepare(GET).bind(chunk));
    const found = new Map((await this.#read(queries)).map((entry) => [entry.key, entry]));
    return keys.map((key) => found.get(key) ?? null);
  }

  async range({ start, end, limit, reverse }: StoreRange) {
    const query = `${RANGE} ${reverse ? "DESC" : "ASC"} LIMIT ?3`;
    return this.#read([this.#db.prepare(query).bind(start, end, limit)]);
  }

  async commit({ checks, puts, deletes }: StoreBatch) {
    const statement = (sql: string, items: unknown[]) =>
      chunks(items).map((chunk) => this.#db.prepare(sql).bind(chunk));
    try {
      await this.#batch([
        ...statement(CHECK, checks),
        ...statement(DELETE, deletes),
        ...statement(PUT, puts),
      ]);
      return true;
    } catch (error) {
      if (messageOf(error).includes("siltstone_conflict")) {
        return false;
      }
      throw error;
    }
  }

  async #read(queries: D1Statement[]): Promise<StoredEntry[]> {
    const answers = await this.#batch(queries);
    return answers.flatMap(({ results }) => results as StoredEntry[]);
  }

  /** Runs statements in one transaction; makes the table when it turns out not to be there. */
  async #batch(statements: D1Statement[]): Promise<{ results: unknown[] }[]> {
    if (statements.length === 0) {
      return [];
    }
    try {
      return await this.#db.batch(statements as never[]);
    } catch (error) {
      if (!messageOf(error).includes("no such table: siltstone_kv")) {
        throw error;
      }
    }
    await this.#db.batch(schema.map((sql) => this.#db.prepare(sql)) as never[]);
    return this.#db.batch(statements as never[]);
  }
}

/** JSON arrays of the items, in order, each small enough for one parameter. */
function chunks(items: unknown[]): string[] {
  const encoder = new TextEncoder();
  const arrays: string[] = [];
  let open: string[] = [];
  let bytes = 0;
  const close = () => {
    if (open.length > 0) {
      arrays.push(`[${open.join()}]`);
    }
    open = [];
    bytes = 0;
  };
  for (const item of items) {
    const text = JSON.stringify(item);
    const size = encoder.encode(text).length + 1;
    if (bytes + size > PARAMETER_BYTES) {
      close();
    }
    open.push(text);
    bytes += size;
  }
  close();
  return arrays;
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
