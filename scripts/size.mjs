// Prints how much a Worker that uses all of the package counts against Cloudflare's size limit,
// as wrangler counts it, and fails over the limit of the free plan.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bin, dist, fail, run } from "./lib/run.mjs";

/** 3 MB, in the KiB that wrangler prints. */
const LIMIT_KB = 3_000_000 / 1024;

const WORKER = `
import * as siltstone from "siltstone";
export default { fetch: () => Response.json(Object.keys(siltstone)) };
`;

const folder = mkdtempSync(join(tmpdir(), "siltstone-size-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const installed = join(folder, "node_modules/siltstone");
mkdirSync(installed, { recursive: true });
run("tar", ["-xzf", join(dist, "siltstone.tgz"), "-C", installed, "--strip-components=1"]);
writeFileSync(join(folder, "worker.js"), WORKER);
writeFileSync(
  join(folder, "wrangler.json"),
  JSON.stringify({ name: "size", main: "worker.js", compatibility_date: "2026-04-01" }),
);

const output = run(bin("wrangler"), ["deploy", "--dry-run", "--outdir", join(folder, "out")], {
  cwd: folder,
  env: {
    CI: "1",
    NO_COLOR: "1",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_SEND_METRICS: "false",
  },
  capture: true,
});
const [, size, unit] = /gzip: ([\d.]+) (KiB|MiB)/.exec(output) ?? fail(`no size in: ${output}`);
const kb = Number(size) * (unit === "MiB" ? 1024 : 1);
console.log(output.trim());
console.log(`worker_gzip_kb=${kb.toFixed(2)}`);
if (kb >= LIMIT_KB) {
  fail(`the Worker has ${kb.toFixed(2)} KiB of at most ${LIMIT_KB.toFixed(2)} KiB gzip`);
}
