// Speaks what is used of Qdrant's HTTP API, strictly, and compares vectors.

import { nearest } from "./compare.mjs";
import { serve } from "./serve.mjs";
import {
  bool,
  either,
  list,
  number,
  object,
  oneOf,
  optional,
  problems,
  shape,
  string,
  vector,
  whole,
} from "./strict.mjs";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const MAX_BODY_BYTES = 32 * 1024 * 1024;
const pointId = { expected: "an unsigned integer or a UUID", holds: (id) => UUID.test(id) };
const field = shape({
  key: string,
  match: either(
    {
      expected: "{ value }",
      holds: (match) => problems(match, shape({ value: string })).length === 0,
    },
    {
      expected: "{ any }",
      holds: (match) => problems(match, shape({ any: list(string) })).length === 0,
    },
  ),
});
const hasId = shape({ has_id: list(pointId) });
const condition = either(
  { expected: "a field condition", holds: (one) => problems(one, field).length === 0 },
  { expected: "has_id", holds: (one) => problems(one, hasId).length === 0 },
);
const filter = shape({ must: list(condition) });

const SHAPES = {
  create: shape({ vectors: shape({ size: whole(1), distance: oneOf("Cosine") }) }),
  index: shape({
    field_name: string,
    field_schema: either(oneOf("keyword"), {
      expected: "keyword parameters",
      holds: (schema) =>
        problems(schema, shape({ type: oneOf("keyword"), is_tenant: optional(bool) })).length === 0,
    }),
  }),
  upsert: shape({ points: list(shape({ id: pointId, vector, payload: object })) }),
  query: shape({
    query: vector,
    filter: optional(filter),
    limit: whole(1),
    with_payload: optional(bool),
    score_threshold: optional(number(-1, 1)),
  }),
  delete: shape({ filter }),
};

/** A Qdrant without collections. */
export async function startQdrant({ apiKey } = {}) {
  const collections = new Map();
  const server = await serve(({ method, path, query, headers, body }) => {
    if (apiKey !== undefined && headers["api-key"] !== apiKey) {
      return { status: 401, body: "Must provide an API key or an Authorization bearer token" };
    }
    const [, root, name, ...rest] = path.split("/");
    const action = `${method} ${rest.join("/")}`.trim();
    const kind = {
      PUT: "create",
      "PUT index": "index",
      "PUT points": "upsert",
      "POST points/query": "query",
      "POST points/delete": "delete",
    }[action];
    if (root !== "collections" || kind === undefined) {
      return failed(404, "no such path");
    }
    if (JSON.stringify(body).length > MAX_BODY_BYTES) {
      return { status: 413, body: "Payload Too Large" };
    }
    const [wrong] = problems(body, SHAPES[kind]);
    if (wrong) {
      return failed(400, `Format error in JSON body: ${wrong.loc.join(".")}: ${wrong.msg}`);
    }
    const collection = collections.get(name);
    if (kind === "create") {
      if (collection) {
        return failed(409, `Wrong input: Collection \`${name}\` already exists!`);
      }
      collections.set(name, { size: body.vectors.size, points: new Map(), indexes: new Map() });
      return done(true);
    }
    if (!collection) {
      return failed(404, `Not found: Collection \`${name}\` doesn't exist!`);
    }
    if (kind !== "query" && query.wait !== "true") {
      return failed(400, "this stand-in wants writes to be waited for");
    }
    return KINDS[kind](collection, body);
  });
  return { ...server, collections };
}

const KINDS = {
  index({ indexes }, { field_name, field_schema }) {
    indexes.set(field_name, field_schema);
    return done({ operation_id: 0, status: "completed" });
  },
  upsert({ size, points }, body) {
    const wrong = body.points.find((point) => point.vector.length !== size);
    if (wrong) {
      return failed(
        400,
        `Wrong input: Vector dimension error: expected dim: ${size}, got ${wrong.vector.length}`,
      );
    }
    for (const point of body.points) {
      points.set(point.id, { ...point, vector: Float32Array.from(point.vector) });
    }
    return done({ operation_id: 0, status: "completed" });
  },
  query({ size, points, indexes }, { query, filter: { must } = { must: [] }, limit }) {
    const unindexed = must.find(({ key }) => key !== undefined && !indexes.has(key));
    if (unindexed) {
      return failed(400, `Bad request: Index required but not found for "${unindexed.key}"`);
    }
    if (query.length !== size) {
      return failed(
        400,
        `Wrong input: Vector dimension error: expected dim: ${size}, got ${query.length}`,
      );
    }
    const allowed = [...points.values()].filter((point) => must.every((one) => meets(point, one)));
    const found = nearest(allowed, query, limit);
    return done({ points: found.map(({ id, score }) => ({ id, version: 0, score })) });
  },
  delete({ points }, { filter: { must } }) {
    for (const point of points.values()) {
      if (must.every((one) => meets(point, one))) {
        points.delete(point.id);
      }
    }
    return done({ operation_id: 0, status: "completed" });
  },
};

function meets({ id, payload }, { key, match, has_id }) {
  if (has_id) {
    return has_id.includes(id);
  }
  return match.any ? match.any.includes(payload[key]) : payload[key] === match.value;
}

function done(result) {
  return { body: { result, status: "ok", time: 0 } };
}

function failed(status, error) {
  return { status, body: { status: { error }, time: 0 } };
}
