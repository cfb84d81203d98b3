import { SiltstoneError } from "../errors.js";
import type { Host, Store, StoreBatch, StoredEntry, StoreRange } from "../host.js";
import { notWritten } from "./failure.js";
import { newVersion } from "./version.js";

/** How IndexedDB is used. */
export interface IndexedDbOptions {
  /** The name of the database; `siltstone` without it. */
  name?: string;
}

const SCHEMA = 1;
const ENTRIES = "entries";
/** How long to wait for tabs that keep an older version open. */
const BLOCKED_MS = 5_000;

/** What brings the database from each version to the next. */
const STEPS: ((database: IDBDatabase) => void)[] = [
  (database) => database.createObjectStore(ENTRIES, { keyPath: "key" }),
];

/**
 * A host over IndexedDB: in pages, workers and service workers, shared by all tabs of an origin. A
 * browser may delete the database when room gets short, unless `navigator.storage.persist()` was
 * granted.
 *
 * ```ts
 * const memory = await Siltstone.create({ host: indexedDbHost() });
 * ```
 */
export function indexedDbHost({ name = "siltstone" }: IndexedDbOptions = {}): Host {
  return { store: new IndexedDbStore(name) };
}

class IndexedDbStore implements Store {
  readonly #name: string;
  #database: Promise<IDBDatabase> | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  async get(keys: string[]) {
    const entries = (await this.#begin("readonly")).objectStore(ENTRIES);
    const found = await Promise.all(keys.map((key) => answer(entries.get(key))));
    return found.map((entry: StoredEntry | undefined) => entry ?? null);
  }

  async range({ start, end, limit, reverse }: StoreRange): Promise<StoredEntry[]> {
    if (limit < 1 || start >= end) {
      return [];
    }
    const entries = (await this.#begin("readonly")).objectStore(ENTRIES);
    const bounds = IDBKeyRange.bound(start, end, false, true);
    return reverse ? backwards(entries, bounds, limit) : answer(entries.getAll(bounds, limit));
  }

  async commit(batch: StoreBatch) {
    try {
      return await this.#commit(batch);
    } catch (error) {
      if (!CLOSED.has(nameOf(error))) {
        throw failure(error);
      }
      // The browser closed the connection meanwhile: a transaction that did not complete wrote nothing.
      this.#database = undefined;
    }
    return this.#commit(batch).catch((error: unknown) => {
      throw failure(error);
    });
  }

  async #commit({ checks, puts, deletes }: StoreBatch) {
    const transaction = await this.#begin("readwrite");
    const done = completion(transaction);
    // It is waited for below, unless the checks fail first.
    done.catch(() => undefined);
    const entries = transaction.objectStore(ENTRIES);
    try {
      const found: (StoredEntry | undefined)[] = await Promise.all(
        checks.map(({ key }) => answer(entries.get(key))),
      );
      if (checks.some(({ version }, index) => (found[index]?.version ?? null) !== version)) {
        transaction.abort();
        return false;
      }
      const version = newVersion();
      for (const key of deletes) {
        entries.delete(key);
      }
      for (const { key, value } of puts) {
        entries.put({ key, value, version });
      }
      transaction.commit();
      await done;
      return true;
    } catch (error) {
      abort(transaction);
      throw error;
    }
  }

  /** Begins a transaction; opens the database again when its connection was closed meanwhile. */
  async #begin(mode: IDBTransactionMode): Promise<IDBTransaction> {
    const options = mode === "readwrite" ? ({ durability: "strict" } as const) : {};
    try {
      return (await this.#open()).transaction(ENTRIES, mode, options);
    } catch (error) {
      if (nameOf(error) !== "InvalidStateError") {
        throw error;
      }
    }
    this.#database = undefined;
    return (await this.#open()).transaction(ENTRIES, mode, options);
  }

  #open(): Promise<IDBDatabase> {
    if (this.#database === undefined) {
      const forget = () => {
        if (this.#database === opening) {
          this.#database = undefined;
        }
      };
      const opening = open(this.#name, forget).catch((error: unknown) => {
        forget();
        throw failure(error);
      });
      this.#database = opening;
    }
    return this.#database;
  }
}

/** What a transaction is told whose connection the browser closes. */
const CLOSED = new Set(["AbortError", "UnknownError"]);

function open(name: string, forget: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, SCHEMA);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLate = false;
    request.onupgradeneeded = ({ oldVersion }) => {
      for (const step of STEPS.slice(oldVersion)) {
        step(request.result);
      }
    };
    request.onblocked = () => {
      timer = setTimeout(() => {
        isLate = true;
        const message = `another tab keeps an older version of the database \`${name}\` open: close it, or load it again`;
        reject(new SiltstoneError("store_failed", message, { details: { reason: "blocked" } }));
      }, BLOCKED_MS);
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(request.error);
    };
    request.onsuccess = () => {
      clearTimeout(timer);
      const database = request.result;
      if (isLate) {
        database.close();
        return;
      }
      // A newer version in another tab may go ahead; here the next call says what to do.
      database.onversionchange = () => {
        database.close();
        forget();
      };
      database.onclose = forget;
      resolve(database);
    };
  });
}

function backwards(entries: IDBObjectStore, bounds: IDBKeyRange, limit: number) {
  return new Promise<StoredEntry[]>((resolve, reject) => {
    const found: StoredEntry[] = [];
    const request = entries.openCursor(bounds, "prev");
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const cursor = request.result;
      if (cursor !== null) {
        found.push(cursor.value);
      }
      if (cursor === null || found.length === limit) {
        resolve(found);
      } else {
        cursor.continue();
      }
    };
  });
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function completion(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It has ended by itself.
  }
}

function failure(error: unknown): SiltstoneError {
  if (error instanceof SiltstoneError) {
    return error;
  }
  const failed = (reason: string, message: string) =>
    new SiltstoneError("store_failed", message, { details: { reason }, cause: error });
  switch (nameOf(error)) {
    case "QuotaExceededError":
      return failed(
        "quota",
        "the browser gives this site no more room: nothing was written. Forget or delete something, or ask for room with `navigator.storage.persist()`",
      );
    case "VersionError":
      return failed(
        "newer_schema",
        `the database was made by a newer version of siltstone; this version knows schema ${SCHEMA}. Load this page again to get the newer one`,
      );
    default:
      return notWritten(error);
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "");
