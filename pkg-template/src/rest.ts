import { SiltstoneError } from "./errors.js";
import { initSync } from "./wasm/core.js";

/** Gives the rest of the WebAssembly module, compiled. */
export type RestLoader = () => unknown;

let entryLoader: RestLoader | undefined;
let loading: Promise<void> | undefined;

/** Says how this runtime loads the rest of the module; nothing is loaded yet. */
export function useRest(loader: RestLoader): void {
  entryLoader = loader;
}

/** Loads what no turn needs, once for all instances. After a failure the next call tries again. */
export function rest(): Promise<void> {
  loading ??= start().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function start(): Promise<void> {
  if (entryLoader === undefined) {
    throw new SiltstoneError(
      "not_initialized",
      'this call needs the second part of the WebAssembly module: give `init` of "siltstone/slim" a way to "siltstone/rest.wasm", as `init(source, { rest })`',
    );
  }
  try {
    const module = (await entryLoader()) as WebAssembly.Module;
    await WebAssembly.instantiate(module, { m: taken(module) });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SiltstoneError(
      "not_initialized",
      `the second part of the WebAssembly module could not be loaded: ${reason}. The next call that needs it tries again`,
      { cause },
    );
  }
}

/** What the rest takes from the first part, which is loaded by now: functions by their places in its table. */
function taken(rest: WebAssembly.Module): WebAssembly.ModuleImports {
  const first = initSync({ module: rest }) as unknown as Record<string, WebAssembly.ExportValue>;
  const imports = WebAssembly.Module.imports(rest);
  // Its name tells the build.
  const { name } = imports.find(({ kind }) => kind === "table") ?? { name: "" };
  const table = first[name] as WebAssembly.Table | undefined;
  if (table === undefined) {
    throw new Error("it is of another build than the first part");
  }
  return Object.fromEntries(
    imports.map(({ kind, name }) => [
      name,
      (kind === "function" ? table.get(Number(name)) : first[name]) as WebAssembly.ExportValue,
    ]),
  );
}

/** Whether a request asks for cold memories: what warms them is in the rest. */
export function isCold(request: unknown): boolean {
  return (request as { cold?: unknown } | null)?.cold === true;
}

/** The module that is at a URL, compiled. */
export async function fetched(url: URL | string): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`${response.status} ${response.statusText} fetching ${response.url}`);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}
