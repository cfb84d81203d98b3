// Maintenance by idle callbacks, in Chromium.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { AGED, FRESH } from "../package/shared/ageing.mjs";
import { installPackage, root } from "../package/support.mjs";
import { launch } from "./support.mjs";

const TYPES = {
  ".bin": "application/octet-stream",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};
const IMPORTS = {
  siltstone: "/siltstone/entries/browser.js",
  "siltstone/hosts/memory": "/siltstone/hosts/memory.js",
  "siltstone/maintain": "/siltstone/maintain/index.js",
};
const PAGE = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`;

let server;
let browser;

before(async () => {
  const installed = join(installPackage(), "node_modules");
  server = createServer(async ({ url }, response) => {
    if (url === "/") {
      response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
      return;
    }
    const folder = url.startsWith("/siltstone/") ? installed : join(root, "tests/package/shared");
    response.writeHead(200, { "content-type": TYPES[extname(url)] });
    response.end(await readFile(join(folder, url)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Ages memories in a page and has them looked after; gives what came of it. */
async function lookAfter(t, prepare) {
  const context = await browser.newContext();
  t.after(() => context.close());
  await context.addInitScript(prepare);
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  return page.evaluate(async (gone) => {
    const { Siltstone } = await import("siltstone");
    const { memoryHost } = await import("siltstone/hosts/memory");
    const { whenIdle } = await import("siltstone/maintain");
    const { age, figures } = await import("/ageing.mjs");
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const { memory, later } = await age(Siltstone, memoryHost());
    const before = await figures(memory);
    later();
    let slices = 0;
    const counted = {
      maintain: (options) => {
        slices += 1;
        return memory.maintain(options);
      },
    };
    const controller = new AbortController();
    whenIdle(counted, { intervalMs: 20, limit: 1, signal: controller.signal });
    const end = Date.now() + 20_000;
    while (slices < 5 || (await figures(memory)).gone < gone) {
      if (Date.now() > end) throw new Error(`still not after ${slices} slices`);
      await sleep(10);
    }
    const after = await figures(memory);
    controller.abort();
    await sleep(100);
    const atEnd = slices;
    await sleep(200);
    return { before, after, idleCalls: globalThis.idleCalls, ended: slices === atEnd };
  }, AGED.gone);
}

test("looks after what has aged when the page is idle, until its signal", async (t) => {
  const { idleCalls, ...result } = await lookAfter(t, () => {
    const native = globalThis.requestIdleCallback;
    globalThis.idleCalls = 0;
    globalThis.requestIdleCallback = (work, options) => {
      globalThis.idleCalls += 1;
      return native(work, options);
    };
  });
  assert.deepEqual(result, {
    before: FRESH,
    after: AGED,
    ended: true,
  });
  assert.ok(idleCalls >= 5, `${idleCalls}`);
});

test("does so by a timer where there are no idle callbacks", async (t) => {
  const { after, ended } = await lookAfter(t, () => {
    globalThis.requestIdleCallback = undefined;
  });
  assert.deepEqual({ after, ended }, { after: AGED, ended: true });
});
