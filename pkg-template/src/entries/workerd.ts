import { initSync, useLoader, useRest, useVocabulary } from "../main.js";
import o200k from "../vocab/o200k_base.workerd.js";
// workerd compiles modules at deployment only: the bytes may not come from anywhere else.
import module from "../wasm/core_bg.wasm";

export type * from "../index.js";
export { Siltstone, SiltstoneError } from "../main.js";

useLoader(() => initSync({ module }));
useRest(async () => (await import("../wasm/rest.wasm")).default);
useVocabulary(o200k);
