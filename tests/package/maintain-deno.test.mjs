// Maintenance by `Deno.cron`, in Deno and offline. A cron job begins with a minute, so this takes up
// to one.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { promisify } from "node:util";
import { AGED, FRESH } from "./shared/ageing.mjs";
import { installPackage, root } from "./support.mjs";

let folder;

before(() => {
  folder = installPackage();
});

/** Runs code in Deno and gives what it prints. */
async function deno(name, code, flags = []) {
  const file = join(folder, name);
  writeFileSync(file, code);
  const offline = ["--no-prompt", "--cached-only", "--node-modules-dir=manual"];
  const args = ["run", ...offline, "--allow-read", ...flags, file];
  const options = { cwd: folder, env: { ...process.env, NO_COLOR: "1" }, timeout: 120_000 };
  return (await promisify(execFile)(join(root, "node_modules/.bin/deno"), args, options)).stdout;
}

test("Deno.cron looks after what has aged, until its signal", async () => {
  const printed = await deno(
    "cron.mjs",
    `
    import { Siltstone } from "siltstone";
    import { memoryHost } from "siltstone/hosts/memory";
    import { denoCron } from "siltstone/maintain";
    import { age, figures } from ${JSON.stringify(join(root, "tests/package/shared/ageing.mjs"))};
    const { memory, later } = await age(Siltstone, memoryHost());
    const before = await figures(memory);
    later();
    const controller = new AbortController();
    const { signal } = controller;
    const ended = denoCron(memory, { schedule: "* * * * *", limit: 1, signal });
    while ((await figures(memory)).gone < ${AGED.gone}) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    controller.abort();
    await ended;
    console.log(JSON.stringify([before, await figures(memory)]));
    `,
    ["--unstable-cron"],
  );
  assert.deepEqual(JSON.parse(printed), [FRESH, AGED]);
});

test("without the flag, it says what is missing", async () => {
  const printed = await deno(
    "no-cron.mjs",
    `
    import { denoCron } from "siltstone/maintain";
    await denoCron({}).catch(({ code, message }) => console.log(code, message));
    `,
  );
  assert.match(printed, /^host_failed .*--unstable-cron/);
});
