// Compares token counting with the crate `tiktoken`, compiled to WebAssembly for speed:
//   node benches/tokens/crate.mjs
// The last line has how many times faster Siltstone is, as `name=ratio` pairs.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { counts, measure, print } from "./tokens.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(here, "../../.bench/tokens");
const crate = join(here, "crate");
const target = join(folder, "target");
const built = join(target, "wasm32-unknown-unknown/release/tiktoken_wasm.wasm");

mkdirSync(folder, { recursive: true });
execFileSync(
  "cargo",
  ["build", "--release", "--target", "wasm32-unknown-unknown", "--target-dir", target],
  { cwd: crate, stdio: "inherit" },
);
copyFileSync(built, join(folder, "tiktoken_wasm.wasm"));
const gzip = gzipSync(readFileSync(built), { level: 9 }).length;
console.log(`${statSync(built).size} bytes, gzip ${(gzip / 1024).toFixed(0)} KiB`);
const [own, peer] = ["siltstone/tokens", "tiktoken-crate"];
const right = counts(own, folder);
const measured = [];
for (const name of [own, peer]) {
  const mismatches = counts(name, folder).filter((count, at) => count !== right[at]).length;
  const strings = right.length;
  measured.push({ ...(await measure(name, folder, false)), mismatches, strings });
}
print(measured);
