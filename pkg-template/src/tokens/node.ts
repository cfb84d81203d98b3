import { bytesAt } from "../file.js";
import { counterFrom, initSync } from "./counter.js";
import type { MakeCounter } from "./make.js";

export * from "./exports.js";

export const tokenCounter: MakeCounter = counterFrom(async () => {
  const bytes = await bytesAt(new URL("../wasm/tokens_bg.wasm", import.meta.url));
  return initSync({ module: await WebAssembly.compile(bytes) });
});
