import { SiltstoneError } from "./errors.js";

/** Loads the WebAssembly module into the glue. */
export type Loader = () => unknown;

let entryLoader: Loader | undefined;
let loading: Promise<void> | undefined;

/** Says how this runtime loads the module; nothing is loaded yet. */
export function useLoader(loader: Loader): void {
  entryLoader = loader;
}

/** Loads the module once. After a failure the next call tries again. */
export function ready(loader: Loader | undefined = entryLoader): Promise<void> {
  loading ??= start(loader).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function start(loader: Loader | undefined): Promise<void> {
  if (loader === undefined) {
    throw new SiltstoneError(
      "not_initialized",
      'siltstone/slim does not load its WebAssembly module by itself: call `await init(source)` from "siltstone/slim" before `Siltstone.create`',
    );
  }
  try {
    await loader();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SiltstoneError(
      "not_initialized",
      `the WebAssembly module could not be loaded: ${reason}. Where the module is not beside the code (some bundlers), import "siltstone/slim" and call \`await init(source)\` with the bytes, the URL or the compiled module of "siltstone/core.wasm"`,
      { cause },
    );
  }
}
