// The conformance suite over the host in memory, and over hosts that are wrong in one way each.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { conformance, STORE, STORE_AND_CACHE } from "./shared/conformance.mjs";
import { importFrom, installPackage } from "./support.mjs";

let Siltstone;
let memoryHost;
let testing;

before(async () => {
  const folder = installPackage();
  ({ Siltstone } = await importFrom(folder, "siltstone"));
  ({ memoryHost } = await importFrom(folder, "siltstone/hosts/memory"));
  testing = await importFrom(folder, "siltstone/testing");
});

const check = (open) => conformance(testing.checkHost, open, Siltstone);

test("it is a host", async () => {
  const host = memoryHost();
  assert.deepEqual(await check(() => host), STORE);
});

test("a cache is checked where there is one, even one that keeps nothing", async () => {
  const host = memoryHost({ cache: { get: async () => null, put: async () => {} } });
  assert.deepEqual(await check(() => host), STORE_AND_CACHE);
});

test("what the checks write is deleted", async () => {
  const host = memoryHost();
  await check(() => host);
  const left = await host.store.range({ start: " ", end: "~~", limit: 100, reverse: false });
  assert.deepEqual(left, []);
});

/** What a host does wrong, and the check that finds it. */
const FAULTS = {
  "answers get out of order": [
    /get answers one entry/,
    (store) => ({ get: async (keys) => await store.get([...keys].sort()) }),
  ],
  "ignores case": [
    /keys compare by bytes/,
    (store) => ({
      range: async (range) =>
        (await store.range(range)).sort((a, b) =>
          a.key.toLowerCase() < b.key.toLowerCase() ? -1 : 1,
        ),
    }),
  ],
  "takes the end for inclusive": [
    /a range keeps to its bounds/,
    (store) => ({ range: (range) => store.range({ ...range, end: `${range.end} ` }) }),
  ],
  "has a limit of its own": [
    /keys compare by bytes/,
    (store) => ({ range: (range) => store.range({ ...range, limit: Math.min(range.limit, 100) }) }),
  ],
  "cuts long keys": [
    /keys of 1800 bytes/,
    (store) => ({
      get: (keys) => store.get(keys.map((key) => key.slice(0, 1_799))),
      commit: (batch) =>
        store.commit({
          ...batch,
          puts: batch.puts.map((put) => ({ ...put, key: put.key.slice(0, 1_799) })),
        }),
    }),
  ],
  "cuts long values": [
    /values come back as they were/,
    (store) => ({
      commit: (batch) =>
        store.commit({
          ...batch,
          puts: batch.puts.map((put) => ({ ...put, value: put.value.slice(0, 1_000_000) })),
        }),
    }),
  ],
  "ignores checks": [
    /of many writers at once with the same check one wins/,
    (store) => ({ commit: (batch) => store.commit({ ...batch, checks: [] }) }),
  ],
  "checks before it waits": [
    /increments of many writers/,
    (store) => ({
      commit: async (batch) => {
        const found = await store.get(batch.checks.map(({ key }) => key));
        const holds = batch.checks.every((one, at) => (found[at]?.version ?? null) === one.version);
        await new Promise((resolve) => setTimeout(resolve, 1));
        return holds && store.commit({ ...batch, checks: [] });
      },
    }),
  ],
  "writes before it checks": [
    /a commit of which one check does not hold/,
    (store) => ({
      commit: async (batch) => {
        const [first, ...rest] = batch.checks;
        const { puts, deletes } = batch;
        if (first && !(await store.commit({ checks: [first], puts: [], deletes: [] })))
          return false;
        if (!(await store.commit({ checks: [], puts, deletes: [] }))) return false;
        return store.commit({ checks: rest, puts: [], deletes });
      },
    }),
  ],
  "gives old versions again": [
    /every write gives a version/,
    (store) => ({
      get: async (keys) =>
        (await store.get(keys)).map((entry) => entry && { ...entry, version: "same" }),
    }),
  ],
};

describe("a host that is wrong is found out when it", () => {
  for (const [name, [wanted, fault]] of Object.entries(FAULTS)) {
    test(name, async () => {
      const { store } = memoryHost();
      const plain = {
        get: (keys) => store.get(keys),
        range: (range) => store.range(range),
        commit: (batch) => store.commit(batch),
      };
      const { failures } = await check(() => ({ store: { ...plain, ...fault(store) } }));
      assert.ok(
        failures.some((failure) => wanted.test(failure)),
        failures.join("\n") || "nothing was found",
      );
    });
  }

  test("keeps a cached value too long", async () => {
    const host = memoryHost({
      cache: {
        kept: new Map(),
        async get(key) {
          return this.kept.get(key) ?? null;
        },
        async put(key, value) {
          this.kept.set(key, value);
        },
      },
    });
    const { failures } = await check(() => host);
    assert.deepEqual(failures, [
      'the cache gives what was put last, or nothing: the cache gives "short" after its time',
    ]);
  });
});
