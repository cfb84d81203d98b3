// An object of the shape of a Vectorize (V2) binding, since there is no local one: it keeps the
// documented limits, compares vectors, and shows what was written only after `settle`.

import { nearest } from "./compare.mjs";

export class VectorizeStandIn {
  #dimensions;
  #vectors = new Map();
  #mutations = [];

  constructor(dimensions) {
    this.#dimensions = dimensions;
  }

  get size() {
    return this.#vectors.size;
  }

  async upsert(vectors) {
    expect(vectors.length <= 1_000, "VECTOR_UPSERT_ERROR: at most 1000 vectors");
    for (const { id, namespace, values, metadata, ...unknown } of vectors) {
      expect(Object.keys(unknown).length === 0, "VECTOR_UPSERT_ERROR: unknown field");
      expect(Buffer.byteLength(id) <= 64, `VECTOR_UPSERT_ERROR: id too long; max is 64 bytes`);
      expect(Buffer.byteLength(namespace) <= 64, "VECTOR_UPSERT_ERROR: namespace too long");
      expect(values.length === this.#dimensions, "VECTOR_UPSERT_ERROR: wrong dimensions");
      expect(values.every(Number.isFinite), "VECTOR_UPSERT_ERROR: values must be numbers");
      expect(JSON.stringify(metadata).length <= 10_240, "VECTOR_UPSERT_ERROR: metadata too large");
    }
    const copies = structuredClone(vectors);
    return this.#mutate(() => {
      for (const { values, ...vector } of copies) {
        this.#vectors.set(vector.id, { ...vector, vector: Float32Array.from(values) });
      }
    });
  }

  async deleteByIds(ids) {
    expect(ids.length > 0 && ids.length <= 1_000, "VECTOR_DELETE_ERROR: 1 to 1000 ids");
    return this.#mutate(() => {
      for (const id of ids) {
        this.#vectors.delete(id);
      }
    });
  }

  async query(vector, { topK, namespace, filter, returnValues, returnMetadata }) {
    expect(vector.length === this.#dimensions, "VECTOR_QUERY_ERROR: wrong dimensions");
    const isBare = returnValues === false && returnMetadata === "none";
    expect(topK >= 1 && topK <= (isBare ? 100 : 20), "VECTOR_QUERY_ERROR: topK is out of range");
    expect(JSON.stringify(filter).length <= 2_048, "VECTOR_QUERY_ERROR: filter is too large");
    const fields = Object.entries(filter);
    expect(
      fields.every(([, { $in }]) => $in.length > 0),
      "VECTOR_QUERY_ERROR: $in is empty",
    );
    const allowed = [...this.#vectors.values()].filter(
      (one) =>
        one.namespace === namespace &&
        fields.every(([name, { $in }]) => $in.map(cut).includes(cut(one.metadata[name]))),
    );
    const matches = nearest(allowed, vector, topK).map(({ id, namespace: of, score }) => ({
      id,
      namespace: of,
      score,
    }));
    return { count: matches.length, matches };
  }

  /** Does what was asked since the last time. */
  async settle() {
    for (const mutation of this.#mutations.splice(0)) {
      mutation();
    }
  }

  #mutate(mutation) {
    this.#mutations.push(mutation);
    return { mutationId: crypto.randomUUID() };
  }
}

/** A metadata index holds the first 64 bytes of a string. */
function cut(text) {
  return Buffer.from(text).subarray(0, 64).toString();
}

function expect(holds, message) {
  if (!holds) {
    throw new Error(message);
  }
}
