// Speaks the API of Mem0's platform, strictly: an add is an event that is PENDING at first.

import { randomUUID } from "node:crypto";
import { Memories, once, textsOf } from "./memories.mjs";
import { serve } from "./serve.mjs";
import {
  bool,
  list,
  number,
  object,
  oneOf,
  optional,
  problems,
  shape,
  string,
  whole,
} from "./strict.mjs";

const IDS = ["user_id", "agent_id", "run_id", "app_id"];
const ids = Object.fromEntries(IDS.map((name) => [name, optional(string)]));
const ADD = shape({
  messages: list(shape({ role: oneOf("user", "assistant", "system"), content: string })),
  ...ids,
  metadata: optional(object),
  infer: optional(bool),
});
const SEARCH = shape({
  query: string,
  filters: object,
  top_k: optional(whole(1)),
  threshold: optional(number(0, 1)),
  rerank: optional(bool),
});
const UPDATE = shape({ text: optional(string), metadata: optional(object) });

/**
 * A platform without memories. `odd` says what it does otherwise than it should: `noScore` leaves
 * scores out, `looks` is how often an event is asked for before it is done, `failsEvents` how many
 * fail.
 */
export async function startMem0({ key, odd = {} } = {}) {
  const memories = new Memories();
  const events = new Map();
  const history = new Map();
  const noted = (memory, event, old = null) => {
    const entry = { id: randomUUID(), memory_id: memory.id, user_id: memory.user_id, event };
    const change = {
      ...entry,
      old_memory: old,
      new_memory: memory.text,
      created_at: memory.createdAt,
    };
    history.set(memory.id, [...(history.get(memory.id) ?? []), change]);
  };
  const work = (event) => {
    if (odd.failsEvents > 0) {
      odd.failsEvents -= 1;
      event.status = "FAILED";
      return;
    }
    const { messages, metadata = {}, infer: _, ...of } = event.body;
    event.results = textsOf(messages).map((text) => {
      const memory = memories.add({ ...of, text, metadata });
      noted(memory, "ADD");
      return { id: memory.id, data: { memory: text }, event: "ADD" };
    });
    event.status = "SUCCEEDED";
  };
  const routes = [
    [
      "POST",
      /^\/v3\/memories\/add\/$/,
      ADD,
      ({ body }) => {
        if (!IDS.some((name) => body[name])) {
          return failed(400, "at least one of user_id, agent_id, app_id, run_id is needed");
        }
        const event = { id: randomUUID(), body, status: "PENDING", looks: odd.looks ?? 0 };
        events.set(event.id, event);
        if (event.looks === 0) {
          work(event);
        }
        const message = "Memory processing has been queued for background execution";
        return { body: { message, event_id: event.id, status: "PENDING" } };
      },
    ],
    [
      "POST",
      /^\/v3\/memories\/search\/$/,
      SEARCH,
      ({ body }) => {
        if (!IDS.some((name) => JSON.stringify(body.filters).includes(`"${name}"`))) {
          return failed(400, "filters must hold at least one of user_id, agent_id, app_id, run_id");
        }
        const { query, filters, top_k = 10, threshold = 0.1 } = body;
        const found = memories.search(query, top_k, (memory) => meets(memory, filters));
        const results = found
          .filter(({ score }) => score >= threshold)
          .map((one) => item(one, odd));
        return { body: { results } };
      },
    ],
    [
      "GET",
      /^\/v1\/event\/([^/]+)\/$/,
      undefined,
      ({ id }) => {
        const event = events.get(id);
        if (!event) {
          return failed(404, "Not found.");
        }
        event.looks -= 1;
        if (event.status === "PENDING" && event.looks <= 0) {
          work(event);
        }
        return {
          body: { id, event_type: "ADD", status: event.status, results: event.results ?? [] },
        };
      },
    ],
    [
      "GET",
      /^\/v1\/memories\/([^/]+)\/history\/$/,
      undefined,
      ({ id }) => (history.has(id) ? { body: history.get(id) } : failed(404, "Memory not found!")),
    ],
    [
      "PUT",
      /^\/v1\/memories\/([^/]+)\/$/,
      UPDATE,
      ({ id, body }) => {
        const memory = memories.get(id);
        if (!memory) {
          return failed(404, "Memory not found!");
        }
        const old = memory.text;
        memory.text = body.text ?? old;
        memory.metadata = body.metadata ?? memory.metadata;
        noted(memory, "UPDATE", old);
        return { body: item(memory, { noScore: true }) };
      },
    ],
    // As Mem0's API reference has it.
    [
      "DELETE",
      /^\/v1\/memories\/$/,
      undefined,
      ({ query }) => {
        if (!query.user_id) {
          return failed(400, "One of the filters: app_id, user_id, agent_id, run_id is required!");
        }
        for (const { id } of memories.list(({ user_id }) => user_id === query.user_id)) {
          memories.delete(id);
        }
        return { body: { message: "Memories deleted successfully!" } };
      },
    ],
    [
      "DELETE",
      /^\/v1\/memories\/([^/]+)\/$/,
      undefined,
      ({ id }) => {
        if (!memories.delete(id)) {
          return failed(404, "Memory not found!");
        }
        return { body: { message: "Memory deleted successfully!" } };
      },
    ],
  ];
  const server = await serve(
    once(odd, ({ method, path, query, headers, body }) => {
      if (key !== undefined && headers.authorization !== `Token ${key}`) {
        return failed(401, "Given token not valid for any token type");
      }
      const route = routes.find(([verb, pattern]) => verb === method && pattern.test(path));
      if (!route) {
        return failed(404, "Not found.");
      }
      const [, pattern, rules, action] = route;
      const wrong = rules && problems(body, rules, []);
      if (wrong?.length > 0) {
        return {
          status: 400,
          body: Object.fromEntries(wrong.map(({ loc, msg }) => [loc.join("."), [msg]])),
        };
      }
      return action({ id: decodeURIComponent(pattern.exec(path)[1] ?? ""), query, body });
    }),
  );
  return { ...server, baseUrl: server.url, memories, odd };
}

/** The filter language: AND, OR, NOT of fields that have a value; `*` is any. */
function meets(memory, filter) {
  return Object.entries(filter).every(([name, value]) => {
    switch (name) {
      case "AND":
        return value.every((one) => meets(memory, one));
      case "OR":
        return value.some((one) => meets(memory, one));
      case "NOT":
        return !value.some((one) => meets(memory, one));
      default:
        return value === "*" ? memory[name] !== undefined : memory[name] === value;
    }
  });
}

function item({ id, text, user_id, metadata, score, createdAt, updatedAt }, { noScore }) {
  return {
    id,
    memory: text,
    user_id,
    metadata,
    ...(noScore ? {} : { score }),
    created_at: createdAt,
    updated_at: updatedAt,
    categories: [],
  };
}

function failed(status, detail) {
  return { status, body: { detail } };
}
