// The runtimes that are processes, Workers as wrangler bundles them, and the behaviour cases with
// what came of them natively.

import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Miniflare } from "miniflare";
import { node24 } from "./servers.mjs";
import { installPackage, root, tarball } from "./support.mjs";

const exec = promisify(execFile);
const bin = (name) => join(root, "node_modules/.bin", name);
// npm's command for Bun needs an install script to have run; its binary does not.
const cpu = process.arch === "arm64" ? "aarch64" : process.arch;
const BUN = join(root, `node_modules/@oven/bun-${process.platform}-${cpu}/bin/bun`);

/** Where the comparing of cases is, as code in any folder imports it. */
export const COMPARE = JSON.stringify(join(root, "tests/package/shared/cases.mjs"));

/** The behaviour cases by file, and the results of the native run: `cargo test --test native`. */
export function caseFiles() {
  const cases = join(root, "tests/cases");
  const read = (file) => JSON.parse(readFileSync(file, "utf8"));
  const names = readdirSync(cases).filter((name) => name.endsWith(".json"));
  const files = Object.fromEntries(names.map((name) => [name, read(join(cases, name))]));
  return { files, native: read(join(root, "target/cases/native.json")) };
}

/** How each runtime that is a process installs the package and runs a file. */
export const PROCESSES = {
  Node: { install: installPackage, command: [process.execPath] },
  "Node 24": { install: installPackage, command: [node24] },
  Bun: { install: installWithBun, command: [BUN, "run"] },
  Deno: {
    install: installPackage,
    command: [
      bin("deno"),
      "run",
      ...["--no-prompt", "--cached-only", "--node-modules-dir=manual", "--allow-read"],
    ],
  },
};

function installWithBun() {
  const folder = mkdtempSync(join(tmpdir(), "siltstone-test-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const manifest = { name: "consumer", private: true, type: "module" };
  const dependencies = { siltstone: `file:${tarball}` };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, dependencies }));
  execFileSync(BUN, ["install", "--no-progress", "--silent"], { cwd: folder });
  return folder;
}

/** Runs code, beside some files, where the package is installed; gives what it prints. */
export async function runIn({ install, command: [program, ...flags] }, code, files = {}) {
  const folder = install();
  const file = join(folder, "main.mjs");
  for (const [name, text] of Object.entries({ ...files, "main.mjs": code })) {
    writeFileSync(join(folder, name), text);
  }
  const { stdout } = await exec(program, [...flags, file], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1" },
    maxBuffer: 100_000_000,
  });
  return stdout;
}

/** Bundles a Worker's code as wrangler deploys it and runs that in workerd. */
export async function startDeployed(folder, code) {
  const config = { name: "deployed", main: "worker.js", compatibility_date: "2026-04-01" };
  writeFileSync(join(folder, "worker.js"), code);
  writeFileSync(join(folder, "wrangler.json"), JSON.stringify(config));
  const out = await wranglerBundle(folder);
  const miniflare = new Miniflare({
    cf: false,
    host: "127.0.0.1",
    port: 0,
    compatibilityDate: config.compatibility_date,
    ...out,
  });
  const url = await miniflare.ready;
  return { url: url.origin, dispose: () => miniflare.dispose() };
}

/** What wrangler would upload of the Worker in a folder, as Miniflare's options. */
export async function wranglerBundle(folder) {
  const out = join(folder, "out");
  await exec(bin("wrangler"), ["deploy", "--dry-run", "--outdir", out], {
    cwd: folder,
    env: {
      ...process.env,
      CI: "1",
      NO_COLOR: "1",
      WRANGLER_HIDE_BANNER: "true",
      WRANGLER_SEND_METRICS: "false",
    },
  });
  const main = readdirSync(out).find((name) => name.endsWith(".js"));
  return {
    modules: true,
    modulesRoot: out,
    scriptPath: join(out, main),
    // As wrangler itself tells them apart.
    modulesRules: [
      { type: "CompiledWasm", include: ["**/*.wasm"] },
      { type: "Data", include: ["**/*.bin"] },
    ],
  };
}
