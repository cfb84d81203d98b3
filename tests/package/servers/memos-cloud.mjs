// Speaks the API of MemOS's cloud, strictly: code 0 is success, and an add is a task.

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

const SHAPES = {
  "/add/message": shape({
    messages: list(
      shape({
        role: oneOf("system", "user", "assistant"),
        content: string,
        chat_time: optional(string),
      }),
    ),
    user_id: string,
    conversation_id: string,
    info: optional(object),
    agent_id: optional(string),
    tags: optional(list(string)),
    async_mode: optional(bool),
  }),
  "/search/memory": shape({
    query: string,
    user_id: string,
    conversation_id: optional(string),
    memory_limit_number: optional(whole(1)),
    include_preference: optional(bool),
    preference_limit_number: optional(whole(0)),
    relativity: optional(number(0)),
    knowledgebase_ids: optional(list(string)),
  }),
  "/delete/memory": shape({
    memory_ids: optional(list(string)),
    user_id: optional(string),
    agent_id: optional(string),
  }),
  "/get/status": shape({ task_id: string }),
};

/**
 * A cloud without memories. `odd` says what it does otherwise than it should: `noScore` leaves scores
 * out, `keeps` lets deletes fail, `failsInside` answers another code with status 200; `looks` is how
 * often a task is asked for before it is done, `failsTasks` how many fail.
 */
export async function startMemosCloud({ key, odd = {} } = {}) {
  const memories = new Memories();
  const tasks = new Map();
  const work = (task) => {
    if (odd.failsTasks > 0) {
      odd.failsTasks -= 1;
      task.status = "failed";
      return;
    }
    const {
      user_id: user,
      conversation_id: session,
      agent_id: agent,
      tags = [],
      info = {},
    } = task.body;
    for (const text of textsOf(task.body.messages)) {
      memories.add({ text, kind: "text", user, session, agent, tags, info });
    }
    task.status = "completed";
  };
  const actions = {
    "/add/message": (body) => {
      const task = { body, status: "running", looks: odd.looks ?? 0 };
      const task_id = randomUUID();
      tasks.set(task_id, task);
      if (body.async_mode === false || task.looks === 0) {
        work(task);
      }
      const status = body.async_mode === false ? task.status : "running";
      return done({ success: true, task_id, status });
    },
    "/search/memory": (body) => {
      const { user_id, query, relativity = 0 } = body;
      const search = (kind, limit) =>
        memories
          .search(query, limit, (one) => one.user === user_id && one.kind === kind)
          .filter(({ score }) => relativity === 0 || score >= relativity);
      const {
        memory_limit_number = 6,
        include_preference = true,
        preference_limit_number = 6,
      } = body;
      const preferences = include_preference ? search("pref", preference_limit_number) : [];
      return done({
        memory_detail_list: search("text", memory_limit_number).map((one) => detail(one, odd)),
        preference_detail_list: preferences.map((one) => preference(one, odd)),
        preference_note: "",
      });
    },
    "/delete/memory": ({ memory_ids, user_id, agent_id }) => {
      if ([memory_ids, user_id, agent_id].filter((one) => one !== undefined).length !== 1) {
        return failed(40000, "exactly one of memory_ids, user_id, agent_id is needed");
      }
      if (odd.keeps) {
        return done({ success: false });
      }
      const gone = memories.list(
        ({ id, user, agent }) =>
          memory_ids?.includes(id) ||
          (user_id !== undefined && user === user_id) ||
          (agent_id !== undefined && agent === agent_id),
      );
      for (const { id } of gone) {
        memories.delete(id);
      }
      return done({ success: true });
    },
    "/get/status": ({ task_id }) => {
      const task = tasks.get(task_id);
      if (!task) {
        return failed(40004, "no such task");
      }
      task.looks -= 1;
      if (task.status === "running" && task.looks <= 0) {
        work(task);
      }
      return done({ task_id, status: task.status });
    },
  };
  const root = "/api/openmem/v1";
  const server = await serve(
    once(odd, ({ method, path, headers, body }) => {
      const action = path.slice(root.length);
      if (method !== "POST" || !path.startsWith(root) || !Object.hasOwn(actions, action)) {
        return { status: 404, body: { detail: "Not Found" } };
      }
      if (key !== undefined && headers.authorization !== `Token ${key}`) {
        return { status: 401, body: { code: 401, message: "the key is not valid", data: null } };
      }
      const [wrong] = problems(body, SHAPES[action]);
      if (wrong) {
        return failed(40000, `${wrong.loc.join(".")}: ${wrong.msg}`);
      }
      if (odd.failsInside) {
        return { body: { code: 500, message: "internal error", data: null } };
      }
      return actions[action](body);
    }),
  );
  return { ...server, baseUrl: `${server.url}${root}`, memories, odd };
}

function detail({ id, text, score, tags, session, info, createdAt, updatedAt }, { noScore }) {
  return {
    id,
    memory_key: text.slice(0, 20),
    memory_value: text,
    memory_type: "UserMemory",
    create_time: Date.parse(createdAt),
    update_time: Date.parse(updatedAt),
    conversation_id: session,
    status: "activated",
    confidence: 0.99,
    tags,
    info,
    ...(noScore ? {} : { relativity: score }),
  };
}

function preference({ id, text, score, tags, createdAt, updatedAt }, { noScore }) {
  return {
    id,
    preference: text,
    preference_type: "explicit_preference",
    reasoning: "they said so",
    create_time: Date.parse(createdAt),
    update_time: Date.parse(updatedAt),
    status: "activated",
    tags,
    ...(noScore ? {} : { relativity: score }),
  };
}

function done(data) {
  return { body: { code: 0, message: "ok", data } };
}

/** The cloud's own codes, with status 400. */
function failed(code, message) {
  return { status: 400, body: { code, message, data: null } };
}
