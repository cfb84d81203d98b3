// The outbox and a vector store through the packed package, on real timers: what hangs or fails
// holds nobody up, and is made up for.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { importFrom, installPackage } from "./support.mjs";

const scope = { user: "ada" };
const config = { outbox: { timeoutMs: 50, leaseMs: 1_000, maxAttempts: 2 } };

let Siltstone;
let memoryHost;
let slices;

before(async () => {
  const folder = installPackage();
  ({ Siltstone } = await importFrom(folder, "siltstone"));
  ({ memoryHost } = await importFrom(folder, "siltstone/hosts/memory"));
  ({ slices } = await importFrom(folder, "siltstone/maintain"));
});

/** A vector store of one dimension for each of two words; `mode` says how it behaves. */
function vectorStore() {
  const items = new Map();
  const store = { mode: "well", items, asked: [] };
  const behave = async () => {
    if (store.mode === "hangs") await new Promise(() => {});
    if (store.mode === "fails") throw new Error("it is down");
  };
  store.vectors = {
    async upsert(list) {
      await behave();
      for (const item of list) items.set(item.id, item);
    },
    async query({ namespace, cubes, vector, topK }, { timeoutMs, signal }) {
      store.asked.push({ namespace, cubes, topK, timeoutMs, aborted: signal.aborted });
      await behave();
      const dot = (other) => other.reduce((sum, part, at) => sum + part * vector[at], 0);
      return [...items.values()]
        .filter((item) => item.namespace === namespace && cubes.includes(item.cube))
        .map(({ id, vector: held }) => ({ id, score: dot(held) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, topK);
    },
    async delete(namespace, ids) {
      await behave();
      for (const id of ids) if (items.get(id)?.namespace === namespace) items.delete(id);
    },
  };
  return store;
}

const embed = async (texts) =>
  texts.map((text) => [/boat|ship/.test(text) ? 1 : 0.01, /tea|drink/.test(text) ? 1 : 0.01]);

async function open(store) {
  const clock = { now: Date.UTC(2026, 10, 30) };
  const logged = [];
  const host = { ...memoryHost({ now: () => clock.now }), log: (event) => logged.push(event) };
  const memory = await Siltstone.create({ host, embed, vectors: store.vectors, config });
  return { memory, clock, logged };
}

test("recall asks the vector store, and goes on by words when it hangs", async () => {
  const store = vectorStore();
  const { memory, logged } = await open(store);
  const { memory: boat } = await memory.memories(scope).add({ content: "Ada rows a boat" });
  await memory.memories(scope).add({ content: "Ada likes tea" });
  const [item] = store.items.values();
  assert.match(item.namespace, /^[0-9a-f]{32}$/);
  assert.match(item.id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(item.cube, "user_profile");
  assert.ok(item.vector instanceof Float32Array);
  const found = await memory.recall(scope, "ship");
  assert.equal(found.hits[0].memory.id, boat.id);
  assert.deepEqual(store.asked, [
    {
      namespace: item.namespace,
      cubes: ["user_profile"],
      topK: 32,
      timeoutMs: 2_000,
      aborted: false,
    },
  ]);
  store.mode = "fails";
  assert.deepEqual((await memory.recall(scope, "ship")).hits, []);
  assert.equal((await memory.recall(scope, "boat")).hits[0].memory.id, boat.id);
  assert.ok(logged.some(({ event }) => event === "vectors_failed"));
  memory.close();
});

test("what hangs is put off, ends as a dead letter, and is done once it is taken up again", async () => {
  const store = vectorStore();
  const { memory, clock } = await open(store);
  store.mode = "hangs";
  const { memory: boat } = await memory.memories(scope).add({ content: "Ada rows a boat" });
  const { effects } = await memory.outbox.list({ scope });
  assert.equal(effects.length, 1);
  assert.deepEqual(effects[0].kind, { type: "vector_upsert", memories: [boat.id] });
  assert.equal(effects[0].attempts, 1);
  assert.match(effects[0].lastError, /within 50 ms/);

  store.mode = "fails";
  clock.now += 5_000;
  const report = await slices(memory, { budgetMs: 1_000 });
  assert.deepEqual([report.effectsDead, report.effectsFailed, report.done], [1, 0, true]);
  const dead = await memory.outbox.deadLetters();
  assert.equal(dead.effects[0].id, effects[0].id);
  assert.equal(dead.effects[0].lastError, "upsert: it is down");
  assert.equal(dead.effects[0].diedAt, clock.now);

  store.mode = "well";
  assert.deepEqual(await memory.outbox.redrive(), { redriven: 1, isDone: true });
  const replayed = { done: 1, failed: 0, dead: 0, remaining: 0, isDone: true, nextRunAt: null };
  assert.deepEqual(await memory.replay(), replayed);
  assert.equal(store.items.size, 1);

  store.mode = "fails";
  await memory.memories(scope).forget(boat.id);
  assert.deepEqual((await memory.recall(scope, "boat")).hits, []);
  const [left] = (await memory.outbox.list()).effects;
  const { discarded } = await memory.outbox.discard(scope, left.id);
  assert.equal(discarded.kind.type, "vector_delete");
  assert.deepEqual(await memory.outbox.list(), { effects: [] });
  memory.close();
});
