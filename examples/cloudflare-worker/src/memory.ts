import { env } from "cloudflare:workers";
import { type Message, Siltstone } from "siltstone";
import { cloudflareHost } from "siltstone/hosts/cloudflare";
import { openAiChat, openAiCompatible } from "siltstone/llm/openai";
import type { ChatSession } from "./session.js";

declare global {
  interface Env {
    DB: D1Database;
    CACHE: KVNamespace;
    SESSIONS: DurableObjectNamespace<ChatSession>;
    IDLE_SECONDS: number;
    OPENAI_BASE_URL?: string;
    OPENAI_API_KEY?: string;
    OPENAI_MODEL?: string;
  }
  namespace Cloudflare {
    interface Env extends globalThis.Env {}
  }
}

const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey, OPENAI_MODEL: model } = env;
const server = baseUrl && model ? { baseUrl, apiKey, model } : undefined;

export const memory = await Siltstone.create({
  host: cloudflareHost(env),
  ...(server && { llm: openAiCompatible(server) }),
  config: { agent: { longMemory: true, model: model ?? "none" } },
});

/** Answers a prepared turn. */
export async function answer(messages: Message[]): Promise<string> {
  if (!server) {
    const sent = messages.map(({ role, content }) => `${role}: ${content}`).join("\n");
    return `No language model is set up (OPENAI_BASE_URL, OPENAI_MODEL). It would be sent:\n${sent}`;
  }
  let text = "";
  for await (const piece of openAiChat(server, messages)) {
    text += piece;
  }
  return text;
}
