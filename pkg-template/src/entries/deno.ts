import { initSync, useLoader, useVocabulary } from "../main.js";
import o200k from "../vocab/o200k_base.browser.js";

export type * from "../index.js";
export { Siltstone, SiltstoneError } from "../main.js";

// Deno fetches file URLs as well, so this also works where the package comes over the network.
useLoader(async () => {
  const response = await fetch(new URL("../wasm/core_bg.wasm", import.meta.url));
  initSync({ module: await WebAssembly.compile(await response.arrayBuffer()) });
});
useVocabulary(o200k);
