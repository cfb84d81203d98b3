// Speaks what is used of Milvus's RESTful API v2, strictly, and compares vectors.

import { nearest } from "./compare.mjs";
import { matcher } from "./milvus-filter.mjs";
import { serve } from "./serve.mjs";
import {
  bool,
  list,
  object,
  oneOf,
  optional,
  problems,
  shape,
  string,
  vector,
  whole,
} from "./strict.mjs";

const collectionName = { dbName: optional(string), collectionName: string };
const SHAPES = {
  "/collections/create": shape({
    ...collectionName,
    schema: shape({
      autoId: bool,
      enableDynamicField: bool,
      fields: list(
        shape({
          fieldName: string,
          dataType: oneOf("VarChar", "FloatVector"),
          isPrimary: optional(bool),
          isPartitionKey: optional(bool),
          elementTypeParams: shape({ max_length: optional(whole(1)), dim: optional(whole(2)) }),
        }),
      ),
    }),
    indexParams: list(
      shape({
        fieldName: string,
        indexName: string,
        metricType: oneOf("COSINE"),
        indexType: oneOf("AUTOINDEX"),
      }),
    ),
    params: shape({ consistencyLevel: oneOf("Strong", "Bounded", "Session", "Eventually") }),
  }),
  "/entities/upsert": shape({ ...collectionName, data: list(object) }),
  "/entities/search": shape({
    ...collectionName,
    data: list(vector),
    annsField: string,
    filter: optional(string),
    limit: whole(1),
    outputFields: optional(list(string)),
    searchParams: optional(shape({ metricType: oneOf("COSINE"), params: object })),
  }),
  "/entities/delete": shape({ ...collectionName, filter: string }),
};

/** A Milvus without collections. */
export async function startMilvus({ token } = {}) {
  const collections = new Map();
  const server = await serve(({ method, path, headers, body }) => {
    if (token !== undefined && headers.authorization !== `Bearer ${token}`) {
      return failed(1800, "user hasn't authenticated");
    }
    const action = path.replace("/v2/vectordb", "");
    if (method !== "POST" || !Object.hasOwn(SHAPES, action)) {
      return { status: 404, body: "404 page not found" };
    }
    const [wrong] = problems(body, SHAPES[action]);
    if (wrong) {
      return failed(
        1801,
        `can only accept json format request: ${wrong.loc.join(".")}: ${wrong.msg}`,
      );
    }
    const name = `${body.dbName ?? "default"}/${body.collectionName}`;
    if (action === "/collections/create") {
      // Made again with the same schema, Milvus is content.
      if (!collections.has(name)) {
        collections.set(name, { fields: body.schema.fields, entities: new Map() });
      }
      return done({});
    }
    const collection = collections.get(name);
    if (!collection) {
      return failed(
        100,
        `can't find collection[database=default][collection=${body.collectionName}]`,
      );
    }
    try {
      return ACTIONS[action](collection, body);
    } catch (error) {
      return failed(1100, error.message);
    }
  });
  return { ...server, collections };
}

const ACTIONS = {
  "/entities/upsert"({ fields, entities }, { data }) {
    const ids = new Set(data.map(({ id }) => id));
    if (ids.size !== data.length) {
      return failed(1100, "duplicate primary keys are not allowed in the same batch");
    }
    for (const entity of data) {
      checkEntity(entity, fields);
    }
    for (const entity of data) {
      entities.set(entity.id, { ...entity, vector: Float32Array.from(entity.vector) });
    }
    return done({ upsertCount: data.length, upsertIds: [...ids] });
  },
  "/entities/search"({ fields, entities }, { data, filter = "", limit, annsField }) {
    const { dim } = fields.find(({ fieldName }) => fieldName === annsField).elementTypeParams;
    if (data[0].length !== dim) {
      return failed(1100, `vector dimension mismatch, expected vector size(byte) ${dim * 4}`);
    }
    const found = nearest([...entities.values()].filter(matcher(filter)), data[0], limit);
    return done(found.map(({ id, score }) => ({ distance: score, id })));
  },
  "/entities/delete"({ entities }, { filter }) {
    if (filter === "") {
      return failed(1100, "filter is required");
    }
    for (const entity of [...entities.values()].filter(matcher(filter))) {
      entities.delete(entity.id);
    }
    return done({});
  },
};

function checkEntity(entity, fields) {
  const types = fields.map(({ fieldName, dataType, elementTypeParams: { max_length, dim } }) => {
    const takes =
      dataType === "VarChar"
        ? (value) => typeof value === "string" && Buffer.byteLength(value) <= max_length
        : (value) => vector.holds(value) && value.length === dim;
    return [fieldName, { expected: `${dataType} of ${max_length ?? dim}`, holds: takes }];
  });
  const [wrong] = problems(entity, shape(Object.fromEntries(types)), []);
  if (wrong) {
    throw new Error(`${wrong.loc.join(".")}: ${wrong.msg}`);
  }
}

function done(data) {
  return { body: { code: 0, cost: 0, data } };
}

/** Most failures of Milvus have HTTP status 200. */
function failed(code, message) {
  return { body: { code, message } };
}
