import { newVersion } from "../version.js";
import { type DenoKv, getMany, type Key, type KvEntry, run, slices } from "./database.js";

/** Of a value that is too long for one entry: where its parts are. */
export interface Parts {
  id: string;
  count: number;
}

/** An entry takes 65,536 bytes. */
export const PART_BYTES = 60_000;
/** Parts of one atomic operation, which takes 800 KiB. */
const WRITTEN = 10;
const DELETED = 500;

/** Long values in parts, under an id that is never used again: they are whole, or not there. */
export class PartStore {
  readonly #kv: DenoKv;
  readonly #prefix: string;

  constructor(kv: DenoKv, prefix: string) {
    this.#kv = kv;
    this.#prefix = prefix;
  }

  async write(bytes: Uint8Array): Promise<Parts> {
    const count = Math.max(1, Math.ceil(bytes.length / PART_BYTES));
    const parts = { id: newVersion(), count };
    const keys = this.#keys(parts).map((key, at) => ({ key, from: at * PART_BYTES }));
    for (const group of slices(keys, WRITTEN)) {
      const atomic = this.#kv.atomic();
      for (const { key, from } of group) {
        atomic.set(key, bytes.slice(from, from + PART_BYTES));
      }
      await run(atomic);
    }
    return parts;
  }

  /** The bytes of a value; `null` when its parts are no longer there. */
  async read(parts: Parts): Promise<Uint8Array | null> {
    const read = (await getMany(this.#kv, this.#keys(parts))).map(({ value }) => value);
    const found = read.filter((value) => value instanceof Uint8Array);
    if (found.length < parts.count) {
      return null;
    }
    const whole = new Uint8Array(found.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const bytes of found) {
      whole.set(bytes, at);
      at += bytes.length;
    }
    return whole;
  }

  /** Nothing names these parts any more; when they cannot be deleted they only take up room. */
  async delete(all: Parts[]): Promise<void> {
    for (const group of slices(
      all.flatMap((parts) => this.#keys(parts)),
      DELETED,
    )) {
      const atomic = this.#kv.atomic();
      for (const key of group) {
        atomic.delete(key);
      }
      await run(atomic).catch(() => undefined);
    }
  }

  #keys({ id, count }: Parts): Key[] {
    return Array.from({ length: count }, (_, at) => [this.#prefix, "part", id, at]);
  }
}

/** Where the parts of an entry's value are; `null` when it has none. */
export function partsOf({ value }: KvEntry): Parts | null {
  return value === null || value instanceof Uint8Array ? null : (value as Parts);
}
