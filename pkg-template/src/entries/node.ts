import { readFile } from "node:fs/promises";
import { initSync, useLoader, useVocabulary } from "../main.js";
import o200k from "../vocab/o200k_base.node.js";

export type * from "../index.js";
export { Siltstone, SiltstoneError } from "../main.js";

useLoader(async () => {
  const bytes = await readFile(new URL("../wasm/core_bg.wasm", import.meta.url));
  initSync({ module: await WebAssembly.compile(bytes) });
});
useVocabulary(o200k);
