// Counting without a promise: the entry that only counts, in every runtime that is no browser, and the
// counter of an instance, which have to agree with `countTokens`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { PROCESSES, runIn, startDeployed } from "./runtimes.mjs";
import { bundle, importFrom, installPackage, request, startWorker } from "./support.mjs";

const folder = installPackage();
const TEXTS = [
  "",
  "hi there",
  "Grüße! The year is 2026, <|endoftext|> and 你好世界 👋🏽",
  'camelCaseXML  \n\n  { "key": [1.5e-10, null] }',
  "\u0000\ufeff\u3000ﷺ𝔘𐍈",
  "a".repeat(5_000),
  "文字".repeat(2_000),
];
const COUNTS = `
  import { tokenCounter } from "siltstone/tokens";
  import cl100k from "siltstone/vocab/cl100k_base";
  import o200k from "siltstone/vocab/o200k_base";
  const counted = async () => {
    const counters = await Promise.all([o200k, cl100k, "estimate", o200k].map(tokenCounter));
    const texts = ${JSON.stringify(TEXTS)};
    return counters.map((counter) => {
      const counts = texts.map((text) => counter.count(text));
      const batch = counter.countBatch(texts);
      if (!(batch instanceof Uint32Array) || batch.join() !== counts.join()) {
        throw new Error(\`a batch has \${batch}, each by itself \${counts}\`);
      }
      return counts;
    });
  };
`;

/** What `countTokens` says. */
async function expected() {
  const { Siltstone } = await importFrom(folder, "siltstone");
  const { memoryHost } = await importFrom(folder, "siltstone/hosts/memory");
  const vocabulary = join(folder, "node_modules/siltstone/vocab/cl100k_base.node.js");
  const { default: cl100k } = await import(pathToFileURL(vocabulary));
  const counts = async (encoding) => {
    const config = { tokens: { encoding } };
    const memory = await Siltstone.create({ host: memoryHost(), vocabularies: [cl100k], config });
    const counter = await memory.counter();
    const waited = [];
    for (const text of TEXTS) waited.push((await memory.countTokens({ text })).tokens);
    assert.deepEqual(
      TEXTS.map((text) => counter.count(text)),
      waited,
      `the counter of an instance: ${encoding}`,
    );
    assert.deepEqual([...counter.countBatch(TEXTS)], waited);
    return waited;
  };
  const o200k = await counts("o200k_base");
  return [o200k, await counts("cl100k_base"), await counts("estimate"), o200k];
}

const right = await expected();

for (const [name, runtime] of Object.entries(PROCESSES)) {
  test(`in ${name}`, async () => {
    const printed = await runIn(runtime, `${COUNTS} console.log(JSON.stringify(await counted()));`);
    assert.deepEqual(JSON.parse(printed), right);
  });
}

const WORKER = `${COUNTS} export default { fetch: async () => Response.json(await counted()) };`;
for (const [name, start] of Object.entries({
  workerd: () => startWorker(folder, WORKER),
  "workerd, as wrangler bundles it": () => startDeployed(installPackage(), WORKER),
})) {
  test(`in ${name}`, async () => {
    const worker = await start();
    try {
      assert.deepEqual(await (await request(worker.url)).json(), right);
    } finally {
      await worker.dispose();
    }
  });
}

test("a bundle has the module that counts and the vocabulary that it names, and no core", async () => {
  const code = `
    export { tokenCounter } from "siltstone/tokens";
    export { default } from "siltstone/vocab/cl100k_base";
  `;
  const { outputFiles } = await bundle(folder, code, ["workerd", "worker"]);
  const assets = outputFiles.map(({ path }) => path).filter((path) => extname(path) !== ".js");
  assert.deepEqual(assets.map((path) => path.replace(`${folder}/`, "")).sort(), [
    "cl100k_base.bin",
    "tokens_bg.wasm",
  ]);
});

test("what is wrong is told, and the next call counts", () => {
  const code = `
    import { readFileSync } from "node:fs";
    import { tokenCounter, SiltstoneError } from "siltstone/tokens";
    import { SiltstoneError as OfCore } from "siltstone";
    const told = ({ code, path, details }) => [code, path ?? details?.reason ?? null];
    const tried = async (work) => { try { return await work(); } catch (error) { return told(error); } };
    const good = readFileSync(new URL(import.meta.resolve("siltstone/vocab/o200k_base.bin")));
    const damaged = Uint8Array.from(good);
    damaged[100_000] ^= 1;
    let loads = 0;
    const from = (file, encoding = "o200k_base") => ({ encoding, load: () => { loads += 1; return file; } });
    const results = [
      await tried(() => tokenCounter(from(damaged))),
      await tried(() => tokenCounter(from(new Uint8Array(0)))),
      await tried(() => tokenCounter(from("text"))),
      await tried(() => tokenCounter({ encoding: "o200k_base", load: () => Promise.reject(new Error("offline")) })),
      await tried(() => tokenCounter(from(good, "p50k_base"))),
      await tried(() => tokenCounter(undefined)),
    ];
    loads = 0;
    const [counter] = await Promise.all([tokenCounter(from(good)), tokenCounter(from(good))]);
    for (const text of ["\\ud800", 5, undefined]) results.push(await tried(() => counter.count(text)));
    for (const budget of [-1, 1.5, "2"]) results.push(await tried(() => counter.fits("a b", budget)));
    results.push(counter.fits("hello world", 2), counter.fits("hello world", 1), counter.fits("", 0));
    const estimate = await tokenCounter("estimate");
    results.push(estimate.fits("hi there", 3), estimate.fits("hi there", 2));
    console.log(JSON.stringify({ results, loads, same: SiltstoneError === OfCore }));
  `;
  const file = join(folder, "wrong.mjs");
  writeFileSync(file, code);
  const printed = execFileSync(process.execPath, [file], { encoding: "utf8", cwd: folder });
  const { results, loads, same } = JSON.parse(printed);
  assert.deepEqual(results, [
    ["vocabulary_failed", "damaged"],
    ["vocabulary_failed", "foreign"],
    ["vocabulary_failed", "foreign"],
    ["vocabulary_failed", "load"],
    ["unknown_encoding", null],
    ["invalid_input", "vocabulary"],
    ...Array(3).fill(["invalid_input", "text"]),
    ...Array(3).fill(["invalid_input", "budget"]),
    { fits: true, tokens: 2 },
    { fits: false },
    { fits: true, tokens: 0 },
    { fits: true, tokens: 3 },
    { fits: false },
  ]);
  assert.equal(loads, 1);
  assert.ok(same);
});

test("a batch has the counts of each text, however many and long they are", async () => {
  const { tokenCounter } = await importFrom(folder, "siltstone/tokens");
  const vocabulary = join(folder, "node_modules/siltstone/vocab/o200k_base.node.js");
  const { default: o200k } = await import(pathToFileURL(vocabulary));
  const counter = await tokenCounter(o200k);
  const words = Array.from({ length: 20_000 }, (_, at) => `Number ${at} is ${at * 7_919}.`);
  const mixed = words.map((word, at) =>
    at % 3 === 0 ? `${word} 你好 é 👋🏽${"\0".repeat(at % 4)}` : word,
  );
  const long = [
    "x ".repeat(40_000),
    "",
    "é".repeat(65_536),
    "a".repeat(65_536),
    "😀".repeat(32_768),
  ];
  const lists = [
    [],
    [""],
    ["", "", "one", ""],
    words,
    mixed,
    [...long, ...mixed.slice(0, 10), ...long, "end"],
    Array(9_000).fill("a"),
    ["é", "a", "👋", "", "\u0000", "b"],
  ];
  for (const list of lists) {
    const batch = counter.countBatch(list);
    assert.ok(batch instanceof Uint32Array);
    assert.deepEqual(
      [...batch],
      list.map((text) => counter.count(text)),
    );
  }
  for (const [list, path] of [
    ["one", "texts"],
    [undefined, "texts"],
    [["one", 2], "texts[1]"],
    [Array(2), "texts[0]"],
    [["one", "\ud83d"], "texts[1]"],
    // The halves of one character, in two texts.
    [["one\ud83d", "\udc4b two"], "texts[0]"],
    [[...words, "\udc4b"], "texts[20000]"],
    [["a".repeat(70_000), `\ud83d${"a".repeat(70_000)}`], "texts[1]"],
  ]) {
    assert.throws(() => counter.countBatch(list), { code: "invalid_input", path });
  }
  const estimate = await tokenCounter("estimate");
  assert.throws(() => estimate.countBatch(["one", "\ud83d"]), {
    code: "invalid_input",
    path: "texts[1]",
  });
  assert.equal(counter.countBatch(["hello world"])[0], 2);
});

test("the counter of an instance counts as its configuration says, until it is closed", async () => {
  const { Siltstone } = await importFrom(folder, "siltstone");
  const { memoryHost } = await importFrom(folder, "siltstone/hosts/memory");
  const memory = await Siltstone.create({
    host: memoryHost(),
    counter: (text) => text.split(" ").length,
  });
  const counter = await memory.counter();
  assert.equal(counter.count("one two three"), 3);
  assert.deepEqual(counter.fits("one two three", 2), { fits: false });
  assert.throws(() => counter.count("\ud800"), { code: "invalid_input", path: "text" });
  assert.deepEqual([...counter.countBatch(["one", "one two"])], [1, 2]);
  memory.close();
  assert.throws(() => counter.countBatch(["one"]), { code: "closed" });
  assert.throws(() => counter.count("one"), { code: "closed" });
  await assert.rejects(memory.counter(), { code: "closed" });
});
