// Who answers: an OpenAI-compatible server if one was entered, the browser's own language model if it
// has one, or an echo that shows what either would be sent.

import type { Message } from "siltstone";
import { type OpenAiOptions, openAiChat } from "siltstone/llm/openai";

/** What is used of Chrome's Prompt API. */
declare const LanguageModel:
  | {
      availability(): Promise<string>;
      create(options: { initialPrompts: Prompt[] }): Promise<{
        promptStreaming(text: string): ReadableStream<string>;
        destroy(): void;
      }>;
    }
  | undefined;

interface Prompt {
  role: "system" | "user" | "assistant";
  content: string;
}

const SAVED = "server";

/** The server that was entered, if any. */
export function savedServer(): OpenAiOptions | undefined {
  const { baseUrl, model, apiKey } = JSON.parse(localStorage.getItem(SAVED) ?? "{}");
  return baseUrl && model ? { baseUrl, model, apiKey } : undefined;
}

/** Keeps the server for the next visit, its key included: enter only keys that may lie here. */
export function saveServer(fields: FormData): void {
  localStorage.setItem(SAVED, JSON.stringify(Object.fromEntries(fields)));
}

/** Answers a prepared turn, piece by piece. */
export async function* answer(
  server: OpenAiOptions | undefined,
  messages: Message[],
): AsyncGenerator<string, void, undefined> {
  if (server) {
    yield* openAiChat(server, messages);
  } else if (
    typeof LanguageModel !== "undefined" &&
    (await LanguageModel.availability()) === "available"
  ) {
    yield* builtIn(messages);
  } else {
    const sent = messages.map(({ role, content }) => `${role}: ${content}`).join("\n");
    yield `No language model is set up (see below). It would be sent:\n${sent}`;
  }
}

async function* builtIn(messages: Message[]): AsyncGenerator<string, void, undefined> {
  const text = ({ content }: Message) => String(content ?? "");
  const isSystem = ({ role }: Message) => role === "system";
  // The Prompt API takes one system message, at the beginning.
  const system = messages.filter(isSystem).map(text).join("\n\n");
  const said = messages.filter((message) => !isSystem(message));
  const before = said.slice(0, -1).map((message) => ({
    role: message.role === "assistant" ? ("assistant" as const) : ("user" as const),
    content: text(message),
  }));
  const session = await (LanguageModel as NonNullable<typeof LanguageModel>).create({
    initialPrompts: [...(system ? [{ role: "system" as const, content: system }] : []), ...before],
  });
  try {
    yield* session.promptStreaming(text(said.at(-1) as Message));
  } finally {
    session.destroy();
  }
}
