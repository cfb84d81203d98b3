import { readFile } from "node:fs/promises";
import { counterFrom, initSync } from "./counter.js";
import type { MakeCounter } from "./make.js";

export * from "./exports.js";

export const tokenCounter: MakeCounter = counterFrom(async () => {
  const bytes = await readFile(new URL("../wasm/tokens_bg.wasm", import.meta.url));
  return initSync({ module: await WebAssembly.compile(bytes) });
});
