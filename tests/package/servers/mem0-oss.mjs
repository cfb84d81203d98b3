// Speaks the API of Mem0's open-source server, strictly.

import { Memories, once, textsOf } from "./memories.mjs";
import { serve } from "./serve.mjs";
import {
  bool,
  list,
  nullable,
  number,
  object,
  optional,
  problems,
  shape,
  string,
  whole,
} from "./strict.mjs";

const IDS = ["user_id", "agent_id", "run_id"];
const maybe = (rule) => optional(nullable(rule));
const ids = Object.fromEntries(IDS.map((name) => [name, maybe(string)]));
const ADD = shape({
  messages: list(shape({ role: string, content: string })),
  ...ids,
  metadata: maybe(object),
  infer: maybe(bool),
});
const SEARCH = shape({
  query: string,
  ...ids,
  filters: maybe(object),
  top_k: maybe(whole(1)),
  threshold: maybe(number(0, 1)),
});

/** A server without memories. `odd.noScore` leaves scores out. */
export async function startMem0Oss({ key, odd = {} } = {}) {
  const memories = new Memories();
  const routes = [
    [
      "POST",
      /^\/memories$/,
      ADD,
      ({ body }) => {
        const { messages, metadata, infer: _, ...of } = body;
        if (!IDS.some((name) => of[name])) {
          return failed(400, "At least one identifier (user_id, agent_id, run_id) is required.");
        }
        const results = textsOf(messages).map((text) => {
          const { id } = memories.add({ ...of, text, metadata: metadata ?? {} });
          return { id, memory: text, event: "ADD" };
        });
        return { body: { results } };
      },
    ],
    [
      "GET",
      /^\/memories$/,
      undefined,
      ({ query }) => {
        const asked = Object.entries(query).filter(([name]) => IDS.includes(name));
        if (asked.length === 0) {
          return failed(400, "At least one identifier is required.");
        }
        const found = memories.list((one) => asked.every(([name, value]) => one[name] === value));
        return { body: { results: found.map((one) => item(one, { noScore: true })) } };
      },
    ],
    [
      "POST",
      /^\/search$/,
      SEARCH,
      ({ body }) => {
        const { query, filters, top_k, threshold, ...of } = body;
        const wanted = Object.entries({ ...of, ...filters });
        if (!wanted.some(([name]) => IDS.includes(name))) {
          return failed(400, "At least one identifier is required.");
        }
        const isWanted = (one) => wanted.every(([name, value]) => one[name] === value);
        const found = memories.search(query, top_k ?? 10, isWanted);
        const results = found.filter(({ score }) => score >= (threshold ?? 0.1));
        return { body: { results: results.map((one) => item(one, odd)) } };
      },
    ],
    // One that is not there is `null`.
    [
      "GET",
      /^\/memories\/([^/]+)$/,
      undefined,
      ({ id }) => {
        const memory = memories.get(id);
        return { body: memory ? item(memory, { noScore: true }) : null };
      },
    ],
    [
      "DELETE",
      /^\/memories$/,
      undefined,
      ({ query }) => {
        const asked = Object.entries(query).filter(([name]) => IDS.includes(name));
        if (asked.length === 0) {
          return failed(400, "At least one identifier is required.");
        }
        const gone = memories.list((one) => asked.every(([name, value]) => one[name] === value));
        for (const { id } of gone) {
          memories.delete(id);
        }
        return { body: { message: "All relevant memories deleted" } };
      },
    ],
    [
      "DELETE",
      /^\/memories\/([^/]+)$/,
      undefined,
      ({ id }) => {
        if (!memories.delete(id)) {
          return failed(404, `Memory with id ${id} not found`);
        }
        return { body: { message: "Memory deleted successfully" } };
      },
    ],
  ];
  const server = await serve(
    once(odd, ({ method, path, query, headers, body }) => {
      if (key !== undefined && headers["x-api-key"] !== key) {
        return failed(401, "Invalid API key.");
      }
      const route = routes.find(([verb, pattern]) => verb === method && pattern.test(path));
      if (!route) {
        return failed(404, "Not Found");
      }
      const [, pattern, rules, action] = route;
      const detail = (rules && problems(body, rules)) ?? [];
      if (detail.length > 0) {
        return {
          status: 422,
          body: { detail: detail.map((one) => ({ ...one, type: "value_error" })) },
        };
      }
      return action({ id: decodeURIComponent(pattern.exec(path)[1] ?? ""), query, body });
    }),
  );
  return { ...server, baseUrl: server.url, memories, odd };
}

function item(
  { id, text, user_id, agent_id, run_id, metadata, score, createdAt, updatedAt },
  { noScore },
) {
  return {
    id,
    memory: text,
    ...(user_id && { user_id }),
    ...(agent_id && { agent_id }),
    ...(run_id && { run_id }),
    metadata,
    ...(noScore ? {} : { score }),
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

function failed(status, detail) {
  return { status, body: { detail } };
}
