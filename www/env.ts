// The bindings of the Worker and what is made of them.

import { type Message, Siltstone } from "siltstone";
import { cloudflareHost } from "siltstone/hosts/cloudflare";
import { type OpenAiOptions, openAiChat, openAiCompatible } from "siltstone/llm/openai";
import type { Keeper } from "./keeper.js";
import { offlineChat } from "./offline.js";
import type { ChatSession } from "./session.js";

export interface Env {
  SESSIONS: DurableObjectNamespace<ChatSession>;
  KEEPER: DurableObjectNamespace<Keeper>;
  DB: D1Database;
  CACHE: KVNamespace;
  ASSETS: Fetcher;
  OPENAI_BASE_URL?: string;
  OPENAI_API_KEY?: string;
  OPENAI_MODEL?: string;
}

/** The agent that the page talks to. */
export const AGENT = "assistant";

let memory: Promise<Siltstone> | undefined;

/** The memory: one instance for all requests that this isolate serves. */
export function openMemory(env: Env): Promise<Siltstone> {
  const server = openAi(env);
  memory ??= Siltstone.create({
    host: cloudflareHost(env),
    ...(server && { llm: openAiCompatible(server) }),
    config: { agent: { longMemory: true, model: server?.model ?? "offline" } },
  });
  return memory;
}

/** Answers a conversation, piece by piece. */
export function chat(env: Env, messages: Message[]): AsyncIterable<string> {
  const server = openAi(env);
  return server ? openAiChat(server, messages) : offlineChat(messages);
}

function openAi(env: Env): OpenAiOptions | undefined {
  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey, OPENAI_MODEL: model } = env;
  return baseUrl && model ? { baseUrl, apiKey, model } : undefined;
}
