// The template for Deno, as it stands in examples/deno.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import {
  bin,
  checkEcho,
  checkModel,
  checkRefusal,
  converse,
  installExample,
  start,
  startModel,
} from "./examples.mjs";

/** Starts it as its task does, with a database file in its folder. */
function startExample(t, folder, env = {}) {
  const flags = ["--cached-only", "--node-modules-dir=manual"];
  const allowed = ["--allow-net", "--allow-env", "--allow-read", "--allow-write"];
  const options = { cwd: folder, env: { PORT: "0", KV_PATH: join(folder, "kv.db"), ...env } };
  return start(t, bin("deno"), ["run", ...flags, ...allowed, "main.ts"], options);
}

test("it remembers without a language model, and after a restart", {
  timeout: 60_000,
}, async (t) => {
  const folder = installExample("deno");
  const first = await startExample(t, folder);
  await checkEcho(first.url);
  await checkRefusal(first.url);
  await first.stop();
  const second = await startExample(t, folder);
  const { ended, answered } = await converse(second.url, "ana");
  assert.equal(ended.status, 200);
  assert.match(answered.answer, /\nsystem: [\s\S]*Hangzhou/);
  await second.stop();
});

test("it remembers with a language model", { timeout: 60_000 }, async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const example = await startExample(t, installExample("deno"), model.env);
  await checkModel(example.url, model);
});

test("its types are right", () => {
  const flags = ["--cached-only", "--node-modules-dir=manual"];
  execFileSync(bin("deno"), ["check", ...flags, "main.ts"], {
    cwd: installExample("deno"),
    stdio: ["ignore", "ignore", "inherit"],
  });
});
