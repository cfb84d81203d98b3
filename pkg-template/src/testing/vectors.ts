import type { VectorItem, VectorOptions, VectorStore } from "../host.js";

/** One rule that a vector store has to keep. */
export interface VectorStoreCheck {
  name: string;
  /**
   * Fails when the store breaks the rule. Checks use namespaces of their own and delete what they
   * wrote.
   */
  run(): Promise<void>;
}

/** What is to be checked. */
export interface VectorStoreChecksOptions {
  /** The store; it may hold other vectors. Called once for each check. */
  store(): VectorStore | Promise<VectorStore>;
  /** Waits until all that was written shows in queries, for a store that is eventually consistent. */
  settle?(): Promise<void>;
  /** The length of the vectors; 1,536 without it. */
  dimensions?: number;
}

/**
 * The rules of a vector store as checks, for any test runner. `checkHost` in `siltstone/testing` does
 * the same for a host.
 *
 * ```ts
 * import { test } from "node:test";
 * import { vectorStoreChecks } from "siltstone/testing/vectors";
 *
 * for (const { name, run } of vectorStoreChecks({ store: () => myVectors() })) {
 *   test(name, run);
 * }
 * ```
 */
export function vectorStoreChecks(options: VectorStoreChecksOptions): VectorStoreCheck[] {
  return Object.entries(RULES).map(([name, rule]) => ({
    name,
    async run() {
      const bench = await Bench.start(options);
      try {
        await rule(bench);
      } finally {
        await bench.clear();
      }
    },
  }));
}

const RULES: Record<string, (bench: Bench) => Promise<void>> = {
  "a store that is empty answers nothing and lets absent ids be deleted": async (bench) => {
    await bench.finds([]);
    await bench.delete(bench.id(0));
    await bench.delete();
    await bench.upsert();
  },
  "the nearest come first, with their cosine similarity": async (bench) => {
    // Of different lengths: only the direction counts.
    await bench.upsert(bench.item(1, 90, 3), bench.item(2, 10, 0.5), bench.item(3, 45, 7));
    const found = await bench.finds([2, 3, 1]);
    for (const [at, degrees] of [10, 45, 90].entries()) {
      const score = found[at]?.score ?? Number.NaN;
      expect(Math.abs(score - cosine(degrees)) < 1e-3, `a score of ${cosine(degrees)}`, score);
    }
  },
  "no more are answered than were asked for": async (bench) => {
    await bench.upsert(...[1, 2, 3, 4, 5].map((n) => bench.item(n, n * 10)));
    await bench.finds([1, 2, 3], { topK: 3 });
    await bench.finds([1], { topK: 1 });
    await bench.finds([1, 2, 3, 4, 5], { topK: 100 });
  },
  "a vector of the same id is replaced, cube and all": async (bench) => {
    await bench.upsert(bench.item(1, 0), bench.item(2, 20));
    await bench.upsert({ ...bench.item(1, 60), cube: "agent_other" });
    await bench.finds([2]);
    await bench.finds([2, 1], { cubes: ["user_profile", "agent_other"] });
    await bench.upsert(bench.item(1, 5), bench.item(1, 50));
    await bench.finds([2, 1]);
  },
  "what is deleted answers no more": async (bench) => {
    await bench.upsert(bench.item(1, 10), bench.item(2, 20), bench.item(3, 30));
    await bench.delete(bench.id(2), bench.id(9));
    await bench.finds([1, 3]);
    await bench.delete(bench.id(2));
    await bench.delete(bench.id(1), bench.id(3));
    await bench.finds([]);
  },
  "only the cubes that were asked for answer": async (bench) => {
    const long = `agent_${"x".repeat(120)}`;
    const cubes = [
      "user_profile",
      "agent_a",
      "agent_ab",
      `agent_it's "\\q" %_{*}`,
      `${long}1`,
      `${long}2`,
    ];
    await bench.upsert(...cubes.map((cube, n) => ({ ...bench.item(n, n * 10), cube })));
    for (const [n, cube] of cubes.entries()) {
      await bench.finds([n], { cubes: [cube] });
    }
    await bench.finds([0, 3, 5], { cubes: [cubes[3], cubes[5], cubes[0]] as string[] });
    await bench.finds([], { cubes: ["agent_none"] });
    await bench.finds([], { cubes: [] });
  },
  "many cubes can be asked for at once": async (bench) => {
    const cubes = Array.from({ length: 60 }, (_, n) => `agent_${"y".repeat(100)}${n}`);
    await bench.upsert(...cubes.map((cube, n) => ({ ...bench.item(n, n), cube })));
    await bench.finds([0, 1, 2], { cubes, topK: 3 });
  },
  "namespaces never mix": async (bench) => {
    const other = await bench.neighbour();
    await bench.upsert(bench.item(1, 10));
    await other.upsert(other.item(2, 0));
    await bench.finds([1]);
    await other.finds([2]);
    await other.delete(bench.id(1));
    await bench.finds([1]);
  },
  "a thousand vectors are written, asked for and deleted in one call": async (bench) => {
    const numbers = Array.from({ length: 1_000 }, (_, n) => n);
    // Cosines a thousandth apart, which 32 bits tell from each other.
    const degrees = (n: number) => (Math.acos(1 - n / 1_000) / Math.PI) * 180;
    await bench.upsert(...numbers.map((n) => bench.item(n, degrees(n))));
    await bench.finds(numbers.slice(0, 50), { topK: 50 });
    await bench.delete(...numbers.slice(0, 950).map((n) => bench.id(n)));
    await bench.finds(numbers.slice(950), { topK: 100 });
  },
  "a call that was aborted fails and writes nothing": async (bench) => {
    await bench.upsert(bench.item(1, 0));
    const signal = AbortSignal.abort(new Error("too late"));
    const { store, namespace } = bench;
    const asked = { timeoutMs: 1_000, signal };
    await fails(store.upsert([bench.item(2, 0)], asked));
    await fails(store.delete(namespace, [bench.id(1)], asked));
    await fails(store.query(bench.query(), asked));
    await bench.finds([1]);
  },
};

/** A store, and a namespace of it that is one check's own. */
class Bench {
  readonly store: VectorStore;
  readonly namespace = hex(16);
  readonly #options: VectorStoreChecksOptions;
  readonly #prefix = hex(12);
  readonly #written = new Set<string>();
  #neighbour: Bench | undefined;

  private constructor(store: VectorStore, options: VectorStoreChecksOptions) {
    this.store = store;
    this.#options = options;
  }

  static async start(options: VectorStoreChecksOptions): Promise<Bench> {
    return new Bench(await options.store(), options);
  }

  /** The same store, in another namespace. */
  async neighbour(): Promise<Bench> {
    this.#neighbour = await Bench.start(this.#options);
    return this.#neighbour;
  }

  async clear(): Promise<void> {
    await this.store.delete(this.namespace, [...this.#written], options());
    await this.#neighbour?.clear();
  }

  id(n: number): string {
    const digits = `${this.#prefix}${n.toString(16).padStart(8, "0")}`;
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }

  /** An item so many degrees away from the question. */
  item(n: number, degrees: number, length = 1): VectorItem {
    const vector = this.#vector(degrees, length);
    return { id: this.id(n), namespace: this.namespace, cube: "user_profile", vector };
  }

  query(query: { cubes?: string[]; topK?: number } = {}) {
    const { namespace } = this;
    return { namespace, cubes: ["user_profile"], vector: this.#vector(0, 1), topK: 10, ...query };
  }

  async upsert(...items: VectorItem[]): Promise<void> {
    for (const { id } of items) {
      this.#written.add(id);
    }
    await this.store.upsert(items, options());
    await this.#options.settle?.();
  }

  async delete(...ids: string[]): Promise<void> {
    await this.store.delete(this.namespace, ids, options());
    await this.#options.settle?.();
  }

  /** Checks that the question is answered by these, in this order. */
  async finds(numbers: number[], query: { cubes?: string[]; topK?: number } = {}) {
    const found = await this.store.query(this.query(query), options());
    const expected = JSON.stringify(numbers.map((n) => this.id(n)));
    const got = JSON.stringify(found.map(({ id }) => id));
    expect(got === expected, expected, got);
    return found;
  }

  /** The rest of the vector is no zero, so that every number of it counts. */
  #vector(degrees: number, length: number): Float32Array {
    const radians = (degrees / 180) * Math.PI;
    const { dimensions = 1_536 } = this.#options;
    const half = Math.floor(dimensions / 2);
    const scale = length / Math.sqrt(half);
    return Float32Array.from({ length: half * 2 }, (_, at) =>
      at < half ? Math.cos(radians) * scale : Math.sin(radians) * scale,
    );
  }
}

function options(): VectorOptions {
  return { timeoutMs: 60_000, signal: new AbortController().signal };
}

function cosine(degrees: number): number {
  return Math.cos((degrees / 180) * Math.PI);
}

function hex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function fails(work: Promise<unknown>): Promise<void> {
  const failed = await work.then(
    () => false,
    () => true,
  );
  expect(failed, "a failure", "an answer");
}

function expect(holds: boolean, expected: unknown, found: unknown): void {
  if (!holds) {
    throw new Error(`expected ${expected}, got ${found}`);
  }
}
