// Speaks the API of a MemOS server of one's own, strictly, with the oddities that it has:
//
// - an add to a cube that is not there answers 200, and what was added is never found;
// - a memory's id is `memory_id` in the answer of an add and `id` in that of a search;
// - a search's cubes come in no certain order, and its failure is an empty answer with code 200;
// - a delete that failed has code 200.

import { Memories, once, textsOf } from "./memories.mjs";
import { serve } from "./serve.mjs";
import {
  bool,
  either,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  problems,
  shape,
  string,
  whole,
} from "./strict.mjs";

const maybe = (rule) => optional(nullable(rule));
const message = shape({
  role: oneOf("system", "user", "assistant"),
  content: string,
  chat_time: optional(string),
  message_id: optional(string),
});
const messages = either(string, {
  expected: "a list of messages",
  holds: (value) => problems(value, list(message)).length === 0,
});

const SHAPES = {
  "/search": shape({
    query: string,
    user_id: string,
    readable_cube_ids: maybe(list(string)),
    mode: optional(oneOf("fast", "fine", "mixture")),
    session_id: maybe(string),
    top_k: optional(whole(1)),
    relativity: optional(number(0)),
    dedup: maybe(oneOf("no", "sim", "mmr")),
    rerank: optional(bool),
    include_preference: optional(bool),
    pref_top_k: optional(whole(0)),
    search_tool_memory: optional(bool),
    tool_mem_top_k: optional(whole(0)),
    include_skill_memory: optional(bool),
    skill_mem_top_k: optional(whole(0)),
    internet_search: optional(bool),
  }),
  "/add": shape({
    user_id: string,
    writable_cube_ids: maybe(list(string)),
    async_mode: optional(oneOf("async", "sync")),
    mode: maybe(oneOf("fast", "fine")),
    messages,
    session_id: maybe(string),
    custom_tags: maybe(list(string)),
    info: maybe(object),
    chat_history: maybe(list(message)),
    is_feedback: optional(bool),
  }),
  "/delete_memory": shape({
    writable_cube_ids: maybe(list(string)),
    memory_ids: maybe(list(string)),
    user_id: maybe(string),
    session_id: maybe(string),
  }),
  "/get_memory": shape({
    mem_cube_id: string,
    user_id: maybe(string),
    include_preference: optional(bool),
    include_tool_memory: optional(bool),
    include_skill_memory: optional(bool),
    page: maybe(whole(1)),
    page_size: maybe(whole(1)),
  }),
  "/create_cube": shape({
    cube_name: string,
    owner_id: string,
    cube_path: maybe(string),
    cube_id: maybe(string),
  }),
  "/exist_mem_cube_id": shape({ mem_cube_id: string }),
};

/**
 * A MemOS without cubes. `odd` says what it does otherwise than it should: `failsInside` answers
 * code 500 with status 200, `emptySearch` finds nothing, `noScore` leaves scores out, `keeps` lets
 * deletes fail, `noRegistry` cannot make cubes.
 */
export async function startMemos({ key, odd = {} } = {}) {
  const memories = new Memories();
  const cubes = new Set();
  let turn = 0;
  const actions = {
    "/search": (body) => {
      const { user_id, readable_cube_ids, query, top_k = 10, relativity = 0.45 } = body;
      const { include_preference = true, pref_top_k = 6 } = body;
      const ids = (readable_cube_ids ?? [user_id]).filter((id) => cubes.has(id));
      // In the order of completion, which is no certain one.
      turn += 1;
      const ordered = turn % 2 === 0 ? ids : ids.reverse();
      const bucket = (kind, limit) =>
        ordered
          .map((cube_id) => {
            const isWanted = (one) => one.cube === cube_id && one.kind === kind;
            const found = odd.emptySearch ? [] : memories.search(query, limit, isWanted);
            const enough = found.filter(({ score }) => relativity === 0 || score >= relativity);
            return { cube_id, memories: enough.map((one) => item(one, odd)) };
          })
          .filter((one) => one.memories.length > 0);
      const preferences = include_preference ? bucket("pref", pref_top_k) : [];
      return done("Search completed successfully", {
        text_mem: bucket("text", top_k),
        act_mem: [],
        para_mem: [],
        pref_mem: preferences.map((one) => ({ ...one, total_nodes: one.memories.length })),
        tool_mem: [],
        skill_mem: [],
        pref_note: "",
      });
    },
    "/add": (body) => {
      const added = (body.writable_cube_ids ?? [body.user_id]).flatMap((cube) =>
        textsOf(body.messages).map((text) => {
          const of = { user: body.user_id, session: body.session_id, tags: body.custom_tags ?? [] };
          const memory = { ...of, text, kind: "text", info: body.info ?? {} };
          const kept = cubes.has(cube)
            ? memories.add({ ...memory, cube })
            : { id: crypto.randomUUID() };
          return { memory: text, memory_id: kept.id, memory_type: "LongTermMemory", cube_id: cube };
        }),
      );
      return done("Memory added successfully", added);
    },
    "/delete_memory": ({ memory_ids, user_id, session_id }) => {
      if ([memory_ids, user_id, session_id].filter((one) => one != null).length !== 1) {
        return failed(400, "exactly one of memory_ids, user_id, session_id is needed");
      }
      const gone = memories.list(
        ({ id, user, session }) =>
          memory_ids?.includes(id) ||
          (user_id != null && user === user_id) ||
          (session_id != null && session === session_id),
      );
      if (odd.keeps || (memory_ids && gone.length < memory_ids.length)) {
        return done("Memories could not be deleted", { status: "failure" });
      }
      for (const { id } of gone) {
        memories.delete(id);
      }
      return done("Memories deleted successfully", { status: "success" });
    },
    "/get_memory": ({ mem_cube_id, include_preference = true, page = 1, page_size }) => {
      const bucket = (kind) => {
        const all = memories.list(({ cube, kind: one }) => cube === mem_cube_id && one === kind);
        const start = page_size ? (page - 1) * page_size : 0;
        const some = all.slice(start, page_size ? start + page_size : undefined);
        const nodes = some.map((one) => item(one, { noScore: true }));
        return [{ cube_id: mem_cube_id, memories: nodes, total_nodes: all.length }];
      };
      const pref_mem = include_preference ? bucket("pref") : [];
      const data = { text_mem: bucket("text"), pref_mem, tool_mem: [], skill_mem: [] };
      return done("Memories retrieved successfully", data);
    },
    "/create_cube": ({ cube_name, owner_id, cube_id }) => {
      if (odd.noRegistry) {
        return failed(501, "creating cubes is not implemented");
      }
      const id = cube_id ?? crypto.randomUUID();
      cubes.add(id);
      return done("Cube created successfully", { cube_id: id, cube_name, owner_id });
    },
    "/exist_mem_cube_id": ({ mem_cube_id }) =>
      done("Successfully", { [mem_cube_id]: cubes.has(mem_cube_id) }),
  };
  const server = await serve(
    once(odd, ({ method, path, headers, body }) => {
      const action = path.replace(/^\/product/, "");
      if (method !== "POST" || !path.startsWith("/product/") || !Object.hasOwn(actions, action)) {
        return { status: 404, body: { detail: "Not Found" } };
      }
      if (
        key !== undefined &&
        !["Bearer", "Token"].some((one) => headers.authorization === `${one} ${key}`)
      ) {
        return failed(401, "Invalid or missing API key");
      }
      const detail = problems(body, SHAPES[action]);
      if (detail.length > 0) {
        const message = "Parameter validation error";
        return { status: 422, body: { code: 422, message, detail, data: null } };
      }
      if (odd.failsInside) {
        return { body: { code: 500, message: "the graph database is not there", data: null } };
      }
      return actions[action](body);
    }),
  );
  return { ...server, baseUrl: `${server.url}/product`, memories, cubes, odd };
}

function item({ id, text, kind, score, tags, session, info, createdAt, updatedAt }, { noScore }) {
  return {
    id,
    memory: text,
    ref_id: `[${id.split("-")[0]}]`,
    metadata: {
      ...(noScore ? {} : { relativity: score }),
      status: "activated",
      version: 1,
      history: [],
      tags,
      key: "",
      confidence: 99,
      memory_type: kind === "pref" ? "PreferenceMemory" : "LongTermMemory",
      source: "conversation",
      session_id: session ?? "",
      created_at: createdAt,
      updated_at: updatedAt,
      info,
    },
  };
}

function done(message, data) {
  return { body: { code: 200, message, data } };
}

function failed(code, message) {
  return { status: code, body: { code, message, data: null } };
}
