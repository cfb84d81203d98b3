// How a module is divided in two: a small one, before and after its second part is loaded.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "siltstone-divide-"));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "package.json"), '{ "type": "module" }');

const TARGET = "wasm32-unknown-unknown";
const built = resolve(root, process.env.CARGO_TARGET_DIR ?? "target", TARGET, "release");

const cargo = (...args) =>
  execFileSync("cargo", args, { cwd: root, stdio: ["ignore", "inherit", "pipe"] });
const compile = (...link) =>
  cargo("rustc", "--release", "--package=siltstone-divided", `--target=${TARGET}`, "--", ...link);
const divide = (...names) =>
  cargo(
    "run",
    "--package=siltstone-bindgen",
    "--",
    join(built, "siltstone.wasm"),
    folder,
    ...names,
  );
const bytes = (name) => readFileSync(join(folder, `${name}.wasm`));

compile("-Clink-arg=--emit-relocs");
divide("first", "rest");
divide("whole");

let instances = 0;

/** An instance of the whole or of the first part, to which `load` brings the second. */
async function start(name) {
  instances += 1;
  const glue = await import(`${pathToFileURL(join(folder, `${name}.js`))}?${instances}`);
  const exports = glue.initSync({ module: bytes(`${name}_bg`) });
  const load = () => {
    const rest = new WebAssembly.Module(bytes("rest"));
    const taken = WebAssembly.Module.imports(rest);
    const table = exports[taken.find(({ kind }) => kind === "table").name];
    const of = ({ kind, name }) => (kind === "function" ? table.get(Number(name)) : exports[name]);
    new WebAssembly.Instance(rest, {
      m: Object.fromEntries(taken.map((one) => [one.name, of(one)])),
    });
  };
  return { ...glue, load };
}

/** All that the module can be asked, and what it told meanwhile. */
function asked({ near, steps, by_address, is_same, written, counted }) {
  const told = [];
  globalThis.tell = (what) => told.push(what);
  return {
    near: [1, 2, 3].map(near),
    steps: [4, 5, 6].map(steps),
    byAddress: [0, 1, 2].map((which) => by_address(which, 9)),
    isSame: is_same(),
    written: written(),
    counted: counted(),
    told,
  };
}

test("both parts do what the whole does", async () => {
  const parts = await start("first");
  parts.load();
  const right = asked(await start("whole"));
  assert.deepEqual(asked(parts), right);
  assert.deepEqual(right.told, [9]);
  assert.equal(right.isSame, true);
  assert.equal(right.byAddress[1], 9 * 2 + "settles".length);
});

test("the first part says that the second is missing, and does its own", async () => {
  const { near, is_there, steps, written, load } = await start("first");
  assert.equal(is_there(), false);
  assert.equal(steps(1), 0);
  const before = near(5);
  assert.equal(written(), 8);
  load();
  assert.equal(is_there(), true);
  // What was written before stays.
  assert.equal(written(), 8);
  assert.equal(near(5), before);
  steps(1);
  assert.equal(written(), 109);
});

test("what only the second part reads is in it alone", () => {
  const holds = (name) => bytes(name).includes("settles");
  assert.deepEqual([holds("rest"), holds("first_bg")], [true, false]);
});

test("a module without relocations is refused", () => {
  compile();
  assert.throws(
    () => divide("first", "rest"),
    ({ stderr }) => /link the module with --emit-relocs/.test(String(stderr)),
  );
});
