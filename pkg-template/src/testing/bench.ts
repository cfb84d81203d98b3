import type { Host, Store, StoreBatch, StoreRange } from "../host.js";
import type { Siltstone } from "../siltstone.js";

/** Gives a host over the store under test: every time the same store, as another instance would. */
export type OpenHost = () => Host | Promise<Host>;

/** What the checks need beside the host. */
export interface CheckOptions {
  /** The class, from the entry that you use: `siltstone` or `siltstone/slim`. */
  Siltstone: Pick<typeof Siltstone, "create">;
}

/** One thing that a host must do right. */
export interface HostCheck {
  name: string;
  /** Whether the host has what is checked; all hosts do without it. */
  applies?(host: Host): boolean;
  /** Throws what is wrong. */
  run(bench: Bench): Promise<void>;
}

let benches = 0;

/** A host under test, with keys of its own, so that the store need not be empty. */
export class Bench {
  readonly host: Host;
  readonly open: OpenHost;
  readonly options: CheckOptions;
  /** What all its keys begin with; also a tenant of its own. */
  readonly name: string;

  constructor(host: Host, open: OpenHost, options: CheckOptions) {
    benches += 1;
    this.host = host;
    this.open = open;
    this.options = options;
    this.name = `check-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}-${benches}`;
  }

  get store(): Store {
    return this.host.store;
  }

  key(name: string): string {
    return `${this.name}!${name}`;
  }

  /** Commits a batch of which only some parts are named; keys are the bench's own. */
  commit(batch: Partial<StoreBatch>, store: Store = this.store): Promise<boolean> {
    const { checks = [], puts = [], deletes = [] } = batch;
    return store.commit({
      checks: checks.map((check) => ({ ...check, key: this.key(check.key) })),
      puts: puts.map((put) => ({ ...put, key: this.key(put.key) })),
      deletes: deletes.map((key) => this.key(key)),
    });
  }

  async put(values: Record<string, string>): Promise<void> {
    const puts = Object.entries(values).map(([key, value]) => ({ key, value }));
    expect(await this.commit({ puts }), "a batch without checks was not committed");
  }

  async values(...keys: string[]): Promise<(string | null)[]> {
    const found = await this.store.get(keys.map((key) => this.key(key)));
    return found.map((entry) => entry?.value ?? null);
  }

  async version(key: string, store: Store = this.store): Promise<string | null> {
    const [entry] = await store.get([this.key(key)]);
    return entry?.version ?? null;
  }

  /** The names of the keys in a range of the bench's. */
  async names(range: Partial<StoreRange> = {}): Promise<string[]> {
    const { start = "", end, limit = 10_000, reverse = false } = range;
    const bounds = {
      start: this.key(start),
      end: end === undefined ? `${this.name}"` : this.key(end),
    };
    const entries = await this.store.range({ ...bounds, limit, reverse });
    return entries.map(({ key }) => key.slice(this.name.length + 1));
  }

  /** Deletes what the check wrote. */
  async clear(): Promise<void> {
    const { name } = this;
    for (const start of [`${name}!`, `s1!${name}!`, `u1!${name}!`]) {
      const bounds = { start, end: `${start.slice(0, -1)}"`, limit: 200, reverse: false };
      let last: string | undefined;
      for (;;) {
        const deletes = (await this.store.range(bounds)).map(({ key }) => key);
        // A store that deletes nothing shows the same keys again.
        if (deletes.length === 0 || deletes[0] === last) {
          break;
        }
        last = deletes[0];
        await this.store.commit({ checks: [], puts: [], deletes });
      }
    }
  }
}

/** Throws a message unless something holds. */
export function expect(holds: unknown, fault: string): asserts holds {
  if (!holds) {
    throw new Error(fault);
  }
}

/** Throws unless two values are the same as JSON. */
export function expectSame(found: unknown, wanted: unknown, what: string): void {
  const [is, should] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (is !== should) {
    throw new Error(`${what}: expected ${short(should)}, got ${short(is)}`);
  }
}

const SHOWN = 300;
const short = (text = "undefined") =>
  text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length} characters)` : text;
