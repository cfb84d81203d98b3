// Makes one file of the modules that every entry of the package shares: to a runtime, many small files
// are most of what an import costs.

import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

/** Hosts and adapters throw these errors too: there has to be one class, and it alone in their bundles. */
const APART = /\/errors\.js$/;

/** Joins `main.js` with what it imports, and removes the files that nothing imports any more. */
export async function joinMain(folder) {
  const main = join(folder, "main.js");
  await build({
    entryPoints: [main],
    outfile: main,
    allowOverwrite: true,
    bundle: true,
    format: "esm",
    target: "es2022",
    sourcemap: true,
    plugins: [apart],
  });
  const imported = await reached(folder);
  for (const name of readdirSync(folder, { recursive: true })) {
    const file = join(folder, name);
    if (name.endsWith(".js") && !imported.has(file)) {
      rmSync(file);
      rmSync(`${file}.map`, { force: true });
    }
  }
}

const apart = {
  name: "apart",
  setup({ onResolve }) {
    onResolve({ filter: APART }, ({ path }) => ({ path, external: true }));
  },
};

/** The files that the package's exports and programs lead to. */
async function reached(folder) {
  const { exports, bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const targets = (value) =>
    typeof value === "string" ? [value] : Object.values(value).flatMap(targets);
  const { metafile } = await build({
    entryPoints: [...new Set(targets([exports, bin]))]
      .filter((file) => file.endsWith(".js"))
      .map((file) => join(folder, file)),
    outdir: folder,
    bundle: true,
    format: "esm",
    packages: "external",
    loader: { ".bin": "copy", ".wasm": "copy" },
    metafile: true,
    write: false,
    logLevel: "error",
  });
  return new Set(Object.keys(metafile.inputs).map((file) => resolve(file)));
}
