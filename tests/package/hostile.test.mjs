// Hostile input, hosts and sizes through the packed package.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { runHostile } from "./shared/hostile.mjs";
import { importFrom, installPackage, request, startWorker } from "./support.mjs";

const TABLES = JSON.stringify(fileURLToPath(new URL("shared/hostile.mjs", import.meta.url)));

let folder;
let parts;

before(async () => {
  folder = installPackage();
  const { Siltstone, SiltstoneError } = await importFrom(folder, "siltstone");
  const { memoryHost } = await importFrom(folder, "siltstone/hosts/memory");
  parts = { Siltstone, SiltstoneError, memoryHost };
});

test("in Node.js", async () => {
  const uncaught = [];
  const note = (error) => uncaught.push(String(error?.stack ?? error));
  process.on("unhandledRejection", note);
  process.on("uncaughtException", note);
  const { cases, faults } = await runHostile({ ...parts, every: 3 });
  // Rejections that nobody handled are told once all that was ready has run.
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off("unhandledRejection", note);
  process.off("uncaughtException", note);
  assert.deepEqual(faults, []);
  assert.deepEqual(uncaught, []);
  assert.ok(cases > 4_000, `only ${cases} cases were run`);
});

test("in workerd", async () => {
  const worker = await startWorker(
    folder,
    `import { Siltstone, SiltstoneError } from "siltstone";
    import { memoryHost } from "siltstone/hosts/memory";
    import { runHostile } from ${TABLES};
    export default {
      async fetch() {
        return Response.json(await runHostile({ Siltstone, SiltstoneError, memoryHost, every: 10 }));
      },
    };`,
  );
  try {
    const { cases, faults } = await (await request(worker.url)).json();
    assert.deepEqual(faults, []);
    assert.ok(cases > 3_000, `only ${cases} cases were run`);
  } finally {
    await worker.dispose();
  }
});

test("a user with 100,000 memories is answered", async (t) => {
  const host = parts.memoryHost();
  const memory = await parts.Siltstone.create({
    host,
    config: { tokens: { encoding: "estimate" }, agent: { longMemory: true, model: "m" } },
  });
  const ana = { user: "ana" };
  const session = { ...ana, session: "s" };
  const { memory: one } = await memory.memories(ana).add({ content: "Ana likes tea" });
  const all = await host.store.range({ start: "", end: "~", limit: 100, reverse: false });
  const { key } = all.find((entry) => entry.key.endsWith(one.id));
  const puts = Array.from({ length: 100_000 }, (_, n) => {
    const id = `00000000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
    const content = `Ana noted number ${n} near ${["tea", "bees", "rain"][n % 3]}`;
    return {
      key: key.replace(one.id, id),
      value: JSON.stringify({ v: 1, d: { ...one, id, content } }),
    };
  });
  await host.store.commit({ checks: [], puts, deletes: [] });
  const timed = async (name, work) => {
    const start = performance.now();
    const answer = await work();
    const { external } = process.memoryUsage();
    const ms = Math.round(performance.now() - start);
    t.diagnostic(`${name}: ${ms} ms, ${Math.round(external / 1e6)} MB outside the heap`);
    assert.ok(external < 1e9, `${name} left ${external} bytes`);
    return answer;
  };

  const { hits } = await timed("recall", () => memory.recall(ana, "Which number was 4242?"));
  assert.equal(hits[0].memory.content, "Ana noted number 4242 near tea");
  await timed("recall again", () => memory.recall(ana, "rain"));
  const page = await timed("list", () => memory.memories(ana).list());
  assert.equal(page.total, 100_001);
  await timed("add", () => memory.memories(ana).add({ content: "Ana moved to Lyon" }));
  await memory.append(session, [
    { role: "user", content: "I'm allergic to nuts." },
    { role: "assistant", content: "Noted." },
  ]);
  const report = await timed("endSession", () => memory.endSession(session));
  assert.equal(report.stored.length, 1);
  const turn = await timed("load", () => memory.load({ scope: session, message: "Nuts?" }));
  assert.match(turn.messages[0].content, /allergic to nuts/);
  const maintained = await timed("maintain", () => memory.maintain());
  assert.equal(maintained.failed, 0);
  memory.close();
});

test("what is too large is named, and at once", async () => {
  const memory = await parts.Siltstone.create({ host: parts.memoryHost() });
  const scope = { user: "ana", session: "s" };
  const said = (content) => ({ role: "user", content });
  for (const [path, work] of [
    ["messages[0]", () => memory.append(scope, [said("x".repeat(10_000_000))])],
    ["messages", () => memory.append(scope, new Array(1_000_000).fill(said("x")))],
    ["messages", () => memory.append(scope, new Array(2_000).fill(said("x")))],
    ["query", () => memory.recall(scope, "x".repeat(10_000_000))],
    ["memory.content", () => memory.memories(scope).add({ content: "x".repeat(10_000) })],
    ["message.content", () => memory.load({ scope, message: said("x".repeat(20_000_000)) })],
  ]) {
    await assert.rejects(work, (error) => {
      assert.ok(error instanceof parts.SiltstoneError, error);
      assert.deepEqual([error.code, error.path], ["too_large", path]);
      return true;
    });
    await memory.append(scope, [said("I live in Oslo.")]);
  }
  const { messages } = await memory.messages(scope);
  assert.equal(messages.length, 6);
  memory.close();
});
