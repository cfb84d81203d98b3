// What the tests of the package share: a project that has the packed package installed, and
// Workers that run code of such a project.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { Miniflare } from "miniflare";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const tarball = join(root, "dist/siltstone.tgz");

/**
 * A request on a connection of its own: on a busy machine, one that is kept open may be closed by
 * the server just when it is used again.
 */
export function request(url, { headers, ...options } = {}) {
  return fetch(url, { ...options, headers: { ...headers, connection: "close" } });
}

/** A folder with the packed package installed. Removed when the process ends. */
export function installPackage() {
  const folder = mkdtempSync(join(tmpdir(), "siltstone-test-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const manifest = { name: "consumer", private: true, type: "module" };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return folder;
}

/** Imports a part of the installed package as code in its folder would. */
export function importFrom(folder, specifier) {
  const file = join(folder, `${specifier.replaceAll("/", "-")}.mjs`);
  writeFileSync(file, `export * from "${specifier}";`);
  return import(pathToFileURL(file));
}

/** Bundles code that imports the installed package, as a bundler for `conditions` does. */
export async function bundle(folder, code, conditions, options = {}) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: folder, sourcefile: "entry.js" },
    bundle: true,
    format: "esm",
    target: "es2022",
    conditions,
    external: ["cloudflare:*"],
    loader: { ".wasm": "copy", ".bin": "copy" },
    assetNames: "[name]",
    outdir: folder,
    metafile: true,
    write: false,
    logLevel: "error",
    ...options,
  });
  return { outputFiles, metafile };
}

/** As wrangler's default rules have it. */
const MODULE_TYPES = { ".wasm": "CompiledWasm", ".bin": "Data" };

/** Runs a Worker's code in workerd, with a D1 database `DB` and a KV namespace `CACHE`. */
export async function startWorker(folder, code, options = {}) {
  const { outputFiles } = await bundle(folder, code, ["workerd", "worker"]);
  const modules = outputFiles
    .map(({ path, contents }) => ({
      type: MODULE_TYPES[extname(path)] ?? "ESModule",
      path: basename(path),
      contents,
    }))
    // The first module is the one that starts.
    .sort((a, b) => Number(a.type !== "ESModule") - Number(b.type !== "ESModule"));
  const miniflare = new Miniflare({
    cf: false,
    host: "127.0.0.1",
    port: 0,
    compatibilityDate: "2026-04-01",
    modules,
    d1Databases: ["DB"],
    kvNamespaces: ["CACHE"],
    ...options,
  });
  const url = await miniflare.ready;
  return { url: url.origin, miniflare, dispose: () => miniflare.dispose() };
}
