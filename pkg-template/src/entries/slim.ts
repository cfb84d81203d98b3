import { initSync, load, ready } from "../main.js";

export type * from "../index.js";
export { Siltstone, SiltstoneError } from "../main.js";

/** `WebAssembly.Module`, of which the types of Node.js know nothing. */
export type CompiledModule = typeof globalThis extends {
  WebAssembly: { Module: { prototype: infer Module } };
}
  ? Module
  : object;

/** Where the WebAssembly module is: compiled, as bytes, as a response, or at a URL. */
export type ModuleSource = CompiledModule | ArrayBuffer | ArrayBufferView | Response | URL | string;

/**
 * Loads the WebAssembly module. Call it once before `Siltstone.create`; after a success, further
 * calls do nothing.
 */
export function init(source: ModuleSource | Promise<ModuleSource>): Promise<void> {
  return ready(async () => start(await source));
}

async function start(source: ModuleSource): Promise<void> {
  // The glue would look whether this is a `Response`, and Node.js takes 15 ms to have that class.
  if (source instanceof WebAssembly.Module) {
    initSync({ module: source });
  } else if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    initSync({ module: await WebAssembly.compile(source as BufferSource) });
  } else {
    await load({ module_or_path: source as URL });
  }
}
