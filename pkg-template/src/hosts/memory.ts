import type { Host, Store, StoreBatch, StoredEntry, StoreRange } from "../host.js";

/**
 * A host that keeps everything in memory and loses it with the process: for tests and demos.
 *
 * ```ts
 * const memory = await Siltstone.create({ host: memoryHost() });
 * ```
 *
 * @param overrides - Parts of the host to replace, such as a fixed `now` and `random`.
 */
export function memoryHost(overrides: Partial<Host> = {}): Host {
  return { store: new MemoryStore(), ...overrides };
}

class MemoryStore implements Store {
  /** Sorted by key. */
  #entries: StoredEntry[] = [];
  #writes = 0;

  async get(keys: string[]) {
    return keys.map((key) => {
      const found = this.#find(key);
      return found ? { value: found.value, version: found.version } : null;
    });
  }

  async range({ start, end, limit, reverse }: StoreRange) {
    const first = this.#position(start);
    const last = Math.max(first, this.#position(end));
    const inside = reverse
      ? this.#entries.slice(Math.max(first, last - limit), last).reverse()
      : this.#entries.slice(first, Math.min(last, first + limit));
    return inside.map((entry) => ({ ...entry }));
  }

  async commit({ checks, puts, deletes }: StoreBatch) {
    if (checks.some(({ key, version }) => (this.#find(key)?.version ?? null) !== version)) {
      return false;
    }
    for (const key of deletes) {
      if (this.#find(key)) {
        this.#entries.splice(this.#position(key), 1);
      }
    }
    for (const { key, value } of puts) {
      this.#writes += 1;
      const replaced = this.#find(key) ? 1 : 0;
      this.#entries.splice(this.#position(key), replaced, {
        key,
        value,
        version: String(this.#writes),
      });
    }
    return true;
  }

  #find(key: string): StoredEntry | undefined {
    const entry = this.#entries[this.#position(key)];
    return entry?.key === key ? entry : undefined;
  }

  /** The index of the first entry whose key is not below `key`. */
  #position(key: string): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.key ?? key) < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
