// A message is counted once: what a counter of the caller's is asked for.

import assert from "node:assert/strict";
import { test } from "node:test";
import { importFrom, installPackage } from "./support.mjs";

const folder = installPackage();
const { Siltstone } = await importFrom(folder, "siltstone");
const { memoryHost } = await importFrom(folder, "siltstone/hosts/memory");

const scope = { user: "ana", session: "s" };
const messages = Array.from({ length: 12 }, (_, at) => ({
  id: `m${at}`,
  role: at % 2 === 0 ? "user" : "assistant",
  content: `message ${at} of the history`,
}));

function recording(id) {
  const asked = [];
  const count = (text) => {
    asked.push(text);
    return text.split(" ").length;
  };
  return {
    counter: id === undefined ? count : Object.assign(count, { id }),
    ofHistory: () => asked.splice(0).filter((text) => text.includes("of the history")).length,
  };
}

test("a counter with an id is asked once for a message, over a cold start too", async () => {
  const host = memoryHost();
  const { counter, ofHistory } = recording("words");
  const first = await Siltstone.create({ host, counter });
  await first.append(scope, messages);
  assert.equal(ofHistory(), 12);
  const turn = await first.load({ scope, message: "hello" });
  const second = await Siltstone.create({ host, counter });
  const again = await second.load({ scope, message: "hello" });
  assert.equal(ofHistory(), 0);
  assert.deepEqual(again.report.tokens, turn.report.tokens);

  const other = recording("others");
  const third = await Siltstone.create({ host, counter: other.counter });
  await third.load({ scope, message: "hello" });
  assert.equal(other.ofHistory(), 12);
});

test("one without an id is asked once by each instance", async () => {
  const host = memoryHost();
  const { counter, ofHistory } = recording();
  for (const _ of [1, 2]) {
    const memory = await Siltstone.create({ host, counter });
    await memory.append(scope, messages);
    assert.equal(ofHistory(), 0);
    await memory.load({ scope, message: "hello" });
    assert.equal(ofHistory(), 12);
    await memory.load({ scope, message: "hello" });
    assert.equal(ofHistory(), 0);
  }
});

test("without a hot cache a turn reads no more messages than it shows", async () => {
  const { store } = memoryHost();
  const limits = [];
  const range = (query) => {
    limits.push(query.limit);
    return store.range(query);
  };
  const config = { agent: { longMemory: false, model: "gpt-4o", contextRounds: 2 } };
  const host = {
    store: { get: (keys) => store.get(keys), commit: (batch) => store.commit(batch), range },
  };
  const memory = await Siltstone.create({ host, config });
  await memory.append(scope, messages);
  limits.length = 0;
  const turn = await memory.load({ scope, message: "hello" });
  assert.deepEqual(limits, [turn.messages.length - 1]);
});

test("an id has 1 to 40 characters", async () => {
  for (const id of ["", "x".repeat(41), 7]) {
    const { counter } = recording(id);
    await assert.rejects(Siltstone.create({ host: memoryHost(), counter }), {
      code: "invalid_config",
      path: "counter.id",
    });
  }
});

test("what the encoding counts is kept in the store, where only the core looks", async () => {
  const host = memoryHost();
  const memory = await Siltstone.create({ host });
  await memory.countTokens({ text: "a vocabulary is there from here on" });
  await memory.append(scope, messages);
  const { messages: read } = await memory.messages(scope);
  assert.deepEqual(Object.keys(read[0]).sort(), ["content", "createdAt", "id", "role"]);
  const turn = await memory.load({ scope, message: "hello" });
  assert.deepEqual(Object.keys(turn.messages[0]).sort(), ["content", "role"]);
  const entries = await host.store.range({ start: " ", end: "~", limit: 100, reverse: false });
  const kept = entries.map(({ value }) => JSON.parse(value).t).filter((t) => t !== undefined);
  assert.deepEqual(kept, Array(12).fill(["o200k_base/1", 10]));
});
