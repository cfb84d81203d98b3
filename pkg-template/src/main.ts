// What every entry shares. The build makes one file of it: in Node.js, each file more delays a start by
// half a millisecond.
export * from "./index.js";
/** @internal */
export { ready, useLoader } from "./ready.js";
/** @internal */
export { fetched, useRest } from "./rest.js";
/** @internal */
export { useVocabulary } from "./vocabularies.js";
/** @internal */
export { default as load, initSync } from "./wasm/core.js";
