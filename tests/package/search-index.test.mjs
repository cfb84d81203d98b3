// The stored search index: an instance that starts reads it, and not every memory.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { importFrom, installPackage } from "./support.mjs";

const MEMORIES = 150;
const scope = { user: "ana" };
const WORDS = ["tide", "bridge", "moss", "map", "loom", "comet", "salt", "clock", "reed", "kiln"];
const question = "Where is the comet bridge with 77?";

let Siltstone;
let memoryHost;

before(async () => {
  const app = installPackage();
  ({ Siltstone } = await importFrom(app, "siltstone"));
  ({ memoryHost } = await importFrom(app, "siltstone/hosts/memory"));
});

/** A host over this store that takes note of the keys it is asked for. */
function watched(store) {
  const read = [];
  const host = {
    // Time bears on scores.
    now: () => Date.UTC(2030, 0, 1),
    store: {
      get: (keys) => {
        read.push(...keys);
        return store.get(keys);
      },
      range: async (range) => {
        const entries = await store.range(range);
        read.push(...entries.map(({ key }) => key));
        return entries;
      },
      commit: (batch) => store.commit(batch),
    },
  };
  return { host, read };
}

const fact = (number) =>
  `Item ${number} of the ${WORDS[number % 10]} set lies under the ${WORDS[(number * 7) % 10]} bridge`;

async function storeWith(count) {
  const { store } = memoryHost();
  const memory = await Siltstone.create({ host: { store } });
  for (let number = 0; number < count; number += 1) {
    await memory.memories(scope).add({ content: fact(number) });
  }
  return store;
}

/** What a new instance recalls, and the keys that it read. */
async function recall(store) {
  const { host, read } = watched(store);
  const config = { life: { touchTimeoutMs: 0 } };
  const memory = await Siltstone.create({ host, config });
  const { hits, sessions } = await memory.recall(scope, question);
  const shown = hits.map(({ memory: { id, content }, score }) => ({ id, content, score }));
  return { found: { shown, sessions }, read };
}

const keysOf = (read, kind) => read.filter((key) => key.includes(`!ana!${kind}!`)).length;

test("an instance that starts reads the index, and few memories", async () => {
  const store = await storeWith(MEMORIES);
  const first = await recall(store);
  assert.ok(keysOf(first.read, "memory") >= MEMORIES);
  assert.ok(first.found.shown.length > 0);

  const second = await recall(store);
  assert.deepEqual(second.found, first.found);
  assert.ok(keysOf(second.read, "index") > 1);
  assert.ok(keysOf(second.read, "memory") < MEMORIES, `${second.read.length}`);

  const memory = await Siltstone.create({ host: { store } });
  const { memory: added } = await memory
    .memories(scope)
    .add({ content: "The comet bridge has 77 arches" });
  const third = await recall(store);
  assert.equal(third.found.shown[0].id, added.id);
  assert.ok(keysOf(third.read, "memory") < MEMORIES);

  const entries = await store.range(everything("index"));
  await store.commit({ checks: [], puts: [], deletes: entries.map(({ key }) => key) });
  assert.deepEqual((await recall(store)).found, third.found);
});

test("a part of the index fits into a value of any store", async () => {
  const store = await storeWith(MEMORIES);
  await recall(store);
  const entries = await store.range(everything("index"));
  assert.ok(entries.length > 1);
  for (const { key, value } of entries) {
    assert.ok(value.length < 48_000, `${key}: ${value.length}`);
  }
});

const everything = (kind) => ({
  start: `s1!default!ana!${kind}!`,
  end: `s1!default!ana!${kind}"`,
  limit: 1_000,
  reverse: false,
});
