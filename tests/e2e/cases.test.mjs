// The behaviour cases in browsers, in a page and in a web worker of it: the same bytes as natively.
// The page is one of Vite's, as it develops and as it deploys it; the deployed one is served with a
// strict content security policy.

import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import puppeteer from "puppeteer-core";
import { build, createServer } from "vite";
import { caseFiles } from "../package/runtimes.mjs";
import { installPackage, root } from "../package/support.mjs";
import { launch, serve } from "./support.mjs";

const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
const FILES = {
  "index.html": `<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>`,
  // What a test has evaluated in a page is free of its policy, so the page does all by itself.
  "page.js": `
    import { Siltstone } from "siltstone";
    import { memoryHost } from "siltstone/hosts/memory";
    import { tokenCounter } from "siltstone/tokens";
    import cl100k from "siltstone/vocab/cl100k_base";
    import { compare } from "./compare.js";
    const told = (promise) => promise.catch(({ name, code, message }) => ({ name, code, message }));
    globalThis.results = {
      created: told(Siltstone.create({ host: memoryHost() }).then(() => "an instance")),
      eval: told(Promise.resolve().then(() => new Function("return 1")())),
      counted: told(tokenCounter(cl100k).then((counter) => counter.count("你好世界"))),
      page: compare(),
      worker: new Promise((resolve, reject) => {
        const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
      }),
    };
  `,
  "worker.js": `
    import { compare } from "./compare.js";
    compare().then(postMessage, (error) => postMessage({ error: String(error) }));
  `,
  "compare.js": `
    import { Siltstone } from "siltstone";
    import { compareCases } from "./cases.mjs";
    export async function compare() {
      const { files, native } = await (await fetch("/cases.json")).json();
      return compareCases(Siltstone, files, native);
    }
  `,
};

let folder;
let chromium;
let deployed;

before(async () => {
  folder = installPackage();
  mkdirSync(join(folder, "public"));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "public/cases.json"), JSON.stringify(caseFiles()));
  copyFileSync(join(root, "tests/package/shared/cases.mjs"), join(folder, "cases.mjs"));
  await build({ root: folder, configFile: false, logLevel: "warn" });
  deployed = await serve(join(folder, "dist"), POLICY);
  chromium = await launch();
});
after(async () => {
  await chromium?.close();
  deployed?.close();
});

function check({ error, cases, differences }) {
  assert.equal(error, undefined);
  assert.deepEqual(differences, []);
  assert.ok(cases > 40, `only ${cases} cases were run`);
}

/** Opens the page and gives what came of one thing that it does. */
async function open(page, url) {
  await page.goto(url);
  await page.waitForFunction(() => "results" in globalThis);
  return (name) => page.evaluate((name) => globalThis.results[name], name);
}

async function checkDeployed(page) {
  const result = await open(page, deployed.url);
  assert.equal((await result("eval")).name, "EvalError");
  assert.equal(await result("counted"), 5);
  check(await result("page"));
  check(await result("worker"));
}

test("in Chromium, as Vite deploys it, under a strict policy", async () => {
  await checkDeployed(await chromium.newPage());
});

test("in Chromium, as Vite serves it in development", async () => {
  const server = await createServer({
    root: folder,
    configFile: false,
    logLevel: "warn",
    server: { host: "127.0.0.1", port: 0 },
  });
  try {
    await server.listen();
    const { port } = server.httpServer.address();
    const result = await open(await chromium.newPage(), `http://127.0.0.1:${port}/`);
    assert.equal(await result("counted"), 5);
    check(await result("page"));
    check(await result("worker"));
  } finally {
    await server.close();
  }
});

test("in Firefox, as Vite deploys it, under a strict policy", async () => {
  const firefox = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
  });
  try {
    await checkDeployed(await firefox.newPage());
  } finally {
    await firefox.close();
  }
});

test("where the policy forbids WebAssembly, the error says so", async () => {
  const server = await serve(join(folder, "dist"), "default-src 'self'");
  try {
    const result = await open(await chromium.newPage(), server.url);
    const error = await result("created");
    assert.equal(error.code, "not_initialized");
    assert.match(error.message, /wasm-unsafe-eval|unsafe-eval/);
    assert.equal((await result("counted")).code, "not_initialized");
  } finally {
    server.close();
  }
});
