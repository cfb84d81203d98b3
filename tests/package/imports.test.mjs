// What the wasm modules ask of JavaScript: nothing but what the binding is known to need.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { installPackage, root } from "./support.mjs";

const folder = installPackage();

test("the rest of the core asks of JavaScript nothing but the first part", () => {
  const wasm = (name) => readFileSync(join(folder, `node_modules/siltstone/wasm/${name}.wasm`));
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(wasm("rest")));
  assert.ok(imports.length > 100);
  assert.deepEqual(new Set(imports.map(({ module }) => module)), new Set(["m"]));
  const others = imports.filter(({ kind }) => kind !== "function");
  const exported = WebAssembly.Module.exports(new WebAssembly.Module(wasm("core_bg")));
  const given = new Map(exported.map(({ name, kind }) => [name, kind]));
  assert.deepEqual(
    others.map(({ name, kind }) => kind === given.get(name)),
    [true, true, true],
  );
});

for (const [name, list] of Object.entries({
  core: "wasm-imports.json",
  tokens: "wasm-imports-tokens.json",
})) {
  test(`the list of wasm imports of ${name} is the expected one`, () => {
    const wasm = readFileSync(join(folder, `node_modules/siltstone/wasm/${name}_bg.wasm`));
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(wasm));
    // wasm-bindgen appends a hash of the signature, which changes with its version.
    const names = imports.map(({ name, kind }) => `${kind} ${name.replace(/_[0-9a-f]{16}$/, "")}`);
    const found = [...new Set(names)].sort();
    const file = join(root, "tests/package/shared", list);
    assert.deepEqual(found, JSON.parse(readFileSync(file, "utf8")));
  });
}
