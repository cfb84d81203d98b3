import { SiltstoneError } from "../errors.js";
import type { Host, Store, StoreBatch, StoredEntry, StoreRange } from "../host.js";
import { madeByNewer, messageOf, notWritten, outcomeUnknown } from "./failure.js";
import { newVersion } from "./version.js";

type Key = (string | number)[];

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

interface KvEntry {
  key: Key;
  value: unknown;
  versionstamp: string | null;
}

/** Of a value that is too long for one entry: where its parts are. */
interface Parts {
  id: string;
  count: number;
}

/** How a Deno KV is used. */
export interface DenoKvOptions {
  /** The first part of every key; `siltstone` without it. */
  prefix?: string;
}

const SCHEMA = 1;
/** An entry takes 65,536 bytes. */
const PART_BYTES = 60_000;
/** An atomic operation takes 800 KiB of values; what is more goes ahead of it, in parts. */
const INLINE_BYTES = 400_000;
const READ_KEYS = 10;
const READ_ENTRIES = 500;
const CHECKS = 100;
const MUTATIONS = 1_000;
/** An atomic operation takes 81,920 bytes of keys; each key adds a few of its own. */
const KEY_BYTES = 80_000;
const KEY_OVERHEAD = 8;
/** Times a value is read whose parts another writer is replacing. */
const TRIES = 10;
/** Times a local database is asked that another process is writing to. */
const LOCKED_TRIES = 200;

/**
 * A host over Deno KV, local or hosted. A value of more than 60,000 bytes is kept in parts, written
 * under a name of their own before the commit that shows them; parts of a writer that was killed in
 * between take up room and are never read.
 *
 * ```ts
 * const host = denoKvHost(await Deno.openKv());
 * ```
 */
export function denoKvHost(kv: DenoKv, { prefix = "siltstone" }: DenoKvOptions = {}): Host {
  return { store: new DenoKvStore(kv, prefix) };
}

class DenoKvStore implements Store {
  readonly #kv: DenoKv;
  readonly #prefix: string;
  #isOpen = false;

  constructor(kv: DenoKv, prefix: string) {
    this.#kv = kv;
    this.#prefix = prefix;
  }

  async get(keys: string[]) {
    await this.#open();
    return this.#whole(await this.#heads(keys));
  }

  async range({ start, end, limit, reverse }: StoreRange) {
    await this.#open();
    if (limit < 1 || start >= end) {
      return [];
    }
    const bounds = { start: this.#key(start), end: this.#key(end) };
    const heads: KvEntry[] = [];
    const batchSize = Math.min(limit, READ_ENTRIES);
    for await (const head of this.#kv.list(bounds, { limit, reverse, batchSize })) {
      heads.push(head as KvEntry);
    }
    // What was deleted since it was listed is left out.
    return (await this.#whole(heads)).filter((entry) => entry !== null);
  }

  async commit({ checks, puts, deletes }: StoreBatch) {
    await this.#open();
    checkLimits({ checks, puts, deletes });
    const absent = new Set(checks.filter(({ version }) => version === null).map(({ key }) => key));
    const touched = [...puts.map(({ key }) => key), ...deletes].filter((key) => !absent.has(key));
    const replaced = (await this.#heads(touched)).map(partsOf).filter((parts) => parts !== null);
    const atomic = this.#kv.atomic();
    for (const { key, version } of checks) {
      atomic.check({ key: this.#key(key), versionstamp: version });
    }
    for (const key of deletes) {
      atomic.delete(this.#key(key));
    }
    const written: Parts[] = [];
    let inline = 0;
    for (const { key, value } of puts) {
      const bytes = new TextEncoder().encode(value);
      if (bytes.length <= PART_BYTES && inline + bytes.length <= INLINE_BYTES) {
        inline += bytes.length;
        atomic.set(this.#key(key), bytes);
      } else {
        const parts = await this.#writeParts(bytes);
        written.push(parts);
        atomic.set(this.#key(key), parts);
      }
    }
    const { ok } = await run(atomic).catch((error: unknown) => {
      throw error instanceof TypeError ? notWritten(error) : outcomeUnknown(error);
    });
    await this.#deleteParts(ok ? replaced : written);
    return ok;
  }

  #key(key: string): Key {
    return [this.#prefix, "entry", key];
  }

  #partKey(id: string, number: number): Key {
    return [this.#prefix, "part", id, number];
  }

  async #heads(keys: string[]): Promise<KvEntry[]> {
    return this.#getMany(keys.map((key) => this.#key(key)));
  }

  async #getMany(keys: Key[]): Promise<KvEntry[]> {
    const groups = slices(keys, READ_KEYS).map((group) => this.#kv.getMany(group));
    return (await Promise.all(groups)).flat() as KvEntry[];
  }

  /** The records of these entries; `null` for what is not there. */
  #whole(heads: KvEntry[]): Promise<(StoredEntry | null)[]> {
    return Promise.all(heads.map((head) => this.#record(head)));
  }

  async #record(first: KvEntry): Promise<StoredEntry | null> {
    let head: KvEntry | undefined = first;
    for (let attempt = 0; attempt < TRIES && head !== undefined; attempt += 1) {
      if (head.versionstamp === null) {
        return null;
      }
      const bytes = await this.#bytes(head);
      if (bytes !== null) {
        const value = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
        return { key: String(head.key.at(-1)), value, version: head.versionstamp };
      }
      [head] = await this.#getMany([first.key]);
    }
    const key = String(first.key.at(-1));
    throw new SiltstoneError("store_failed", `the parts of the record \`${key}\` are not there`);
  }

  /** The bytes of a value; `null` when its parts are no longer there. */
  async #bytes(head: KvEntry): Promise<Uint8Array | null> {
    const parts = partsOf(head);
    if (parts === null) {
      return head.value as Uint8Array;
    }
    const keys = Array.from({ length: parts.count }, (_, at) => this.#partKey(parts.id, at));
    const read = (await this.#getMany(keys)).map(({ value }) => value as Uint8Array | null);
    const found = read.filter((bytes) => bytes !== null);
    const whole = new Uint8Array(found.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const bytes of found) {
      whole.set(bytes, at);
      at += bytes.length;
    }
    return found.length === parts.count ? whole : null;
  }

  async #writeParts(bytes: Uint8Array): Promise<Parts> {
    const id = newVersion();
    const count = Math.max(1, Math.ceil(bytes.length / PART_BYTES));
    const numbers = Array.from({ length: count }, (_, number) => number);
    for (const group of slices(numbers, READ_KEYS)) {
      const atomic = this.#kv.atomic();
      for (const number of group) {
        const part = bytes.slice(number * PART_BYTES, (number + 1) * PART_BYTES);
        atomic.set(this.#partKey(id, number), part);
      }
      await run(atomic);
    }
    return { id, count };
  }

  /** Nothing names these parts any more; when they cannot be deleted they only take up room. */
  async #deleteParts(all: Parts[]): Promise<void> {
    const keys = all.flatMap(({ id, count }) =>
      Array.from({ length: count }, (_, number) => this.#partKey(id, number)),
    );
    for (const group of slices(keys, MUTATIONS)) {
      const atomic = this.#kv.atomic();
      for (const key of group) {
        atomic.delete(key);
      }
      await run(atomic).catch(() => undefined);
    }
  }

  /** Checks the version of the schema once. */
  async #open(): Promise<void> {
    if (this.#isOpen) {
      return;
    }
    const key = [this.#prefix, "schema"];
    const [entry] = await this.#getMany([key]);
    const found = (entry?.value as number | null | undefined) ?? 0;
    if (found > SCHEMA) {
      throw madeByNewer("the Deno KV", found, SCHEMA);
    }
    if (found < SCHEMA) {
      const atomic = this.#kv.atomic();
      atomic.check({ key, versionstamp: entry?.versionstamp ?? null });
      atomic.set(key, SCHEMA);
      // Where another instance was first, it wrote the same or is found out by the next call.
      this.#isOpen = (await run(atomic)).ok;
      return this.#isOpen ? undefined : this.#open();
    }
    this.#isOpen = true;
  }
}

/** Commits; waits where another process has the file, which refuses before it writes. */
async function run(atomic: DenoKvAtomic): Promise<{ ok: boolean }> {
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

function partsOf({ value }: KvEntry): Parts | null {
  return value === null || value instanceof Uint8Array ? null : (value as Parts);
}

function checkLimits({ checks, puts, deletes }: StoreBatch): void {
  const keys = [...checks, ...puts, ...deletes.map((key) => ({ key }))];
  const found = {
    checks: checks.length,
    mutations: puts.length + deletes.length,
    "bytes of keys": keys.reduce((sum, { key }) => sum + key.length + KEY_OVERHEAD, 0),
  };
  const limits = { checks: CHECKS, mutations: MUTATIONS, "bytes of keys": KEY_BYTES };
  for (const [what, limit] of Object.entries(limits)) {
    const size = found[what as keyof typeof found];
    if (size > limit) {
      throw new SiltstoneError(
        "too_large",
        `a commit of ${size} ${what} is more than Deno KV takes at once (${limit}): nothing was written. Do less in one call, such as appending fewer messages`,
        { details: { what, size, limit } },
      );
    }
  }
}

function slices<T>(items: T[], size: number): T[][] {
  const groups: T[][] = [];
  for (let at = 0; at < items.length; at += size) {
    groups.push(items.slice(at, at + size));
  }
  return groups;
}
