// What the tests of the adapters share: a project with the packed package beside the frameworks, the
// examples of the documentation, and the check of its types.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { installPackage, root } from "../support.mjs";

/** A folder with the packed package and these packages of the workspace. */
export function installBeside(...names) {
  const folder = installPackage();
  for (const name of names) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, "node_modules", name), link, "dir");
  }
  return folder;
}

/** The examples that the documentation of an installed file gives, in order. */
export function examplesOf(folder, file) {
  const types = readFileSync(join(folder, "node_modules/siltstone", file), "utf8");
  const blocks = types.matchAll(/^ *\* ```tsx?\n([\s\S]*?)^ *\* ```/gm);
  return [...blocks].map(([, block]) => block.replaceAll(/^ *\* ?/gm, ""));
}

/** Runs code in the folder in a process of its own and gives the JSON that it prints. */
export function runIn(folder, name, code) {
  const file = join(folder, name);
  writeFileSync(file, code);
  const printed = execFileSync(process.execPath, [file], { encoding: "utf8", cwd: folder });
  return JSON.parse(printed);
}

/** Checks TypeScript code against the installed types, as a strict user does. */
export function checkTypes(folder, code, options = {}) {
  writeFileSync(join(folder, "use.ts"), code);
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2023", "DOM", "DOM.Iterable", "ESNext.Disposable"],
    module: "NodeNext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    // The frameworks' own declarations are theirs to keep clean.
    skipLibCheck: true,
    noEmit: true,
    types: [],
    ...options,
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["use.ts"] }),
  );
  execFileSync(join(root, "node_modules/.bin/tsc"), ["--project", folder], { stdio: "inherit" });
}
