// The packages that are compared with: installed from lock files of their own, beside the root's.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const folderOf = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** Installs what the lock file of a folder says, once; gives the folder. */
export function install(name, { natives = [] } = {}) {
  const folder = folderOf(name);
  const npm = (...args) =>
    execFileSync("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
  const lock = readFileSync(join(folder, "package-lock.json"));
  const hash = createHash("sha256").update(lock).digest("hex");
  const stamp = join(folder, "node_modules/.lock-hash");
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== hash) {
    npm("ci", "--ignore-scripts");
    if (natives.length > 0) {
      npm("rebuild", ...natives);
    }
    writeFileSync(stamp, hash);
  }
  return folder;
}

/** Imports a package of a folder of peers. */
export async function from(folder, specifier) {
  const require = createRequire(join(folder, "package.json"));
  return import(pathToFileURL(require.resolve(specifier)));
}

/** The exact versions that a folder's manifest names. */
export function versions(name) {
  const manifest = readFileSync(join(folderOf(name), "package.json"), "utf8");
  return JSON.parse(manifest).dependencies;
}
