// What the installed package exports, for the checks that hold for all of it.

import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./support.mjs";

/** The conditions that bundlers and runtimes at the edge resolve the exports with. */
export const EDGES = {
  workerd: ["workerd", "worker"],
  deno: ["deno"],
  browser: ["browser"],
  another: [],
};

/** Subpaths that are for Node and what is compatible with it; no other may import what it brings. */
export const NODE_ONLY = [];

/** Subpaths that make an instance by themselves, and so bring what the core needs. */
export const WITH_CORE = ["./adapters/langchain"];

export function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, "node_modules/siltstone/package.json"), "utf8"));
}

/** The packages that a user of some subpaths installs beside this one. */
export const peersOf = (folder) => Object.keys(manifestOf(folder).peerDependencies ?? {});

/** Lets a project import the peers, as they are installed here. */
export function linkPeers(folder) {
  for (const name of peersOf(folder)) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(join(root, "node_modules", name), link, "dir");
  }
}

const targets = (value) =>
  typeof value === "string" ? [value] : Object.values(value).flatMap(targets);

/** The subpaths that are code, each as what one imports and the files that it may come from. */
export function codeExports(folder) {
  return Object.entries(manifestOf(folder).exports)
    .map(([subpath, value]) => ({
      subpath,
      specifier: subpath.replace(".", "siltstone"),
      files: targets(value),
    }))
    .filter(({ files }) => files.some((file) => file.endsWith(".js")));
}
