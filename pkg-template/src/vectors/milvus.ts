import type { VectorItem, VectorOptions, VectorStore } from "../host.js";
import { askJson, fault, type Service } from "../http.js";
import { address, expect } from "../options.js";
import { batches, chunks, ranked } from "./items.js";

/** A Milvus server, or a cluster of Zilliz Cloud. */
export interface MilvusOptions {
  /** Such as `http://localhost:19530`. */
  baseUrl: string;
  /** A token, or `user:password`. */
  apiKey?: string | undefined;
  /** The database; the server's default one without it. */
  database?: string | undefined;
  /**
   * `siltstone` without it. It is made, for the length of the first vector, when it is not there:
   * another embedder needs another one.
   */
  collection?: string | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

interface Answer {
  code?: number;
  message?: string;
  data?: unknown;
}

const BATCH = 200;
/** Milvus's code for a collection that is not there. */
const NOT_FOUND = 100;

/** Vectors in Milvus, over its RESTful API v2. */
export function milvus(options: MilvusOptions): VectorStore {
  const { baseUrl, apiKey, database, collection = "siltstone", fetch } = options;
  expect("collection", /^[A-Za-z_]\w*$/.test(collection), "letters, digits and `_`");
  const url = `${address(baseUrl, apiKey)}/v2/vectordb`;
  const service: Service = { who: "Milvus", code: "service_failed", secret: apiKey, fetch };
  const names = { ...(database && { dbName: database }), collectionName: collection };
  /** `undefined` where the collection is not there. */
  const ask = async (path: string, body: object, { timeoutMs, signal }: VectorOptions) => {
    const answer = (await askJson(service, {
      url: `${url}${path}`,
      method: "POST",
      headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
      body: { ...names, ...body },
      // All of these say what is to be, so that sending one twice does no harm.
      repeat: "always",
      timeoutMs,
      signal,
    })) as Answer | null;
    if (answer?.code === NOT_FOUND) {
      return undefined;
    }
    // A failure has HTTP status 200 as well.
    if (answer?.code !== 0) {
      throw fault(service, "status", `answered code ${answer?.code}: ${answer?.message}`);
    }
    return answer;
  };
  return {
    async upsert(items, asked) {
      for (const batch of batches(items, BATCH)) {
        const put = () => ask("/entities/upsert", { data: batch.map(entity) }, asked);
        if ((await put()) === undefined) {
          await ask("/collections/create", definition(batch[0]?.vector.length ?? 0), asked);
          if ((await put()) === undefined) {
            throw fault(service, "status", "made a collection that is not there");
          }
        }
      }
    },
    async query({ namespace, cubes, vector, topK }, asked) {
      if (cubes.length === 0) {
        return [];
      }
      const body = {
        data: [Array.from(vector)],
        annsField: "vector",
        filter: `namespace == ${quoted(namespace)} and cube in ${list(cubes)}`,
        limit: topK,
        outputFields: ["id"],
        searchParams: { metricType: "COSINE", params: {} },
      };
      const found = ((await ask("/entities/search", body, asked))?.data ?? []) as {
        id: string;
        distance: number;
      }[];
      return ranked(
        found.map(({ id, distance }) => ({ id, score: distance })),
        topK,
      );
    },
    async delete(namespace, ids, asked) {
      for (const batch of chunks(ids, 1_000)) {
        const filter = `id in ${list(batch)} and namespace == ${quoted(namespace)}`;
        await ask("/entities/delete", { filter }, asked);
      }
    },
  };
}

/** A collection whose reads see what was written before. */
function definition(dimensions: number) {
  const text = (fieldName: string, max_length: number, more = {}) => ({
    fieldName,
    dataType: "VarChar",
    elementTypeParams: { max_length },
    ...more,
  });
  return {
    schema: {
      autoId: false,
      enableDynamicField: false,
      fields: [
        text("id", 36, { isPrimary: true }),
        text("namespace", 32, { isPartitionKey: true }),
        text("cube", 256),
        { fieldName: "vector", dataType: "FloatVector", elementTypeParams: { dim: dimensions } },
      ],
    },
    indexParams: [
      { fieldName: "vector", indexName: "vector", metricType: "COSINE", indexType: "AUTOINDEX" },
    ],
    params: { consistencyLevel: "Strong" },
  };
}

function entity({ id, namespace, cube, vector }: VectorItem) {
  return { id, namespace, cube, vector: Array.from(vector) };
}

function list(texts: readonly string[]): string {
  return `[${texts.map(quoted).join(", ")}]`;
}

/** A string of Milvus's filter language, whose escapes are JSON's. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
