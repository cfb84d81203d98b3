// Builds the npm package: dist/package/ and, packed, dist/siltstone.tgz.
//
// The wasm module and its glue are generated into pkg-template/src/wasm/ (ignored by git), where the
// sources import them; what all entries share, the glue with it, is one file in the package.
// Steps whose inputs did not change are skipped; `make clean` forgets everything.

import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { direct } from "./lib/glue.mjs";
import { joinModules } from "./lib/join.mjs";
import { nameInOrder } from "./lib/order.mjs";
import { bin, dist, root, run, step } from "./lib/run.mjs";

const WASM_TARGET = "wasm32-unknown-unknown";
// What rustc emits for the target by default, and SIMD: comparing embeddings takes a fraction of the
// time. Several results of a function, of which only wasm-bindgen would make use, are left out: for each
// type of an export that has them, V8 compiles code before the module is there. wasm-opt refuses code that
// uses anything else.
const WASM_FEATURES = [
  "bulk-memory",
  "mutable-globals",
  "nontrapping-float-to-int",
  "reference-types",
  "sign-ext",
  "simd",
];
/** Of a module that has nothing to do with values of JavaScript. */
const NUMBERS_ONLY = WASM_FEATURES.filter((name) => name !== "reference-types");
// The standard library is compiled with the core, for size, and a panic, which is a defect anyway,
// stops at once: its messages and places would be a twentieth of the module. Stable rustc takes these
// flags only when it is told to (RUSTC_BOOTSTRAP); scripts/setup.sh gets the library's source.
const OWN_STD = [
  "-Zbuild-std=std,panic_abort",
  "-Zbuild-std-features=optimize_for_size",
  "-Zpanic-immediate-abort",
  '--config=profile.release.panic="immediate-abort"',
];
// What is hashed here are ids and names: a loop serves as well as the unrolled rounds.
const COMPACT = ["--cfg", 'sha2_backend_soft="compact"'];
// Data come behind the stack: as long as they end within the first MiB, their addresses take three
// bytes in the code, and not four.
const STACK = `-Clink-arg=-zstack-size=${832 * 1024}`;

// What is called from one place only would all be put there, however large: gzip packs many small
// functions better, the ones that are alike side by side. So only those with next to no stack are.
const SMALL_FRAMES = "-Cllvm-args=-inline-max-stacksize=16";
// By what refers to what, the module is divided in two.
const RELOCATIONS = "-Clink-arg=--emit-relocs";

const ENCODINGS = ["o200k_base", "cl100k_base"];

const template = join(root, "pkg-template");
const glue = join(template, "src/wasm");
const packageDir = join(dist, "package");
const tarball = join(dist, "siltstone.tgz");
const targetDir = resolve(root, process.env.CARGO_TARGET_DIR ?? "target");

mkdirSync(dist, { recursive: true });
const { modules, vocabularies } = compile();
await once(
  "glue",
  [
    ...Object.values(modules),
    "scripts/build.mjs",
    "scripts/lib/glue.mjs",
    "scripts/lib/order.mjs",
    "scripts/bindgen",
  ],
  glue,
  () => generateGlue(modules),
);
await once(
  "package",
  [
    "pkg-template",
    "README.md",
    "LICENSE",
    "tsconfig.json",
    "package-lock.json",
    "scripts/build.mjs",
    "scripts/lib/join.mjs",
    ...vocabularies,
  ],
  tarball,
  assemblePackage,
);
linkPackage();
printSizes();

function compile() {
  step("compiling the core to wasm");
  const core = compiled("siltstone-module", SMALL_FRAMES, RELOCATIONS);
  const tokens = compiled("siltstone-counter");
  const [vocabularies] = [core, tokens].flatMap(({ messages }) =>
    messages
      .filter(({ reason }) => reason === "build-script-executed")
      .map(({ out_dir: out }) => ENCODINGS.map((name) => join(out, `${name}.bin`)))
      .filter((files) => files.every((file) => existsSync(file))),
  );
  return { modules: { core: core.module, tokens: tokens.module }, vocabularies };
}

/** The module of a package, and what cargo told of compiling it. */
function compiled(name, ...options) {
  const flags = [
    "-Zlocation-detail=none",
    ...COMPACT,
    STACK,
    "-Ctarget-feature=+simd128,-multivalue",
  ];
  const told = run(
    "cargo",
    [
      "rustc",
      "--release",
      `--package=${name}`,
      "--lib",
      "--target",
      WASM_TARGET,
      ...OWN_STD,
      "--message-format=json-render-diagnostics",
      "--",
      ...options,
    ],
    {
      env: { CARGO_ENCODED_RUSTFLAGS: flags.join("\x1f"), RUSTC_BOOTSTRAP: "1" },
      capture: true,
    },
  );
  const messages = told
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  return {
    module: join(targetDir, WASM_TARGET, "release", `${name.replace("-", "_")}.wasm`),
    messages,
  };
}

function generateGlue(modules) {
  run("cargo", ["build", "--package", "siltstone-bindgen"]);
  rmSync(glue, { recursive: true, force: true });
  for (const [name, wasm] of Object.entries(modules)) {
    generate(name, wasm);
  }
}

function generate(name, wasm) {
  step(`generating the JavaScript glue: ${name}`);
  const rest = name === "core" ? ["rest"] : [];
  run(join(targetDir, "debug/siltstone-bindgen"), [wasm, glue, name, ...rest]);

  if (name === "core") {
    const file = join(glue, `${name}.js`);
    writeFileSync(file, direct(readFileSync(file, "utf8")));
  }
  for (const part of [`${name}_bg`, ...rest]) {
    optimise(part, name === "core" ? WASM_FEATURES : NUMBERS_ONLY);
  }

  // The generated declaration describes the raw exports; what an import of the file gives is a
  // compiled module.
  rmSync(join(glue, `${name}_bg.wasm.d.ts`));
}

function optimise(name, allowed) {
  step(`optimising the wasm module: ${name}`);
  const module = join(glue, `${name}.wasm`);
  const features = allowed.map((name) => `--enable-${name}`);
  const change = (...passes) =>
    run(bin("wasm-opt"), [...features, ...passes, module, "-o", module]);
  // Over what rustc optimised, higher levels take three times as long, and gzip packs it worse. Of what
  // they do, these help: arguments that are always the same, copies of locals, ends of branches alike.
  // A segment for each run of zeros takes more than the zeros.
  change(
    "--skip-pass=memory-packing",
    "-O1",
    "--dae-optimizing",
    "--merge-locals",
    "--code-folding",
  );
  writeFileSync(module, nameInOrder(readFileSync(module)));
  change("--reorder-functions-by-name");
  writeFileSync(
    join(glue, `${name}.d.wasm.ts`),
    "declare const module: WebAssembly.Module;\nexport default module;\n",
  );
}

async function assemblePackage() {
  step("compiling the TypeScript of the package");
  rmSync(packageDir, { recursive: true, force: true });
  run(bin("tsc"), ["--project", "pkg-template"]);

  step("packing dist/siltstone.tgz");
  const sourceOnly = new Set(["src", "tsconfig.json", "node_modules"]);
  cpSync(join(root, "LICENSE"), join(packageDir, "LICENSE"));
  if (existsSync(join(root, "README.md"))) {
    cpSync(join(root, "README.md"), join(packageDir, "README.md"));
  }
  for (const name of readdirSync(template).filter((name) => !sourceOnly.has(name))) {
    cpSync(join(template, name), join(packageDir, name), { recursive: true });
  }
  cpSync(glue, join(packageDir, "wasm"), { recursive: true });
  for (const file of vocabularies) {
    cpSync(file, join(packageDir, "vocab", basename(file)));
  }
  // What the compiler only reads is not in its output.
  for (const name of ENCODINGS) {
    const types = `vocab/${name}.d.bin.ts`;
    cpSync(join(template, "src", types), join(packageDir, types));
  }
  const counting = ["browser", "deno", "node", "workerd"].map((name) => `tokens/${name}.js`);
  const inNode = ["entries/node.js", ...ENCODINGS.map((name) => `vocab/${name}.node.js`)];
  await joinModules(packageDir, ["main.js", ...counting, ...inNode]);
  const [packed] = JSON.parse(
    run("npm", ["pack", packageDir, "--json", "--ignore-scripts", "--pack-destination", dist], {
      capture: true,
    }),
  );
  renameSync(join(dist, packed.filename), tarball);
}

/** Lets sources of this repository import the built package by its name. */
function linkPackage() {
  const link = join(root, "node_modules/siltstone");
  rmSync(link, { recursive: true, force: true });
  symlinkSync(relative(join(root, "node_modules"), packageDir), link, "dir");
}

/** Does `work` unless it has been done for these very inputs and `output` is still there. */
async function once(name, inputs, output, work) {
  const stampFile = join(dist, `.${name}.stamp`);
  const stamp = hashOf(inputs.map((input) => resolve(root, input)));
  const done = existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp;
  if (done && existsSync(output)) {
    return;
  }
  await work();
  writeFileSync(stampFile, stamp);
}

function hashOf(paths) {
  const hash = createHash("sha256");
  const add = (path) => {
    if (!existsSync(path)) {
      return;
    }
    hash.update(`${path}\0`);
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) {
        add(join(path, name));
      }
    } else {
      hash.update(readFileSync(path));
    }
  };
  paths.forEach(add);
  return hash.digest("hex");
}

function printSizes() {
  const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
  for (const name of ["core_bg", "rest", "tokens_bg"]) {
    const wasm = readFileSync(join(packageDir, `wasm/${name}.wasm`));
    const gzip = gzipSync(wasm, { level: 9 }).length;
    console.log(`${name}.wasm ${kib(wasm.length)}, gzip ${kib(gzip)}`);
  }
  console.log(`siltstone.tgz ${kib(statSync(tarball).size)}`);
}
