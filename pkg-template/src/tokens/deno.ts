import { counterFrom, initSync } from "./counter.js";
import type { MakeCounter } from "./make.js";

export * from "./exports.js";

// Deno fetches file URLs as well.
export const tokenCounter: MakeCounter = counterFrom(async () => {
  const response = await fetch(new URL("../wasm/tokens_bg.wasm", import.meta.url));
  return initSync({ module: await WebAssembly.compile(await response.arrayBuffer()) });
});
