import { ready } from "../ready.js";
import load from "../wasm/core.js";

export * from "../index.js";

/** Where the WebAssembly module is: compiled, as bytes, as a response, or at a URL. */
export type ModuleSource = WebAssembly.Module | BufferSource | Response | URL | string;

/**
 * Loads the WebAssembly module. Call it once before `Siltstone.create`; after a success, further
 * calls do nothing.
 */
export function init(source: ModuleSource | Promise<ModuleSource>): Promise<void> {
  return ready(() => load({ module_or_path: source }));
}
