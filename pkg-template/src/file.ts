/**
 * The bytes of a file of this package, in runtimes with the modules of Node.js. To import those, and to
 * have what reads without blocking, takes ten times as long as reading.
 */
export async function bytesAt(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const { readFileSync } = process.getBuiltinModule?.("node:fs") ?? (await import("node:fs"));
  return readFileSync(url);
}
