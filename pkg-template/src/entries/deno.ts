import { initSync, useLoader, useRest, useVocabulary } from "../main.js";
import o200k from "../vocab/o200k_base.browser.js";

export type * from "../index.js";
export { Siltstone, SiltstoneError } from "../main.js";

// Deno fetches file URLs as well, so this also works where the package comes over the network.
const compiled = async (url: URL) => WebAssembly.compile(await (await fetch(url)).arrayBuffer());

useLoader(async () => {
  initSync({ module: await compiled(new URL("../wasm/core_bg.wasm", import.meta.url)) });
});
useRest(() => compiled(new URL("../wasm/rest.wasm", import.meta.url)));
useVocabulary(o200k);
