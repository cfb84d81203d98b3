// What the wasm module asks of JavaScript: nothing but what the binding is known to need.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { installPackage, root } from "./support.mjs";

test("the list of wasm imports is the expected one", () => {
  const folder = installPackage();
  const wasm = readFileSync(join(folder, "node_modules/siltstone/wasm/core_bg.wasm"));
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(wasm));
  // wasm-bindgen appends a hash of the signature, which changes with its version.
  const names = imports.map(({ name, kind }) => `${kind} ${name.replace(/_[0-9a-f]{16}$/, "")}`);
  const found = [...new Set(names)].sort();
  const file = join(root, "tests/package/shared/wasm-imports.json");
  assert.deepEqual(found, JSON.parse(readFileSync(file, "utf8")));
});
