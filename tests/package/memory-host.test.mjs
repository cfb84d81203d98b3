// The host that keeps everything in memory.

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { importFrom, installPackage } from "./support.mjs";

let memoryHost;
let store;

before(async () => {
  ({ memoryHost } = await importFrom(installPackage(), "siltstone/hosts/memory"));
});
beforeEach(() => {
  ({ store } = memoryHost());
});

const commit = (batch) => store.commit({ checks: [], puts: [], deletes: [], ...batch });
const put = (...keys) => commit({ puts: keys.map((key) => ({ key, value: key })) });
const range = async (start, end, options = {}) => {
  const entries = await store.range({ start, end, limit: 100, reverse: false, ...options });
  return entries.map(({ key }) => key);
};

test("reads ranges in the order of bytes, both ways, up to the limit", async () => {
  await put("b", "a!", "a", "a#", "aB", "ab", "c");
  assert.deepEqual(await range("a", "b"), ["a", "a!", "a#", "aB", "ab"]);
  assert.deepEqual(await range("a!", 'a"'), ["a!"]);
  assert.deepEqual(await range("a", "z", { limit: 2 }), ["a", "a!"]);
  assert.deepEqual(await range("a", "z", { limit: 2, reverse: true }), ["c", "b"]);
  assert.deepEqual(await range("b", "a"), []);
  assert.deepEqual(await range("x", "z"), []);
});

test("commits all or nothing", async () => {
  await put("a");
  const [{ version }] = await store.get(["a"]);
  const checks = [
    { key: "a", version },
    { key: "b", version: null },
  ];
  const puts = [
    { key: "a", value: "2" },
    { key: "b", value: "2" },
  ];
  assert.equal(await commit({ checks, puts }), true);
  assert.equal(await commit({ checks, puts: [{ key: "c", value: "3" }], deletes: ["a"] }), false);
  assert.deepEqual(
    (await store.get(["a", "b", "c"])).map((entry) => entry?.value ?? null),
    ["2", "2", null],
  );
});

test("gives every write a version that was never there before", async () => {
  const versions = new Set();
  for (let round = 0; round < 3; round += 1) {
    await put("a");
    versions.add((await store.get(["a"]))[0].version);
    await commit({ deletes: ["a"] });
  }
  assert.equal(versions.size, 3);
  assert.deepEqual(await store.get(["a"]), [null]);
});

test("gives copies, so that a caller cannot change what is stored", async () => {
  await put("a");
  const [got] = await store.get(["a"]);
  const [entry] = await store.range({ start: "a", end: "b", limit: 1, reverse: false });
  got.value = entry.value = "changed";
  assert.equal((await store.get(["a"]))[0].value, "a");
});

test("takes other parts of a host", () => {
  const host = memoryHost({ now: () => 42 });
  assert.equal(host.now(), 42);
  assert.notEqual(host.store, memoryHost().store);
});
