// Vocabularies: what each entry brings, when it is loaded, and what is said of one that is wrong.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { test } from "node:test";
import { bundle, installPackage, request, startWorker } from "./support.mjs";

const folder = installPackage();
const TEXT = "Grüße! The year is 2026, <|endoftext|> and 你好世界 👋🏽";

/** What code prints as JSON in a process of its own, where nothing is loaded yet. */
function run(code) {
  const file = join(folder, "vocabulary.mjs");
  writeFileSync(file, `${SETUP}\n${code}`);
  return JSON.parse(execFileSync(process.execPath, [file], { encoding: "utf8", cwd: folder }));
}

const SETUP = `
  import { readFileSync } from "node:fs";
  import { memoryHost } from "siltstone/hosts/memory";
  const host = memoryHost();
  const text = ${JSON.stringify(TEXT)};
  const bytes = (name) => readFileSync(new URL(import.meta.resolve("siltstone/vocab/" + name + ".bin")));
  const fault = ({ name, code, path, message, details }) => ({ name, code, path, message, details });
  const tokens = (encoding) => ({ tokens: { encoding } });
`;
const SLIM = `
  import { init, Siltstone } from "siltstone/slim";
  await init(readFileSync(new URL(import.meta.resolve("siltstone/core.wasm"))));
`;

test("the main entry counts exactly with nothing more to do, and stops at a budget", () => {
  const found = run(`
    import { Siltstone } from "siltstone";
    const memory = await Siltstone.create({ host });
    console.log(JSON.stringify([
      await memory.countTokens({ text }),
      await memory.fits(text, 28),
      await memory.fits(text, 5),
      await memory.fits({ messages: [{ role: "user", content: "hello" }] }, 5),
      await memory.fits({ messages: [{ role: "user", content: "hello" }] }, 4),
      await memory.fits("a", -1).catch(fault),
      await memory.countTokens({ text: "\\ud800" }).catch(fault),
    ]));
  `);
  const { tokens } = found[0];
  assert.ok(tokens > 5 && tokens <= 28);
  assert.deepEqual(found.slice(1, 5), [
    { fits: true, tokens },
    { fits: false },
    { fits: true, tokens: 5 },
    { fits: false },
  ]);
  assert.deepEqual(
    found.slice(5).map(({ code, path }) => [code, path]),
    [
      ["invalid_input", "budget"],
      ["invalid_input", "text"],
    ],
  );
});

test("another encoding says what to import, and works with it", () => {
  const [wrong, tokens, fits] = run(`
    import { Siltstone } from "siltstone";
    import cl100k from "siltstone/vocab/cl100k_base";
    const config = tokens("cl100k_base");
    const wrong = await Siltstone.create({ host, config }).catch(fault);
    const memory = await Siltstone.create({ host, config, vocabularies: [cl100k] });
    const counted = await memory.countTokens({ text: "你好世界" });
    console.log(JSON.stringify([wrong, counted.tokens, await memory.fits("你好世界", 4)]));
  `);
  assert.equal(wrong.name, "SiltstoneError");
  assert.equal(wrong.code, "vocabulary_missing");
  assert.equal(wrong.path, "config.tokens.encoding");
  assert.match(wrong.message, /siltstone\/vocab\/cl100k_base/);
  assert.equal(tokens, 5);
  assert.deepEqual(fits, { fits: false });
});

test("slim has none: a named encoding is refused, the estimate works", () => {
  const [wrong, estimate] = run(`${SLIM}
    const wrong = await Siltstone.create({ host }).catch(fault);
    const memory = await Siltstone.create({ host, config: tokens("estimate") });
    console.log(JSON.stringify([wrong, await memory.countTokens({ text: "hi there" })]));
  `);
  assert.equal(wrong.code, "vocabulary_missing");
  assert.deepEqual(estimate, { tokens: 3 });
});

test("one is loaded at the first count, once for all instances, and again after a failure", () => {
  const [atCreation, failed, counts, loads] = run(`${SLIM}
    let loads = 0;
    const o200k = {
      encoding: "o200k_base",
      load: async () => {
        loads += 1;
        if (loads === 1) throw new Error("offline");
        return bytes("o200k_base");
      },
    };
    const options = { host, vocabularies: [o200k] };
    const [one, two] = [await Siltstone.create(options), await Siltstone.create(options)];
    await one.append({ user: "u", session: "s" }, [{ role: "user", content: "Hi" }]);
    const atCreation = loads;
    const failed = await one.countTokens({ text }).catch(fault);
    const scope = { user: "u", session: "s" };
    const counts = await Promise.all([
      one.countTokens({ text }),
      two.load({ scope, message: "Hi" }).then(({ report }) => typeof report),
      two.countTokens({ messages: [{ role: "user", content: text }] }),
    ]);
    await two.countTokens({ text });
    console.log(JSON.stringify([atCreation, failed, counts, loads]));
  `);
  assert.equal(atCreation, 0);
  assert.equal(failed.code, "vocabulary_failed");
  assert.equal(failed.details.reason, "load");
  assert.match(failed.message, /offline/);
  assert.equal(counts[2].tokens, counts[0].tokens + 4);
  assert.equal(loads, 2);
});

test("a damaged, foreign or mistaken file is told apart", () => {
  const reasons = run(`${SLIM}
    const good = bytes("o200k_base");
    const changed = (at) => { const copy = Uint8Array.from(good); copy[at] ^= 1; return copy; };
    const files = [
      changed(100_000), changed(good.length - 1), changed(40), changed(14), good.subarray(0, 1_000), good.subarray(0, 20),
      bytes("cl100k_base"), new Uint8Array(0), new TextEncoder().encode("<!doctype html>"), changed(8), "text",
    ];
    const reasons = [];
    for (const file of files) {
      const vocabularies = [{ encoding: "o200k_base", load: () => file }];
      const memory = await Siltstone.create({ host, vocabularies });
      const { code, details } = await memory.countTokens({ text }).catch(fault);
      reasons.push(code + " " + details.reason);
    }
    const memory = await Siltstone.create({ host, vocabularies: [{ encoding: "o200k_base", load: () => good }] });
    reasons.push(String((await memory.countTokens({ text: "hello world" })).tokens));
    console.log(JSON.stringify(reasons));
  `);
  const all = (reason, count) => Array(count).fill(`vocabulary_failed ${reason}`);
  assert.deepEqual(reasons, [
    ...all("damaged", 6),
    ...all("foreign", 3),
    ...all("version", 1),
    ...all("foreign", 1),
    "2",
  ]);
});

test("a Worker carries what it imports: o200k by default, both when asked, none with slim", async () => {
  const carried = async (code) => {
    const { outputFiles } = await bundle(folder, code, ["workerd", "worker"]);
    return outputFiles.map(({ path }) => path).filter((path) => extname(path) === ".bin").length;
  };
  assert.equal(await carried(`export * from "siltstone";`), 1);
  const both = `export * from "siltstone"; export { default } from "siltstone/vocab/cl100k_base";`;
  assert.equal(await carried(both), 2);
  assert.equal(await carried(`export * from "siltstone/slim";`), 0);
});

test("workerd counts with its data module", async () => {
  const worker = await startWorker(
    folder,
    `
    import { Siltstone } from "siltstone";
    import cl100k from "siltstone/vocab/cl100k_base";
    import { memoryHost } from "siltstone/hosts/memory";
    const create = (encoding) => Siltstone.create({
      host: memoryHost(),
      vocabularies: [cl100k],
      config: { tokens: { encoding } },
    });
    export default {
      async fetch() {
        const memories = await Promise.all([create("o200k_base"), create("cl100k_base")]);
        const counts = memories.map((memory) => memory.countTokens({ text: "你好世界" }));
        return Response.json((await Promise.all(counts)).map(({ tokens }) => tokens));
      },
    };
    `,
  );
  try {
    assert.deepEqual(await (await request(worker.url)).json(), [2, 5]);
  } finally {
    await worker.dispose();
  }
});
