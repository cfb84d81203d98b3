import { SiltstoneError } from "../errors.js";
import type { VectorItem, VectorOptions, VectorStore } from "../host.js";
import { askJson, type Service } from "../http.js";
import { address, expect } from "../options.js";
import { batches, chunks } from "./items.js";

/** A Qdrant server (1.10 or newer). */
export interface QdrantOptions {
  /** Such as `http://localhost:6333`. */
  baseUrl: string;
  apiKey?: string | undefined;
  /**
   * `siltstone` without it. It is made, for the length of the first vector, when it is not there:
   * another embedder needs another one.
   */
  collection?: string | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

const BATCH = 200;

/** Vectors in Qdrant, over HTTP: a point for each, with its namespace and cube as payload. */
export function qdrant(options: QdrantOptions): VectorStore {
  const { baseUrl, apiKey, collection = "siltstone", fetch } = options;
  expect("collection", /^[\w-]+$/.test(collection), "letters, digits, `_` and `-`");
  const url = `${address(baseUrl, apiKey)}/collections/${collection}`;
  const service: Service = { who: "Qdrant", code: "service_failed", secret: apiKey, fetch };
  const ask = (
    method: string,
    path: string,
    body: unknown,
    { timeoutMs, signal }: VectorOptions,
  ): Promise<unknown> => {
    const headers: Record<string, string> = apiKey ? { "api-key": apiKey } : {};
    const request = { url: `${url}${path}`, method, headers, body, timeoutMs, signal };
    // All of these say what is to be, so that sending one twice does no harm.
    return askJson(service, { ...request, repeat: "always" });
  };
  const create = async (size: number, asked: VectorOptions) => {
    await unless(409, ask("PUT", "", { vectors: { size, distance: "Cosine" } }, asked));
    const indexes = [
      { field_name: "namespace", field_schema: { type: "keyword", is_tenant: true } },
      { field_name: "cube", field_schema: "keyword" },
    ];
    for (const index of indexes) {
      await ask("PUT", "/index?wait=true", index, asked);
    }
  };
  return {
    async upsert(items, asked) {
      for (const batch of batches(items, BATCH)) {
        const put = () => ask("PUT", "/points?wait=true", { points: batch.map(point) }, asked);
        if ((await unless(404, put())) === undefined) {
          await create(batch[0]?.vector.length ?? 0, asked);
          await put();
        }
      }
    },
    async query({ namespace, cubes, vector, topK }, asked) {
      if (cubes.length === 0) {
        return [];
      }
      const must = [matches("namespace", namespace), { key: "cube", match: { any: cubes } }];
      const body = { query: Array.from(vector), filter: { must }, limit: topK };
      const answer = await unless(404, ask("POST", "/points/query", body, asked));
      const { result } = (answer ?? {}) as { result?: { points: { id: string; score: number }[] } };
      return (result?.points ?? []).map(({ id, score }) => ({ id, score }));
    },
    async delete(namespace, ids, asked) {
      for (const has_id of chunks(ids, 1_000)) {
        const must = [{ has_id }, matches("namespace", namespace)];
        await unless(404, ask("POST", "/points/delete?wait=true", { filter: { must } }, asked));
      }
    },
  };
}

function point({ id, namespace, cube, vector }: VectorItem) {
  return { id, vector: Array.from(vector), payload: { namespace, cube } };
}

function matches(key: string, value: string) {
  return { key, match: { value } };
}

/** `undefined` where the server answers this status: the collection is not there, or already is. */
async function unless<T>(status: number, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof SiltstoneError && error.details?.status === status) {
      return undefined;
    }
    throw error;
  }
}
