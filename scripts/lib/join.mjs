// Makes one file of the modules that every entry of the package shares: to a runtime, many small files
// are most of what an import costs.

import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { build } from "esbuild";

/**
 * Hosts and adapters throw these errors too: there has to be one class, and it alone in their bundles. Of
 * the instances that entries share there is one place as well.
 */
const APART = /\/(?:errors|main)\.js$/;

/** Joins each of these modules with what it imports, and removes the files that nothing imports any more. */
export async function joinModules(folder, names) {
  for (const name of names) {
    const file = join(folder, name);
    await build({
      entryPoints: [file],
      outfile: file,
      absWorkingDir: folder,
      allowOverwrite: true,
      bundle: true,
      format: "esm",
      target: "es2022",
      sourcemap: true,
      packages: "external",
      external: ["*.wasm"],
      plugins: [apart(dirname(file))],
    });
  }
  const imported = await reached(folder);
  for (const name of readdirSync(folder, { recursive: true })) {
    const file = join(folder, name);
    if (name.endsWith(".js") && !imported.has(file)) {
      rmSync(file);
      rmSync(`${file}.map`, { force: true });
    }
  }
}

const apart = (folder) => ({
  name: "apart",
  setup({ onResolve }) {
    onResolve({ filter: APART }, ({ kind, path, resolveDir }) => {
      if (kind === "entry-point") {
        return undefined;
      }
      const found = relative(folder, join(resolveDir, path));
      return { path: found.startsWith(".") ? found : `./${found}`, external: true };
    });
  },
});

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
