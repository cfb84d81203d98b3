// Checks what the project is built from, by its lock files alone: licences, sources, checksums,
// duplicates, code that runs at installation. Needs no network; known vulnerabilities are looked up
// by `npm audit` and `cargo deny check advisories`, where those have one.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dist, root, run } from "./lib/run.mjs";

const CRATES = "registry+https://github.com/rust-lang/crates.io-index";
const WASM = "wasm32-unknown-unknown";
// What may be linked into a module under the MIT licence without more than its notice.
const LICENCES = new Set([
  "MIT",
  "Apache-2.0",
  "Apache-2.0 WITH LLVM-exception",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "NCSA",
  "Unicode-3.0",
  "Unlicense",
  "Zlib",
  "0BSD",
  "CC0-1.0",
]);

const faults = [];
const fault = (where, what) => faults.push(`${where}: ${what}`);
const read = (file) => readFileSync(join(root, file), "utf8");

for (const folder of ["", "fuzz/", "benches/crossings/module/"]) {
  checkCrates(folder);
}
checkDuplicates();
for (const folder of ["", "benches/peers/", "benches/peers-mem0/"]) {
  checkNpm(folder);
}
checkSetup();
checkPackage();

if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}

function checkCrates(folder) {
  const lock = `${folder}Cargo.lock`;
  const locked = read(lock).split("[[package]]").slice(1);
  for (const text of locked) {
    const field = (name) => new RegExp(`^${name} = "(.*)"$`, "m").exec(text)?.[1];
    const source = field("source");
    if (source !== undefined && source !== CRATES) {
      fault(lock, `${field("name")} comes from ${source}`);
    }
    if (source !== undefined && !/^[0-9a-f]{64}$/.test(field("checksum") ?? "")) {
      fault(lock, `${field("name")} has no checksum`);
    }
  }
  if (folder === "") {
    checkLicences(lock);
  }
}

/** Of the crates that are here; those of other platforms are not fetched. */
function checkLicences(lock) {
  const answer = run("cargo", ["metadata", "--locked", "--format-version=1"], { capture: true });
  const { packages } = JSON.parse(answer);
  for (const { name, license } of packages) {
    if (!isFree(license ?? "")) {
      fault(lock, `${name} is under ${license ?? "no licence"}`);
    }
  }
  if (packages.length < 50) {
    fault(lock, `only ${packages.length} crates were seen`);
  }
}

/** Whether an SPDX expression can be met by the licences above. */
function isFree(expression) {
  const text = expression.replaceAll("/", " OR ").trim();
  const alternatives = split(text, " OR ");
  if (alternatives.length > 1) {
    return alternatives.some(isFree);
  }
  const parts = split(text, " AND ");
  if (parts.length > 1) {
    return parts.every(isFree);
  }
  const inner = /^\((.*)\)$/.exec(text)?.[1];
  return inner === undefined ? LICENCES.has(text) : isFree(inner);
}

/** Splits where no bracket is open. */
function split(text, by) {
  const parts = [""];
  for (const [at, piece] of text.split(by).entries()) {
    const last = parts.at(-1);
    const isOpen = last.split("(").length > last.split(")").length;
    if (at > 0 && !isOpen) {
      parts.push(piece);
    } else {
      parts[parts.length - 1] = at > 0 ? `${last}${by}${piece}` : piece;
    }
  }
  return parts;
}

/** Two versions of one crate in the module would cost its size twice. */
function checkDuplicates() {
  const options = ["--locked", "--duplicates", "--edges=normal", "--depth=0", "--quiet"];
  const answer = run("cargo", ["tree", "--package=siltstone", `--target=${WASM}`, ...options], {
    capture: true,
  });
  for (const line of answer.split("\n").filter((line) => line.trim() !== "")) {
    fault("Cargo.lock", `${line} is in the module beside another version`);
  }
}

function checkNpm(folder) {
  const lock = `${folder}package-lock.json`;
  const { packages } = JSON.parse(read(lock));
  for (const [path, { integrity, resolved = "", version }] of Object.entries(packages)) {
    if (path === "") {
      continue;
    }
    if (!/^sha512-[\w+/]+=*$/.test(integrity ?? "")) {
      fault(lock, `${path} has no sha512 checksum`);
    }
    if (/^(git|http:|file:|github:)/.test(resolved) || !/^\d+\.\d+\.\d+/.test(version ?? "")) {
      fault(lock, `${path} does not come from the registry`);
    }
  }
  const manifest = `${folder}package.json`;
  const { dependencies = {}, devDependencies = {} } = JSON.parse(read(manifest));
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    if (!/^\d+\.\d+\.\d+$/.test(version)) {
      fault(manifest, `${name}: an exact version is expected, not ${version}`);
    }
  }
}

function checkSetup() {
  for (const script of ["scripts/setup.sh", "benches/lib/peers.mjs"]) {
    if (!/npm ci --ignore-scripts|"ci", "--ignore-scripts"/.test(read(script))) {
      fault(script, "npm packages must be installed without their scripts");
    }
  }
}

/** The published package brings no other package and runs nothing when it is installed. */
function checkPackage() {
  const file = join(dist, "package/package.json");
  if (!existsSync(file)) {
    return;
  }
  const {
    dependencies = {},
    scripts = {},
    bundledDependencies = [],
  } = JSON.parse(readFileSync(file, "utf8"));
  for (const [what, names] of Object.entries({
    dependencies: Object.keys(dependencies),
    scripts: Object.keys(scripts),
    bundledDependencies,
  })) {
    if (names.length > 0) {
      fault("the package", `has ${what}: ${names.join(", ")}`);
    }
  }
}
