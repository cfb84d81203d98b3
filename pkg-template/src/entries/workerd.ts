import { useLoader } from "../ready.js";
import { initSync } from "../wasm/core.js";
// workerd compiles modules at deployment only: the bytes may not come from anywhere else.
import module from "../wasm/core_bg.wasm";

export * from "../index.js";

useLoader(() => initSync({ module }));
