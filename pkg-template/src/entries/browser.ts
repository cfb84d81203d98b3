import { fetched, load, useLoader, useRest, useVocabulary } from "../main.js";
import { installed } from "../vite.js";
import o200k from "../vocab/o200k_base.browser.js";

export type * from "../index.js";
export { Siltstone, SiltstoneError } from "../main.js";

// Bundlers find the file by this very form, copy it and rewrite the URL.
const url = new URL("../wasm/core_bg.wasm", import.meta.url);

useLoader(() => load({ module_or_path: installed(url, "wasm/core_bg.wasm") }));
const rest = new URL("../wasm/rest.wasm", import.meta.url);

useRest(() => fetched(installed(rest, "wasm/rest.wasm")));
useVocabulary(o200k);
