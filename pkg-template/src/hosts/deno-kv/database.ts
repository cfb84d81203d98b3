import { messageOf } from "../failure.js";

export type Key = (string | number)[];

/** What is used of what `Deno.openKv` gives. */
export interface DenoKv {
  getMany(keys: Key[]): Promise<unknown[]>;
  list(
    range: { start: Key; end: Key },
    options: { limit: number; reverse: boolean; batchSize: number },
  ): AsyncIterable<unknown>;
  atomic(): DenoKvAtomic;
}

/** What is used of an atomic operation. */
export interface DenoKvAtomic {
  check(check: { key: Key; versionstamp: string | null }): unknown;
  set(key: Key, value: unknown): unknown;
  delete(key: Key): unknown;
  commit(): Promise<{ ok: boolean }>;
}

export interface KvEntry {
  key: Key;
  value: unknown;
  versionstamp: string | null;
}

/** Keys that one `getMany` takes. */
const READ_KEYS = 10;
/** Times a local database is asked that another process is writing to. */
const LOCKED_TRIES = 200;

/** Reads entries, one for each key, in order. */
export async function getMany(kv: DenoKv, keys: Key[]): Promise<KvEntry[]> {
  const groups = slices(keys, READ_KEYS).map((group) => kv.getMany(group));
  return (await Promise.all(groups)).flat() as KvEntry[];
}

/** Commits; waits where another process has the file, which refuses before it writes. */
export async function run(atomic: DenoKvAtomic): Promise<{ ok: boolean }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await atomic.commit();
    } catch (error) {
      if (attempt === LOCKED_TRIES || !messageOf(error).includes("database is locked")) {
        throw error;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
  }
}

export function slices<T>(items: T[], size: number): T[][] {
  const groups: T[][] = [];
  for (let at = 0; at < items.length; at += size) {
    groups.push(items.slice(at, at + size));
  }
  return groups;
}
