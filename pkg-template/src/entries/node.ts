import { bytesAt } from "../file.js";
import { initSync, useLoader, useRest, useVocabulary } from "../main.js";
import o200k from "../vocab/o200k_base.node.js";

export type * from "../index.js";
export { Siltstone, SiltstoneError } from "../main.js";

const compiled = async (url: URL) => WebAssembly.compile(await bytesAt(url));

useLoader(async () => {
  initSync({ module: await compiled(new URL("../wasm/core_bg.wasm", import.meta.url)) });
});
useRest(() => compiled(new URL("../wasm/rest.wasm", import.meta.url)));
useVocabulary(o200k);
