import { SiltstoneError } from "../errors.js";
import type { VectorStore } from "../host.js";
import { expect } from "../options.js";
import { batches, chunks } from "./items.js";

/** What is used of a PostgreSQL client: a pool or client of `pg`, Neon's, PGlite … */
export interface PgClient {
  query(text: string, params: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Where the vectors are kept. */
export interface PgVectorOptions {
  /** The table, with its schema if you like: `siltstone_vectors` without it. */
  table?: string;
}

const BATCH = 500;

/**
 * Vectors in PostgreSQL with the extension `vector`. The table is made when it turns out not to be
 * there. A query compares exactly, over the vectors of one namespace, which the primary key finds;
 * an approximate index over all namespaces would give fewer answers than were asked for.
 */
export function pgvector(client: PgClient, options: PgVectorOptions = {}): VectorStore {
  const { table = "siltstone_vectors" } = options;
  expect("client", typeof client?.query === "function", "a client with `query(text, params)`");
  expect("table", /^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/.test(table), "a name in lower case");
  const run = async (signal: AbortSignal, text: string, params: unknown[]) => {
    for (const isFirst of [true, false]) {
      signal.throwIfAborted();
      try {
        return (await client.query(text, params)).rows;
      } catch (error) {
        if (!isFirst || !isMissing(error)) {
          throw failed(error);
        }
      }
      await create(client, table);
    }
    return [];
  };
  return {
    async upsert(items, { signal }) {
      for (const batch of batches(items, BATCH)) {
        const rows = batch.map(({ vector, ...row }) => ({ ...row, vector: literal(vector) }));
        await run(signal, upsertSql(table), [JSON.stringify(rows)]);
      }
    },
    async query({ namespace, cubes, vector, topK }, { signal }) {
      const params = [literal(vector), namespace, JSON.stringify(cubes), topK];
      const rows = (await run(signal, querySql(table), params)) as { id: string; score: number }[];
      return rows.map(({ id, score }) => ({ id, score: Number(score) }));
    },
    async delete(namespace, ids, { signal }) {
      for (const batch of chunks(ids, 1_000)) {
        await run(signal, deleteSql(table), [namespace, JSON.stringify(batch)]);
      }
    },
  };
}

/** What makes the table, for those whose Worker may not: run it once as a migration. */
export function schema(table = "siltstone_vectors"): string[] {
  return [
    "CREATE EXTENSION IF NOT EXISTS vector",
    `CREATE TABLE IF NOT EXISTS ${table} (
      namespace text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      cube text COLLATE "C" NOT NULL,
      embedding vector NOT NULL,
      PRIMARY KEY (namespace, id)
    )`,
  ];
}

// Each list is one parameter, as JSON, so that every driver passes it alike.
const upsertSql = (table: string) => `INSERT INTO ${table} (namespace, id, cube, embedding)
  SELECT namespace, id, cube, vector::vector
  FROM json_to_recordset($1::text::json) AS i(namespace text, id text, cube text, vector text)
  ON CONFLICT (namespace, id) DO UPDATE SET cube = excluded.cube, embedding = excluded.embedding`;

// The vectors of another embedder cannot be compared, and would fail the query.
const querySql = (table: string) => `SELECT id, 1 - (embedding <=> q.v) AS score
  FROM (SELECT $1::text::vector AS v) AS q, ${table}
  WHERE namespace = $2::text
    AND cube IN (SELECT json_array_elements_text($3::text::json))
    AND vector_dims(embedding) = vector_dims(q.v)
  ORDER BY embedding <=> q.v, id
  LIMIT $4::int`;

const deleteSql = (table: string) => `DELETE FROM ${table}
  WHERE namespace = $1::text AND id IN (SELECT json_array_elements_text($2::text::json))`;

async function create(client: PgClient, table: string): Promise<void> {
  try {
    for (const sql of schema(table)) {
      await client.query(sql, []);
    }
  } catch (error) {
    // Another one made it at the same moment: unique_violation, duplicate_object, duplicate_table.
    if (!["23505", "42710", "42P07"].includes(codeOf(error))) {
      throw failed(error);
    }
  }
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code);
}

/** PostgreSQL's undefined_table, and undefined_object where the type `vector` is not there yet. */
function isMissing(error: unknown): boolean {
  return ["42P01", "42704"].includes(codeOf(error));
}

function literal(vector: Float32Array): string {
  return `[${vector.join()}]`;
}

function failed(cause: unknown): SiltstoneError {
  const text = cause instanceof Error ? cause.message : String(cause);
  return new SiltstoneError("service_failed", `PostgreSQL failed: ${text}`, {
    details: { reason: "status" },
    cause,
  });
}
