// The built package, and what is needed to look into it.

export { Siltstone } from "../../dist/package/entries/node.js";
export { memoryHost } from "../../dist/package/hosts/memory.js";

import { initSync } from "../../dist/package/main.js";

/** Bytes of the module's memory. It never shrinks, so this is also the most that there was. */
export const wasmBytes = () => initSync().memory.buffer.byteLength;

/** Everything that a store holds, to put into another one. */
export const everything = ({ store }) =>
  store.range({ start: " ", end: "~~", limit: 2 ** 30, reverse: false });

/** Puts entries into a store. */
export const fill = ({ store }, entries) =>
  store.commit({
    checks: [],
    deletes: [],
    puts: entries.map(({ key, value }) => ({ key, value })),
  });
