// Prints how much a Worker that uses all of the package counts against Cloudflare's size limit,
// as wrangler counts it.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bin, dist, fail, run } from "./lib/run.mjs";

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
console.log(output.trim());
console.log(`worker_gzip_kb=${unit === "MiB" ? Number(size) * 1024 : size}`);
