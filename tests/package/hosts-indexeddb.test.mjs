// The host over IndexedDB, in Chromium: pages, workers, and several tabs at once.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch } from "../e2e/support.mjs";
import { STORE } from "./shared/conformance.mjs";
import { bundle, installPackage, root } from "./support.mjs";

const SHARED = JSON.stringify(join(root, "tests/package/shared/conformance.mjs"));
const COMMON = `
import { init, Siltstone } from "siltstone/slim";
import { indexedDbHost } from "siltstone/hosts/indexeddb";
import { checkHost } from "siltstone/testing";
import { conformance } from ${SHARED};

const run = async (name) => {
  await init("/core.wasm", { rest: "/rest.wasm" });
  return conformance(checkHost, () => indexedDbHost({ name }), Siltstone);
};
`;
const SCRIPTS = {
  "page.js": `${COMMON} Object.assign(globalThis, { run, indexedDbHost });`,
  "worker.js": `${COMMON} onmessage = async ({ data }) => postMessage(await run(data));`,
  "service-worker.js": `${COMMON}
    addEventListener("install", () => skipWaiting());
    addEventListener("activate", (event) => event.waitUntil(clients.claim()));
    addEventListener("message", (event) =>
      event.waitUntil(run(event.data).then((result) => event.ports[0].postMessage(result))));`,
};
const PAGE =
  '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>';

let server;
let origin;
let browser;

before(async () => {
  const folder = installPackage();
  const files = new Map([["/", [PAGE, "text/html"]]]);
  for (const [name, code] of Object.entries(SCRIPTS)) {
    const { outputFiles } = await bundle(folder, code, ["browser"]);
    files.set(`/${name}`, [
      outputFiles.find(({ path }) => path.endsWith(".js")).text,
      "text/javascript",
    ]);
  }
  for (const [name, file] of Object.entries({ core: "core_bg", rest: "rest" })) {
    const wasm = join(folder, `node_modules/siltstone/wasm/${file}.wasm`);
    files.set(`/${name}.wasm`, [await readFile(wasm), "application/wasm"]);
  }
  server = createServer(({ url }, response) => {
    const [body, type] = files.get(url);
    response.writeHead(200, { "content-type": type }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Tabs of one profile, each of them loaded. */
async function tabs(t, count) {
  const context = await browser.newContext();
  t.after(() => context.close());
  return Promise.all(
    Array.from({ length: count }, async () => {
      const page = await context.newPage();
      await page.goto(`${origin}/`);
      await page.waitForFunction(() => globalThis.run !== undefined);
      return page;
    }),
  );
}

/** What a page does with a host of its own that it keeps, and how it ended. */
function commit(page, batch) {
  return page.evaluate(async (given) => {
    globalThis.host ??= globalThis.indexedDbHost({ name: "shared" });
    try {
      return await globalThis.host.store.commit({ checks: [], puts: [], deletes: [], ...given });
    } catch ({ code, message, details }) {
      return { code, message, details };
    }
  }, batch);
}
function values(page, keys) {
  return page.evaluate(async (given) => {
    globalThis.host ??= globalThis.indexedDbHost({ name: "shared" });
    const found = await globalThis.host.store.get(given);
    return found.map((entry) => entry?.value ?? null);
  }, keys);
}
const put = (key, value) => ({ puts: [{ key, value }] });

test("it is a host in a page", async (t) => {
  const [page] = await tabs(t, 1);
  assert.deepEqual(await page.evaluate(() => globalThis.run("page")), STORE);
});

test("it is a host in a worker", async (t) => {
  const [page] = await tabs(t, 1);
  const result = await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const worker = new Worker("/worker.js", { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage("worker");
      }),
  );
  assert.deepEqual(result, STORE);
});

test("it is a host in a service worker", async (t) => {
  const [page] = await tabs(t, 1);
  const result = await page.evaluate(async () => {
    await navigator.serviceWorker.register("/service-worker.js", { type: "module" });
    const { active } = await navigator.serviceWorker.ready;
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve) => {
      port1.onmessage = ({ data }) => resolve(data);
      active.postMessage("service worker", [port2]);
    });
  });
  assert.deepEqual(result, STORE);
});

test("tabs that write at once lose nothing", async (t) => {
  const pages = await tabs(t, 3);
  const counted = await Promise.all(
    pages.map((page) =>
      page.evaluate(async () => {
        const { store } = globalThis.indexedDbHost({ name: "shared" });
        const increment = async () => {
          const [entry] = await store.get(["sum"]);
          const checks = [{ key: "sum", version: entry?.version ?? null }];
          const puts = [{ key: "sum", value: String(Number(entry?.value ?? 0) + 1) }];
          return store.commit({ checks, puts, deletes: [] });
        };
        let done = 0;
        let lost = 0;
        while (done < 60) {
          const won = await increment();
          done += won ? 1 : 0;
          lost += won ? 0 : 1;
        }
        return { done, lost };
      }),
    ),
  );
  assert.deepEqual(
    counted.map(({ done }) => done),
    [60, 60, 60],
  );
  assert.ok(
    counted.some(({ lost }) => lost > 0),
    "the tabs did not write at once",
  );
  assert.deepEqual(await values(pages[0], ["sum"]), ["180"]);
});

test("a newer version in another tab goes ahead, and the older tab is told what to do", async (t) => {
  const [older, newer] = await tabs(t, 2);
  assert.equal(await commit(older, put("a", "1")), true);
  const version = await newer.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open("shared", 9);
        request.onblocked = () => reject(new Error("the older tab keeps its connection"));
        request.onsuccess = () => resolve(request.result.version);
      }),
  );
  assert.equal(version, 9);
  const { code, message, details } = await commit(older, put("a", "2"));
  assert.equal(code, "store_failed");
  assert.deepEqual(details, { reason: "newer_schema" });
  assert.match(message, /newer version of siltstone.*Load this page again/);
});

test("a tab that keeps an older version open is named as what is in the way, until it is closed", async (t) => {
  const [older, newer] = await tabs(t, 2);
  await older.evaluate(
    () =>
      new Promise((resolve) => {
        const request = indexedDB.open("shared", 1);
        request.onupgradeneeded = () =>
          request.result.createObjectStore("entries", { keyPath: "key" });
        request.onsuccess = () => resolve();
      }),
  );
  // As the next version of the package would.
  await newer.evaluate(() => {
    const open = indexedDB.open.bind(indexedDB);
    indexedDB.open = (name, version) => open(name, version + 1);
  });
  const { code, message, details } = await commit(newer, put("a", "1"));
  assert.equal(code, "store_failed");
  assert.deepEqual(details, { reason: "blocked" });
  assert.match(message, /another tab keeps an older version.*close it/);
  await older.close();
  assert.equal(await commit(newer, put("a", "1")), true);
});

test("a connection that the browser closes is opened again", async (t) => {
  const [page] = await tabs(t, 1);
  assert.equal(await commit(page, put("a", "1")), true);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "indexeddb" });
  assert.equal(await commit(page, put("b", "2")), true);
  assert.deepEqual(await values(page, ["a", "b"]), [null, "2"]);
});

test("a quota that is used up is told as such, and nothing of the commit is written", async (t) => {
  const [page] = await tabs(t, 1);
  const devtools = await page.context().newCDPSession(page);
  // Before the first use: Chromium keeps the room that is left in mind for a while.
  await devtools.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1_000_000 });
  assert.equal(await commit(page, put("a", "1")), true);
  const result = await page.evaluate(async () => {
    const puts = [
      { key: "a", value: "2" },
      { key: "long", value: "x".repeat(30_000_000) },
    ];
    return globalThis.host.store
      .commit({ checks: [], puts, deletes: [] })
      .catch(({ code, message, details }) => ({ code, message, details }));
  });
  assert.equal(result.code, "store_failed");
  assert.deepEqual(result.details, { reason: "quota" });
  assert.match(result.message, /no more room.*navigator\.storage\.persist/);
  assert.deepEqual(await values(page, ["a", "long"]), ["1", null]);
  assert.equal(await commit(page, put("a", "3")), true);
  assert.deepEqual(await values(page, ["a"]), ["3"]);
});
