import { useLoader } from "../ready.js";
import { installed } from "../vite.js";
import o200k from "../vocab/o200k_base.browser.js";
import { useVocabulary } from "../vocabularies.js";
import init from "../wasm/core.js";

export * from "../index.js";

// Bundlers find the file by this very form, copy it and rewrite the URL.
const url = new URL("../wasm/core_bg.wasm", import.meta.url);

useLoader(() => init({ module_or_path: installed(url, "wasm/core_bg.wasm") }));
useVocabulary(o200k);
