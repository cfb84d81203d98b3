// Calls of the Worker's API.

import type { Keep } from "siltstone";
import type {
  Answers,
  ChatEvent,
  ChatRequest,
  EndRequest,
  ErrorBody,
  MemoryAction,
} from "./wire.js";

/** An error that the API answered, or that kept it from answering. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

export function end(request: EndRequest): Promise<Answers["end"]> {
  return post("/api/end", request);
}

export function sessions(user: string): Promise<Answers["sessions"]> {
  return get("/api/sessions", { user });
}

export function messages(user: string, session: string): Promise<Answers["messages"]> {
  return get("/api/messages", { user, session });
}

export function memories(user: string): Promise<Answers["memories"]> {
  return get("/api/memories", { user });
}

export function history(user: string, id: string): Promise<Answers["history"]> {
  return get(`/api/memories/${encodeURIComponent(id)}/history`, { user });
}

export function change(
  user: string,
  id: string,
  action: MemoryAction,
  fields: { content?: string; to?: string } = {},
): Promise<unknown> {
  return post(`/api/memories/${encodeURIComponent(id)}/${action}`, { user, ...fields });
}

export function answer(user: string, id: string, keep: Keep): Promise<unknown> {
  return post(`/api/questions/${encodeURIComponent(id)}/answer`, { user, keep });
}

/** Sends a message and gives what happens as it happens. */
export async function* chat(request: ChatRequest): AsyncGenerator<ChatEvent, void, undefined> {
  const { body } = await send("/api/chat", json(request));
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    const lines = (rest + decoder.decode(read.value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.map((line) => JSON.parse(line) as ChatEvent);
  }
}

async function get<T>(path: string, query: Record<string, string>): Promise<T> {
  const response = await send(`${path}?${new URLSearchParams(query)}`, {});
  return (await response.json()) as T;
}

async function post<T>(path: string, body: object): Promise<T> {
  const response = await send(path, json(body));
  return (await response.json()) as T;
}

function json(body: object): RequestInit {
  const headers = { "content-type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(body) };
}

async function send(url: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch {
    throw new ApiError("The server cannot be reached. Is it running?", "unreachable");
  }
  if (!response.ok) {
    const answered = (await response.json().catch(() => undefined)) as ErrorBody | undefined;
    const message = answered?.error.message ?? `The server answered ${response.status}.`;
    throw new ApiError(message, answered?.error.code ?? "unknown");
  }
  return response;
}
