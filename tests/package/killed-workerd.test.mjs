// Cloudflare's runtime is killed in the middle of session ends, over real D1, KV and Durable Objects:
// after the next start their alarms finish the work, without a request.

import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { start } from "./examples.mjs";
import { killedRounds } from "./killed/rounds.mjs";
import { temporaryFolder } from "./servers.mjs";
import { installPackage, root } from "./support.mjs";

const PROGRAM = fileURLToPath(new URL("killed/serve-worker.mjs", import.meta.url));

test("alarms finish what a killed workerd had begun", { timeout: 240_000 }, async (t) => {
  const folder = installPackage();
  const data = temporaryFolder();
  const startApp = (bindings) =>
    start(t, process.execPath, [PROGRAM, JSON.stringify({ folder, data, bindings })], {
      cwd: root,
    });
  await killedRounds(t, startApp, { rounds: 5 });
});
