import { useLoader } from "../ready.js";
import o200k from "../vocab/o200k_base.workerd.js";
import { useVocabulary } from "../vocabularies.js";
import { initSync } from "../wasm/core.js";
// workerd compiles modules at deployment only: the bytes may not come from anywhere else.
import module from "../wasm/core_bg.wasm";

export * from "../index.js";

useLoader(() => initSync({ module }));
useVocabulary(o200k);
