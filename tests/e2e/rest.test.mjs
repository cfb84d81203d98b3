// The second part of the module in Chromium: a page that talks does not ask for it.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { installPackage } from "../package/support.mjs";
import { launch, serve } from "./support.mjs";

const AT = "/node_modules/siltstone";
const IMPORTS = {
  siltstone: `${AT}/entries/browser.js`,
  "siltstone/hosts/memory": `${AT}/hosts/memory.js`,
};
const PAGE = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`;
const POLICY = "default-src 'self' data:; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'";

let server;
let browser;

before(async () => {
  const folder = installPackage();
  writeFileSync(join(folder, "index.html"), PAGE);
  [server, browser] = await Promise.all([serve(folder, POLICY), launch()]);
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** A page that has talked, and how often it asked for each part by then and later. */
async function talked(t) {
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  const asked = { "core_bg.wasm": 0, "rest.wasm": 0 };
  page.on("request", (request) => {
    const name = request.url().split("/").at(-1);
    if (name in asked) asked[name] += 1;
  });
  await page.goto(server.url);
  await page.evaluate(async () => {
    const { Siltstone } = await import("siltstone");
    const { memoryHost } = await import("siltstone/hosts/memory");
    const config = { tokens: { encoding: "estimate" }, agent: { longMemory: true, model: "m" } };
    const memory = await Siltstone.create({ host: memoryHost(), config });
    const scope = { user: "ana", session: "s" };
    await memory.append(scope, [{ role: "user", content: "I live in Lisbon." }]);
    await memory.load({ scope, message: "Where do I live?" });
    await memory.recall(scope, "Where does Ana live?");
    await memory.memories(scope).list();
    await memory.messages(scope);
    Object.assign(globalThis, { Siltstone, memory, scope });
  });
  return { page, asked };
}

test("it is asked for when a session ends, once", async (t) => {
  const { page, asked } = await talked(t);
  assert.deepEqual(asked, { "core_bg.wasm": 1, "rest.wasm": 0 });
  const stored = await page.evaluate(async () => {
    const { memory, scope } = globalThis;
    const [{ stored }] = await Promise.all([memory.endSession(scope), memory.maintain()]);
    return stored.length;
  });
  assert.equal(stored, 1);
  assert.deepEqual(asked, { "core_bg.wasm": 1, "rest.wasm": 1 });
});

test("a page may ask for it before", async (t) => {
  const { page, asked } = await talked(t);
  await page.evaluate(() => globalThis.Siltstone.preload());
  assert.deepEqual(asked, { "core_bg.wasm": 1, "rest.wasm": 1 });
  await page.evaluate(() => globalThis.memory.endSession(globalThis.scope));
  assert.deepEqual(asked, { "core_bg.wasm": 1, "rest.wasm": 1 });
});

test("where it is not there, the error says so, and the next call asks again", async (t) => {
  const { page, asked } = await talked(t);
  await page.route("**/rest.wasm", (route) => route.fulfill({ status: 503 }));
  const end = () =>
    page.evaluate(() =>
      globalThis.memory.endSession(globalThis.scope).then(
        ({ status }) => status,
        ({ name, code, message }) => `${name} ${code}: ${message}`,
      ),
    );
  assert.match(await end(), /^SiltstoneError not_initialized: .* 503 /);
  await page.unroute("**/rest.wasm");
  assert.equal(await end(), "done");
  assert.equal(asked["rest.wasm"], 2);
});
