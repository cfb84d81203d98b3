import { SiltstoneError } from "../errors.js";
import type { VectorItem, VectorStore } from "../host.js";
import { expect } from "../options.js";
import { batches, chunks, ranked } from "./items.js";

/** What is used of the binding of a Vectorize index (V2). */
export interface VectorizeIndex {
  upsert(vectors: never[]): Promise<unknown>;
  query(vector: never, options: never): Promise<{ matches: { id: string; score: number }[] }>;
  deleteByIds(ids: string[]): Promise<unknown>;
}

/** Vectorize takes this many vectors in one call of a Worker, and as many ids. */
const BATCH = 1_000;
/** Answers at most, when neither values nor metadata are asked for. */
const MAX_TOP_K = 100;
/** A filter is at most 2,048 bytes of JSON. */
const CUBES_PER_QUERY = 15;
/** What is indexed of a string. */
const INDEXED_BYTES = 64;

/**
 * Vectors in Cloudflare Vectorize. Make the index for your embedder, of up to 1,536 dimensions, and
 * before the first vector the metadata index that cubes are found by:
 *
 * ```sh
 * wrangler vectorize create memories --dimensions=1024 --metric=cosine
 * wrangler vectorize create-metadata-index memories --property-name=cube --type=string
 * ```
 *
 * Vectorize is eventually consistent: what is written shows in queries a few seconds later. Until
 * then recall finds it by its words.
 */
export function vectorize(index: VectorizeIndex): VectorStore {
  expect("index", typeof index?.deleteByIds === "function", "the binding of a Vectorize index");
  return {
    async upsert(items, { signal }) {
      for (const batch of batches(items, BATCH)) {
        const vectors = await Promise.all(batch.map(wireVector));
        signal.throwIfAborted();
        await told(index.upsert(vectors as never[]));
      }
    },
    async query({ namespace, cubes, vector, topK }, { signal }) {
      const values = Array.from(vector);
      const names = await Promise.all(cubes.map(indexed));
      signal.throwIfAborted();
      const answers = await Promise.all(
        chunks(names, CUBES_PER_QUERY).map((some) => {
          const options = {
            topK: Math.min(topK, MAX_TOP_K),
            namespace,
            returnValues: false,
            returnMetadata: "none",
            filter: { cube: { $in: some } },
          };
          return told(index.query(values as never, options as never));
        }),
      );
      const matches = answers.flatMap((answer) => answer.matches);
      return ranked(
        matches.map(({ id, score }) => ({ id: memoryId(id), score })),
        topK,
      );
    },
    async delete(namespace, ids, { signal }) {
      for (const batch of chunks(ids, BATCH)) {
        signal.throwIfAborted();
        await told(index.deleteByIds(batch.map((id) => vectorId(namespace, id))));
      }
    },
  };
}

async function wireVector({ id, namespace, cube, vector }: VectorItem) {
  return {
    id: vectorId(namespace, id),
    namespace,
    values: Array.from(vector),
    metadata: { cube: await indexed(cube) },
  };
}

/** Deleting knows no namespaces, so an id begins with its own: together 64 bytes, the limit. */
function vectorId(namespace: string, id: string): string {
  return `${namespace}${id.replaceAll("-", "")}`;
}

function memoryId(vectorId: string): string {
  return vectorId.slice(-32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** A cube's name, or its hash where the index would cut it, and take two cubes for one. */
async function indexed(cube: string): Promise<string> {
  const bytes = new TextEncoder().encode(cube);
  if (bytes.length <= INDEXED_BYTES) {
    return cube;
  }
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    throw new SiltstoneError("service_failed", `Vectorize failed: ${text}`, {
      details: { reason: "status" },
      cause,
    });
  }
}
