import { readFile } from "node:fs/promises";
import { useLoader } from "../ready.js";
import o200k from "../vocab/o200k_base.node.js";
import { useVocabulary } from "../vocabularies.js";
import { initSync } from "../wasm/core.js";

export * from "../index.js";

useLoader(async () => {
  const bytes = await readFile(new URL("../wasm/core_bg.wasm", import.meta.url));
  initSync({ module: await WebAssembly.compile(bytes) });
});
useVocabulary(o200k);
