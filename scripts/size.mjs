// Prints what the package weighs, gzipped, and fails over the limits: the part of the core that turns
// need, the rest, and both; a Worker with the default vocabulary as wrangler counts it; the browser entry
// bundled without a vocabulary, as a page starts with it, and with the rest; and the module that only
// counts tokens.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { bin, dist, fail, run } from "./lib/run.mjs";

/** KiB, gzipped: what is reached, and a little room. */
const LIMITS = {
  core: 237,
  rest: 233,
  core_total: 468,
  worker_o200k: 1_112,
  browser: 247,
  browser_total: 478,
  tokens: 21,
};

const folder = mkdtempSync(join(tmpdir(), "siltstone-size-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const installed = join(folder, "node_modules/siltstone");
mkdirSync(installed, { recursive: true });
run("tar", ["-xzf", join(dist, "siltstone.tgz"), "-C", installed, "--strip-components=1"]);

const core = wasm("core_bg");
const rest = wasm("rest");
const atStart = (await browserCode()) + core;
const sizes = {
  core,
  rest,
  core_total: core + rest,
  worker_o200k: worker(),
  browser: atStart,
  browser_total: atStart + rest,
  tokens: wasm("tokens_bg"),
};
const wrong = Object.entries(sizes).filter(([name, size]) => size > LIMITS[name]);
console.log(
  Object.entries(sizes)
    .map(([name, size]) => `${name}_gzip_kb=${size.toFixed(1)}`)
    .join(" "),
);
if (wrong.length > 0) {
  fail(
    wrong.map(([name, size]) => `${name}: ${size.toFixed(1)} KiB of ${LIMITS[name]}`).join("; "),
  );
}

function gzipped(bytes) {
  return gzipSync(bytes, { level: 9 }).length / 1024;
}

function wasm(name) {
  return gzipped(readFileSync(join(installed, `wasm/${name}.wasm`)));
}

function worker() {
  const code = `
    import * as siltstone from "siltstone";
    export default { fetch: () => Response.json(Object.keys(siltstone)) };
  `;
  writeFileSync(join(folder, "worker.js"), code);
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
  return Number(size) * (unit === "MiB" ? 1024 : 1);
}

/** The code of the browser entry. */
async function browserCode() {
  const { outputFiles } = await build({
    stdin: { contents: `export * from "siltstone";`, resolveDir: folder },
    bundle: true,
    minify: true,
    format: "esm",
    conditions: ["browser"],
    write: false,
    logLevel: "error",
  });
  return outputFiles.reduce((sum, { contents }) => sum + gzipped(contents), 0);
}
