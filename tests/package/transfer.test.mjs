// A person's data through the packed package: taken out, brought in elsewhere, and removed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { importFrom, installPackage, root } from "./support.mjs";

const ana = { user: "ana" };
const monday = { user: "ana", session: "monday" };

let Siltstone;
let memoryHost;

before(async () => {
  const folder = installPackage();
  ({ Siltstone } = await importFrom(folder, "siltstone"));
  ({ memoryHost } = await importFrom(folder, "siltstone/hosts/memory"));
});

const create = (options = {}) => Siltstone.create({ host: memoryHost(), ...options });

async function textOf(lines) {
  let text = "";
  for await (const line of lines) text += line;
  return text;
}

/** A user with more than fits one page of an export. */
async function filled() {
  const memory = await create();
  for (let part = 0; part < 3; part += 1) {
    const messages = Array.from({ length: 150 }, (_, at) => ({
      id: `m${part * 150 + at}`,
      role: at % 2 === 0 ? "user" : "assistant",
      content: `line ${part * 150 + at}`,
    }));
    await memory.append(monday, messages);
  }
  await memory.memories(ana).add({ content: "Lives in Hangzhou" });
  return memory;
}

/** A text in pieces that end anywhere. */
async function* pieces(text, length) {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

describe("export and import", () => {
  test("a whole user moves to another store, page by page and piece by piece", async () => {
    const text = await textOf((await filled()).export(ana));
    assert.equal(text.trim().split("\n").length, 1 + 450 + 1 + 1);
    const elsewhere = await create();
    const report = await elsewhere.import(ana, pieces(text, 777));
    assert.deepEqual(report, {
      imported: { memory: 1, message: 450, session: 1 },
      skipped: { siltstone: 1 },
    });
    const { messages } = await elsewhere.messages(monday, { limit: 1000 });
    assert.deepEqual(
      messages.map(({ content }) => content),
      Array.from({ length: 450 }, (_, at) => `line ${at}`),
    );
    const [hit] = (await elsewhere.recall(ana, "Where does the user live?")).hits;
    assert.equal(hit.memory.content, "Lives in Hangzhou");
    const again = await elsewhere.import(ana, text);
    assert.deepEqual(again.imported, {});
    assert.equal(again.skipped.message, 450);
  });

  test("what follows an import is numbered on", async () => {
    const elsewhere = await create();
    await elsewhere.import(ana, (await filled()).export(ana));
    await elsewhere.append(monday, [{ id: "new", role: "user", content: "one more" }]);
    const { messages } = await elsewhere.messages(monday, { limit: 2 });
    assert.deepEqual(
      messages.map(({ content }) => content),
      ["line 449", "one more"],
    );
  });

  test("an error names the line in the whole list; what came before it stays, and doing it again completes", async () => {
    const lines = (await textOf((await filled()).export(ana))).trim().split("\n");
    const broken = lines.toSpliced(300, 1, '{"kind":"message","session":"monday","number":-1}');
    const elsewhere = await create();
    await assert.rejects(elsewhere.import(ana, broken.join("\n")), {
      code: "invalid_input",
      path: /^lines\[300\]/,
    });
    await assert.rejects(elsewhere.import(ana, lines.toSpliced(9, 1, "{nonsense").join("\n")), {
      code: "invalid_input",
      path: "lines[9]",
    });
    await elsewhere.import(ana, lines.join("\n"));
    const { messages } = await elsewhere.messages(monday, { limit: 1000 });
    assert.equal(messages.length, 450);
  });

  test("what is no text, or a line without an end, is refused", async () => {
    const memory = await create();
    await assert.rejects(memory.import(ana, [{ kind: "memory" }]), { code: "invalid_input" });
    await assert.rejects(memory.import(ana, "x".repeat(4_000_001)), { code: "too_large" });
    assert.deepEqual(await memory.import(ana, ""), { imported: {}, skipped: {} });
  });

  test("a list of version 1 stays readable", async () => {
    const text = readFileSync(join(root, "tests/data/export-v1.ndjson"), "utf8");
    const memory = await create({ config: { agent: { longMemory: true, model: "any" } } });
    const report = await memory.import(ana, text);
    assert.deepEqual(report.imported, {
      forgotten: 1,
      mark: 1,
      memory: 4,
      message: 2,
      question: 1,
      session: 1,
      summary: 1,
      vector: 1,
    });
    const turn = await memory.load({ scope: monday, message: "Where do I live?" });
    assert.match(turn.messages[0].content, /Hangzhou/);
    const { questions } = await memory.memories(ana).questions();
    assert.equal(questions.length, 1);
    assert.equal((await memory.summary(monday)).text, "Ana told where she lives.");
    assert.equal((await memory.endSession(monday)).status, "nothing_new");
  });
});
