// The second part of the module: what no turn needs, loaded by the first call that does.

import assert from "node:assert/strict";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { importFrom, installPackage } from "./support.mjs";

const folder = installPackage();
const file = join(folder, "node_modules/siltstone/wasm/rest.wasm");
const away = `${file}.away`;
const { Siltstone } = await importFrom(folder, "siltstone");
const { memoryHost } = await importFrom(folder, "siltstone/hosts/memory");
const { record, replay } = await importFrom(folder, "siltstone/trace");

const scope = { user: "ana", session: "s" };
const SAID = [
  { id: "1", role: "user", content: "My name is Ana and I live in Lisbon." },
  { id: "2", role: "assistant", content: "Nice to meet you." },
];
const config = { tokens: { encoding: "estimate" } };

const notLoaded = (error) => {
  assert.equal(error.name, "SiltstoneError");
  assert.equal(error.code, "not_initialized");
  assert.match(error.message, /second part of the WebAssembly module could not be loaded/);
  return true;
};

/** Every call that turns make. */
async function turn(memory) {
  await memory.append(scope, SAID);
  const { messages } = await memory.load({ scope, message: "Where do I live?" });
  assert.equal(messages.at(-1).content, "Where do I live?");
  assert.equal((await memory.messages(scope)).messages.length, 2);
  await memory.recall(scope, "Where does Ana live?");
  await memory.memories(scope).list();
  await memory.summary(scope);
  assert.equal((await memory.sessions({ user: "ana" })).sessions.length, 1);
  assert.ok((await memory.countTokens({ messages: SAID })).tokens > 10);
  assert.equal((await memory.fits({ text: "a" }, 10)).fits, true);
}

test("a second part of another build is refused", async () => {
  const memory = await Siltstone.create({ host: memoryHost(), config });
  const whole = readFileSync(file);
  const other = Buffer.from(whole);
  const name = /t[0-9a-f]{16}/.exec(whole.toString("latin1"));
  other[name.index + 1] ^= 1;
  writeFileSync(file, other);
  try {
    await assert.rejects(memory.maintain(), (error) => {
      assert.match(error.message, /another build/);
      return notLoaded(error);
    });
  } finally {
    writeFileSync(file, whole);
  }
});

test("turns need no second part; what does says that it is missing, and works once it is there", async () => {
  const memory = await Siltstone.create({ host: memoryHost(), config });
  const other = await Siltstone.create({ host: memoryHost(), config });
  renameSync(file, away);
  try {
    await turn(memory);
    await assert.rejects(Siltstone.preload(), notLoaded);
    await Promise.all([
      assert.rejects(memory.endSession(scope), notLoaded),
      assert.rejects(memory.maintain(), notLoaded),
      assert.rejects(memory.recall(scope, "Lisbon", { cold: true }), notLoaded),
      assert.rejects(memory.memories(scope).add({ content: "likes tea" }), notLoaded),
      assert.rejects(memory.outbox.list(), notLoaded),
      assert.rejects(other.forgetUser({ user: "ana" }), notLoaded),
    ]);
    // What is wrong with a request is told as ever.
    await assert.rejects(memory.append(scope, [{ role: "nobody" }]), { code: "invalid_input" });
    await turn(other);
  } finally {
    renameSync(away, file);
  }
  const [ended, again] = await Promise.all([memory.endSession(scope), other.endSession(scope)]);
  assert.equal(ended.stored.length, 2);
  assert.deepEqual(again.stored.length, 2);
  const { text } = await memory.recall({ user: "ana" }, "Where does Ana live?");
  assert.match(text, /Lisbon/);
});

test("where a service keeps the memories, a turn needs it as well", async () => {
  const folder = installPackage();
  const file = join(folder, "node_modules/siltstone/wasm/rest.wasm");
  const { Siltstone } = await importFrom(folder, "siltstone");
  const asked = [];
  const memory = await Siltstone.create({
    host: memoryHost(),
    providers: {
      mem0: async (request) => asked.push(request) && { status: 200, body: { results: [] } },
    },
    config: { ...config, agent: { longMemory: true, provider: "mem0", model: "m" } },
  });
  renameSync(file, away);
  await assert.rejects(memory.load({ scope, message: "Where do I live?" }), notLoaded);
  renameSync(away, file);
  const { report } = await memory.load({ scope, message: "Where do I live?" });
  assert.equal(report.recall.status, "ok");
  assert.equal(asked.length, 1);
});

test("slim loads it from where it was told, once", async () => {
  const slim = await importFrom(installPackage(), "siltstone/slim");
  const bytes = (name) => readFileSync(join(folder, `node_modules/siltstone/wasm/${name}.wasm`));
  await slim.init(bytes("core_bg"));
  const memory = await slim.Siltstone.create({
    host: memoryHost(),
    config,
  });
  await turn(memory);
  await assert.rejects(memory.endSession(scope), ({ code, message }) => {
    assert.equal(code, "not_initialized");
    assert.match(message, /siltstone\/rest\.wasm/);
    return true;
  });
  let asked = 0;
  const rest = () => {
    asked += 1;
    return asked === 1 ? new Uint8Array([1]) : bytes("rest");
  };
  await slim.init(bytes("core_bg"), { rest });
  assert.equal(asked, 0);
  await assert.rejects(memory.endSession(scope), notLoaded);
  const calls = [memory.endSession(scope), memory.maintain(), slim.Siltstone.preload()];
  const [{ stored }] = await Promise.all(calls);
  assert.equal(stored.length, 2);
  assert.equal(asked, 2);
});

test("what was recorded is the same again", async () => {
  const lines = [];
  const trace = record({ write: (line) => lines.push(line) });
  const memory = await Siltstone.create({
    host: memoryHost(),
    config,
    trace,
  });
  await turn(memory);
  await memory.endSession(scope);
  memory.close();
  await trace.flush();
  const { status } = await replay(lines.join(""), { Siltstone });
  assert.equal(status, "same");
});
