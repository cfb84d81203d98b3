// Recordings of sessions in a page: what Node recorded is the same there, and the other way round.

import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "vite";
import { recorded } from "../package/shared/trace.mjs";
import { importFrom, installPackage, root } from "../package/support.mjs";
import { launch, serve } from "./support.mjs";

const FILES = {
  "index.html": `<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>`,
  "page.js": `
    import { Siltstone } from "siltstone";
    import { memoryHost } from "siltstone/hosts/memory";
    import { record, replay } from "siltstone/trace";
    import { recorded } from "./trace.mjs";
    globalThis.results = {
      replayed: fetch("/trace.jsonl").then(async (response) =>
        replay(await response.text(), { Siltstone }),
      ),
      recorded: recorded(Siltstone, memoryHost, record).then(({ lines }) => lines),
    };
  `,
};

let node;
let browser;
let server;

before(async () => {
  const folder = installPackage();
  const { Siltstone } = await importFrom(folder, "siltstone");
  const { memoryHost } = await importFrom(folder, "siltstone/hosts/memory");
  const { record, replay } = await importFrom(folder, "siltstone/trace");
  const { lines } = await recorded(Siltstone, memoryHost, record);
  node = { lines, replay: (trace) => replay(trace, { Siltstone }) };
  mkdirSync(join(folder, "public"));
  writeFileSync(join(folder, "public/trace.jsonl"), lines.join(""));
  copyFileSync(join(root, "tests/package/shared/trace.mjs"), join(folder, "trace.mjs"));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  await build({ root: folder, configFile: false, logLevel: "warn" });
  server = await serve(
    join(folder, "dist"),
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
  );
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

test("they are the same in Chromium and in Node", async () => {
  const page = await browser.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => "results" in globalThis);
  const result = (name) => page.evaluate((name) => globalThis.results[name], name);
  const here = await node.replay(node.lines);
  assert.equal(here.status, "same");
  assert.deepEqual(await result("replayed"), here);
  const lines = await result("recorded");
  const { difference, isComplete } = await node.replay(lines);
  assert.equal(difference, undefined);
  assert.equal(isComplete, true);
});
