// Bundles the chat page and its Worker from www/ and runs them in Cloudflare's runtime, offline.
// `make build` has to come first: www/ imports the built package by its name.

import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { build } from "esbuild";
import { Log, LogLevel, Miniflare } from "miniflare";
import { root } from "./run.mjs";

const www = join(root, "www");

/**
 * Starts the Worker of www/worker.ts. `port` 0 takes a free one; `persist` is the folder that
 * keeps what the Worker stores, in memory when absent; `bindings` are added to its environment.
 */
export async function startServer({ port = 0, persist, bindings = {} } = {}) {
  // A folder of its own, because tests start several servers at a time.
  const assets = mkdtempSync(join(tmpdir(), "siltstone-page-"));
  const removeAssets = () => rmSync(assets, { recursive: true, force: true });
  process.once("exit", removeAssets);
  const [modules] = await Promise.all([bundleWorker(), bundlePage(assets)]);
  const folder = (name) => (persist ? join(persist, name) : false);
  const miniflare = new Miniflare({
    cf: false,
    host: "127.0.0.1",
    port,
    log: new Log(LogLevel.WARN),
    d1Persist: folder("d1"),
    kvPersist: folder("kv"),
    durableObjectsPersist: folder("durable-objects"),
    workers: [
      {
        name: "siltstone-chat",
        compatibilityDate: "2026-04-01",
        modules,
        bindings,
        durableObjects: {
          SESSIONS: { className: "ChatSession", useSQLite: true },
          KEEPER: { className: "Keeper", useSQLite: true },
        },
        d1Databases: ["DB"],
        kvNamespaces: ["CACHE"],
        assets: { directory: assets, binding: "ASSETS", routerConfig: { has_user_worker: true } },
      },
    ],
  });
  const url = await miniflare.ready;
  const dispose = async () => {
    await miniflare.dispose();
    process.off("exit", removeAssets);
    removeAssets();
  };
  return { url: url.origin, dispose };
}

const MODULE_TYPES = { ".wasm": "CompiledWasm", ".bin": "Data" };

async function bundleWorker() {
  const { outputFiles } = await build({
    ...shared("worker.ts"),
    conditions: ["workerd", "worker"],
    external: ["cloudflare:*", "node:*"],
    // The runtime takes wasm and data only as modules of their own.
    loader: { ".wasm": "copy", ".bin": "copy" },
    assetNames: "[name]",
    write: false,
  });
  // Miniflare starts with the first module.
  return outputFiles
    .toSorted((a, b) => Number(b.path.endsWith(".js")) - Number(a.path.endsWith(".js")))
    .map(({ path, contents }) => ({
      type: MODULE_TYPES[extname(path)] ?? "ESModule",
      path: basename(path),
      contents,
    }));
}

async function bundlePage(outdir) {
  await build({
    ...shared("app.ts"),
    conditions: ["browser"],
    sourcemap: "inline",
    outdir,
  });
  for (const name of readdirSync(www).filter((name) => !name.endsWith(".ts"))) {
    cpSync(join(www, name), join(outdir, name), { recursive: true });
  }
}

const shared = (entry) => ({
  entryPoints: [join(www, entry)],
  absWorkingDir: root,
  outdir: root,
  bundle: true,
  format: "esm",
  target: "es2022",
  logLevel: "warning",
});
