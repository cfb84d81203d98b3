import { installed } from "../vite.js";
import { counterFrom, load } from "./counter.js";
import type { MakeCounter } from "./make.js";

export * from "./exports.js";

export const tokenCounter: MakeCounter = counterFrom(() => {
  // Bundlers find the file by this very form, copy it and rewrite the URL.
  const url = new URL("../wasm/tokens_bg.wasm", import.meta.url);
  return load({ module_or_path: installed(url, "wasm/tokens_bg.wasm") });
});
