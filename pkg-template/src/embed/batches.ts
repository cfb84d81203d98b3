import { failure } from "../llm/answer.js";

/** Embeds texts in batches, one after another, and checks that every text got its vector. */
export async function inBatches(
  texts: readonly string[],
  size: number,
  embed: (batch: string[]) => Promise<Float32Array[]>,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += size) {
    const batch = texts.slice(at, at + size);
    const embedded = await embed(batch);
    if (embedded.length !== batch.length) {
      const message = `the embedder gave ${embedded.length} vectors for ${batch.length} texts`;
      throw failure("malformed", message);
    }
    vectors.push(...embedded);
  }
  return vectors;
}

/** A vector of a JSON answer. */
export function vectorOf(values: unknown): Float32Array {
  const isList = Array.isArray(values) || values instanceof Float32Array;
  if (!isList || values.length === 0 || !values.every(Number.isFinite)) {
    throw failure("malformed", "the embedder gave something else than vectors");
  }
  return values instanceof Float32Array ? values : Float32Array.from(values);
}
