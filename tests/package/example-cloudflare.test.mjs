// The template for Cloudflare Workers, as it stands in examples/cloudflare-worker: by wrangler's own
// development server, which bundles it and runs it in workerd with its own configuration.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  bin,
  checkEcho,
  checkModel,
  checkRefusal,
  installExample,
  post,
  start,
  startModel,
} from "./examples.mjs";
import { importFrom, installPackage, request } from "./support.mjs";

const QUIET = { CI: "1", WRANGLER_SEND_METRICS: "false", WRANGLER_HIDE_BANNER: "true" };
const options = { timeout: 120_000 };

/** Does what `npm run dev` does. */
function startExample(t, { vars = {}, flags = [] } = {}) {
  const cwd = installExample("cloudflare-worker");
  const lines = Object.entries(vars).map(([name, value]) => `${name}="${value}"`);
  writeFileSync(join(cwd, ".dev.vars"), lines.join("\n"));
  const env = { ...process.env, ...QUIET };
  execFileSync(bin("wrangler"), ["d1", "migrations", "apply", "DB", "--local"], {
    cwd,
    env,
    stdio: "pipe",
  });
  const address = ["--ip", "127.0.0.1", "--port", "0", "--inspector-port", "0"];
  return start(t, bin("wrangler"), ["dev", ...address, ...flags], { cwd, env: QUIET });
}

test("it remembers without a language model, and its cron trigger runs", options, async (t) => {
  const { url, output } = await startExample(t, { flags: ["--test-scheduled"] });
  await checkEcho(url);
  await checkRefusal(url);
  const ran = await request(`${url}/__scheduled?cron=*/10+*+*+*+*`);
  assert.equal(await ran.text(), "Ran scheduled event", output());
});

test("it remembers with a language model", options, async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const { url } = await startExample(t, { vars: model.env });
  await checkModel(url, model);
});

test("a session ends by itself when nothing was said for a while", options, async (t) => {
  const { url } = await startExample(t, { flags: ["--var", "IDLE_SECONDS:1"] });
  await post(url, "/chat", { user: "ana", session: "monday", message: "I live in Hangzhou." });
  for (let session = 0; ; session += 1) {
    const { answer } = await post(url, "/chat", {
      user: "ana",
      session: `${session}`,
      message: "Where do I live?",
    });
    if (/system: [\s\S]*Hangzhou/.test(answer)) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
});

test("its migration makes the tables that the host expects", async () => {
  const { schema } = await importFrom(installPackage(), "siltstone/hosts/cloudflare");
  const folder = installExample("cloudflare-worker");
  const migration = readFileSync(join(folder, "migrations/0001_siltstone.sql"), "utf8");
  assert.equal(migration, schema.map((statement) => `${statement};\n`).join("\n"));
});
