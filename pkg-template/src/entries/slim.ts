import { fetched, initSync, load, ready, useRest } from "../main.js";

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

/** What {@link init} takes beside the module. */
export interface InitOptions {
  /**
   * Where the second part is, `siltstone/rest.wasm`: what no turn needs, such as ending a session. A
   * function is asked when a call first needs it.
   */
  rest?: ModuleSource | Promise<ModuleSource> | (() => ModuleSource | Promise<ModuleSource>);
}

/**
 * Loads the WebAssembly module. Call it once before `Siltstone.create`; after a success, further
 * calls do nothing.
 */
export function init(
  source: ModuleSource | Promise<ModuleSource>,
  { rest }: InitOptions = {},
): Promise<void> {
  if (rest !== undefined) {
    useRest(async () => compiled(await (typeof rest === "function" ? rest() : rest)));
  }
  return ready(async () => start(await source));
}

async function compiled(source: ModuleSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) {
    return source;
  }
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return WebAssembly.compile(source as BufferSource);
  }
  if (typeof source === "string" || source instanceof URL) {
    return fetched(source);
  }
  return WebAssembly.compile(await (source as Response).arrayBuffer());
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
