// workerd compiles modules at deployment only.
import module from "../wasm/tokens_bg.wasm";
import { counterFrom, initSync } from "./counter.js";

export * from "./exports.js";

export const tokenCounter = counterFrom(() => initSync({ module }));
