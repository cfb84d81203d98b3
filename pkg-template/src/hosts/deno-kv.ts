import { SiltstoneError } from "../errors.js";
import type { Host, Store, StoreBatch, StoredEntry, StoreRange } from "../host.js";
import { type DenoKv, getMany, type Key, type KvEntry, run } from "./deno-kv/database.js";
import { PART_BYTES, PartStore, type Parts, partsOf } from "./deno-kv/parts.js";
import { madeByNewer, notWritten, outcomeUnknown } from "./failure.js";

export type { DenoKv, DenoKvAtomic } from "./deno-kv/database.js";

/** How a Deno KV is used. */
export interface DenoKvOptions {
  /** The first part of every key; `siltstone` without it. */
  prefix?: string;
}

const SCHEMA = 1;
/** An atomic operation takes 800 KiB of values; what is more goes ahead of it, in parts. */
const INLINE_BYTES = 400_000;
const READ_ENTRIES = 500;
const CHECKS = 100;
const MUTATIONS = 1_000;
/** An atomic operation takes 81,920 bytes of keys, what encodes them included. */
const KEY_BYTES = 80_000;
const ENCODING_BYTES = 12;
/** Times a value is read whose parts another writer is replacing. */
const TRIES = 10;

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
  readonly #parts: PartStore;
  #isOpen = false;

  constructor(kv: DenoKv, prefix: string) {
    this.#kv = kv;
    this.#prefix = prefix;
    this.#parts = new PartStore(kv, prefix);
  }

  async get(keys: string[]) {
    await this.#open();
    return this.#records(await this.#heads(keys));
  }

  async range({ start, end, limit, reverse }: StoreRange) {
    await this.#open();
    if (limit < 1 || start >= end) {
      return [];
    }
    const bounds = { start: this.#key(start), end: this.#key(end) };
    const options = { limit, reverse, batchSize: Math.min(limit, READ_ENTRIES) };
    const heads: KvEntry[] = [];
    for await (const head of this.#kv.list(bounds, options)) {
      heads.push(head as KvEntry);
    }
    // What was deleted since it was listed is left out.
    return (await this.#records(heads)).filter((entry) => entry !== null);
  }

  async commit({ checks, puts, deletes }: StoreBatch) {
    await this.#open();
    this.#checkLimits({ checks, puts, deletes });
    const absent = new Set(checks.filter(({ version }) => version === null).map(({ key }) => key));
    const touched = [...puts.map(({ key }) => key), ...deletes].filter((key) => !absent.has(key));
    const replaced = (await this.#heads(touched)).map(partsOf).filter((parts) => parts !== null);
    const written: Parts[] = [];
    const atomic = this.#kv.atomic();
    for (const { key, version } of checks) {
      atomic.check({ key: this.#key(key), versionstamp: version });
    }
    for (const key of deletes) {
      atomic.delete(this.#key(key));
    }
    let inline = 0;
    for (const { key, value } of puts) {
      const bytes = new TextEncoder().encode(value);
      if (bytes.length <= PART_BYTES && inline + bytes.length <= INLINE_BYTES) {
        inline += bytes.length;
        atomic.set(this.#key(key), bytes);
      } else {
        const parts = await this.#parts.write(bytes);
        written.push(parts);
        atomic.set(this.#key(key), parts);
      }
    }
    const { ok } = await run(atomic).catch((error: unknown) => {
      throw error instanceof TypeError ? notWritten(error) : outcomeUnknown(error);
    });
    await this.#parts.delete(ok ? replaced : written);
    return ok;
  }

  #key(key: string): Key {
    return [this.#prefix, "entry", key];
  }

  #heads(keys: string[]): Promise<KvEntry[]> {
    return getMany(
      this.#kv,
      keys.map((key) => this.#key(key)),
    );
  }

  /** The records of these entries; `null` for what is not there. */
  #records(heads: KvEntry[]): Promise<(StoredEntry | null)[]> {
    return Promise.all(heads.map((head) => this.#record(head)));
  }

  async #record(first: KvEntry): Promise<StoredEntry | null> {
    const key = String(first.key.at(-1));
    let head: KvEntry | undefined = first;
    for (let attempt = 0; attempt < TRIES && head !== undefined; attempt += 1) {
      if (head.versionstamp === null) {
        return null;
      }
      const parts = partsOf(head);
      const bytes = parts === null ? (head.value as Uint8Array) : await this.#parts.read(parts);
      if (bytes !== null) {
        const value = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
        return { key, value, version: head.versionstamp };
      }
      [head] = await this.#heads([key]);
    }
    throw new SiltstoneError("store_failed", `the parts of the record \`${key}\` are not there`);
  }

  /** Checks the version of the schema once. */
  async #open(): Promise<void> {
    if (this.#isOpen) {
      return;
    }
    const key = [this.#prefix, "schema"];
    const [entry] = await getMany(this.#kv, [key]);
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

  #checkLimits({ checks, puts, deletes }: StoreBatch): void {
    const overhead = this.#prefix.length + "entry".length + ENCODING_BYTES;
    const keys = [...checks, ...puts, ...deletes.map((key) => ({ key }))];
    const found = {
      checks: checks.length,
      mutations: puts.length + deletes.length,
      "bytes of keys": keys.reduce((sum, { key }) => sum + key.length + overhead, 0),
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
}
