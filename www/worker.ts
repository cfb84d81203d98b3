// The chat app: an API over the memory, and a Durable Object for each conversation.
//
// It knows its users by an id that the page makes up: whoever has the id has the memories. An app
// of yours takes the user from its own sign-in instead.

import type { Keep, Memories } from "siltstone";
import { scheduled } from "siltstone/maintain";
import { AGENT, type Env, openMemory } from "./env.js";
import {
  checkOrigin,
  drain,
  errorResponse,
  HttpError,
  idField,
  readBody,
  textField,
} from "./http.js";
import type { Answers } from "./wire.js";

export { Keeper } from "./keeper.js";
export { ChatSession } from "./session.js";

export default {
  async fetch(request, env): Promise<Response> {
    if (!new URL(request.url).pathname.startsWith("/api/")) {
      return env.ASSETS.fetch(request);
    }
    try {
      checkOrigin(request);
      return await answer(request, env);
    } catch (error) {
      await drain(request);
      return errorResponse(error);
    }
  },
  // At the deployment's cron triggers. The keeper's alarm does the same; a trigger also comes where
  // no alarm is set: before the first session ended, or after one that failed too often.
  scheduled: scheduled(openMemory),
} satisfies ExportedHandler<Env>;

type Handler = (env: Env, fields: Record<string, unknown>, id: string) => Promise<Response>;

/** The routes; `:id` stands for the id of a memory or a question. */
const ROUTES: Record<string, Handler> = {
  "POST /api/chat": async (env, fields) => {
    const { user, session } = place(fields);
    const message = textField(fields, "message");
    const id = textField(fields, "id", 100);
    return sessionOf(env, user, session).chat({ user, session, message, id });
  },
  "POST /api/end": async (env, fields) => {
    const { user, session } = place(fields);
    return sessionOf(env, user, session).end({ user, session });
  },
  "GET /api/sessions": async (env, fields) => {
    const memory = await openMemory(env);
    return Response.json(await memory.sessions({ user: idField(fields, "user") }));
  },
  "GET /api/messages": async (env, fields) => {
    const memory = await openMemory(env);
    return Response.json(await memory.messages(place(fields)));
  },
  "GET /api/memories": async (env, fields) =>
    Response.json(await overview(await memoriesOf(env, fields))),
  "GET /api/memories/:id/history": async (env, fields, id) =>
    Response.json(await (await memoriesOf(env, fields)).history(id)),
  "POST /api/memories/:id/pin": async (env, fields, id) =>
    Response.json(await (await memoriesOf(env, fields)).pin(id)),
  "POST /api/memories/:id/unpin": async (env, fields, id) =>
    Response.json(await (await memoriesOf(env, fields)).unpin(id)),
  "POST /api/memories/:id/forget": async (env, fields, id) =>
    Response.json(await (await memoriesOf(env, fields)).forget(id)),
  "POST /api/memories/:id/restore": async (env, fields, id) =>
    Response.json(await (await memoriesOf(env, fields)).restore(id)),
  "POST /api/memories/:id/delete": async (env, fields, id) =>
    Response.json(await (await memoriesOf(env, fields)).forget(id, { hard: true })),
  "POST /api/memories/:id/revert": async (env, fields, id) =>
    Response.json(await (await memoriesOf(env, fields)).revert(id, idField(fields, "to"))),
  "POST /api/memories/:id/update": async (env, fields, id) => {
    const content = textField(fields, "content");
    return Response.json(await (await memoriesOf(env, fields)).update(id, { content }));
  },
  "POST /api/questions/:id/answer": async (env, fields, id) => {
    // The core refuses what is none of its words.
    const keep = textField(fields, "keep", 10) as Keep;
    return Response.json(await (await memoriesOf(env, fields)).answer(id, keep));
  },
};

async function answer(request: Request, env: Env): Promise<Response> {
  const url = new URL(request.url);
  const { route, id } = routeOf(url.pathname);
  const handler = ROUTES[`${request.method} ${route}`];
  if (handler === undefined) {
    throw new HttpError(404, "not_found", `there is no ${request.method} ${url.pathname}`);
  }
  const fields =
    request.method === "GET" ? Object.fromEntries(url.searchParams) : await readBody(request);
  return handler(env, fields, id);
}

function routeOf(path: string): { route: string; id: string } {
  const [, kind, id, action] = /^\/api\/(memories|questions)\/([^/]+)\/([a-z]+)$/.exec(path) ?? [];
  if (id === undefined) {
    return { route: path, id: "" };
  }
  try {
    return { route: `/api/${kind}/:id/${action}`, id: decodeURIComponent(id) };
  } catch {
    throw new HttpError(400, "invalid_input", "the id in the path is not well-formed", "id");
  }
}

function place(fields: Record<string, unknown>) {
  const user = idField(fields, "user");
  return { user, session: idField(fields, "session"), agent: AGENT };
}

function sessionOf(env: Env, user: string, session: string) {
  return env.SESSIONS.getByName(JSON.stringify([user, session]));
}

async function memoriesOf(env: Env, fields: Record<string, unknown>) {
  const user = idField(fields, "user");
  return (await openMemory(env)).memories({ user });
}

/** All that the page shows of a user's memories. */
async function overview(memories: Memories): Promise<Answers["memories"]> {
  const [page, all, { questions }, stats] = await Promise.all([
    memories.list(),
    memories.list({ includeInvalid: true, limit: 1000 }),
    memories.questions(),
    memories.stats(),
  ]);
  const forgotten = all.memories
    .filter((memory) => memory.forgottenAt !== undefined && memory.nextId === undefined)
    .sort((a, b) => (b.forgottenAt ?? 0) - (a.forgottenAt ?? 0));
  return { memories: page.memories, total: page.total, forgotten, questions, stats };
}
