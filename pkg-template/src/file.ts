/**
 * The bytes of a file. Only in runtimes with the modules of Node.js, of which an import takes longer than
 * reading.
 */
export async function bytesAt(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const { readFile } =
    process.getBuiltinModule?.("node:fs/promises") ?? (await import("node:fs/promises"));
  return readFile(url);
}
