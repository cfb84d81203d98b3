// workerd compiles modules at deployment only.
import module from "../wasm/tokens_bg.wasm";
import { counterFrom, initSync } from "./counter.js";
import type { MakeCounter } from "./make.js";

export * from "./exports.js";

export const tokenCounter: MakeCounter = counterFrom(() => initSync({ module }));
