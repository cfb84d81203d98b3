import type { Llm, LlmRequest } from "../host.js";
import { askJson, type HttpRequest, open, type Service } from "../http.js";
import type { Message } from "../messages.js";
import { address, expect } from "../options.js";
import { complete, failure, isRefused, Ways } from "./answer.js";
import { events } from "./events.js";

/** A server that speaks OpenAI's chat API. */
export interface OpenAiOptions {
  /** The address up to and without `/chat/completions`, such as `https://api.openai.com/v1`. */
  baseUrl: string;
  /** Sent as the bearer token; not needed by most local servers. */
  apiKey?: string | undefined;
  model: string;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

/** What a chat call may add. */
export interface ChatOptions {
  /** Tokens of the answer at most. */
  maxTokens?: number | undefined;
  /** Stops the answer when it aborts. */
  signal?: AbortSignal | undefined;
}

type Body = Record<string, unknown>;
type Format = "json_schema" | "json_object" | "text";

interface Limits extends ChatOptions {
  timeoutMs?: number | undefined;
}

interface Choice {
  finish_reason?: string | null;
  message?: { content?: unknown; refusal?: string | null };
  delta?: { content?: string | null; refusal?: string | null };
}

/**
 * A language model for `Siltstone.create`. Where the server refuses a JSON schema, it asks again in
 * JSON mode, then without, and remembers that.
 */
export function openAiCompatible(options: OpenAiOptions): Llm {
  const server = new Server(options);
  const formats = new Ways<Format>("json_schema", "json_object", "text");
  return async ({ messages, json, schema, maxTokens, timeoutMs, signal }) => {
    const ask = async (format: Format) => {
      const body = { messages, ...responseFormat(format, schema) };
      const limits = { maxTokens, timeoutMs, signal };
      const answered = await server.post(body, limits, (request) =>
        askJson(server.service, request),
      );
      return answer(answered, json);
    };
    const isUsable = (format: Format) => format !== "json_schema" || schema !== undefined;
    return json ? formats.ask(ask, isUsable) : ask("text");
  };
}

/**
 * Asks for the next message of a conversation and gives its text piece by piece as it comes.
 * `messages` may be those of a turn as they are: only what OpenAI's API knows is sent.
 */
export async function* openAiChat(
  options: OpenAiOptions,
  messages: readonly Message[],
  { maxTokens, signal }: ChatOptions = {},
): AsyncGenerator<string, void, undefined> {
  const server = new Server(options);
  const body = { messages: messages.map(wireMessage), stream: true };
  const response = await server.post(body, { maxTokens, signal }, (request) =>
    open(server.service, request),
  );
  if (response.body === null) {
    throw failure("empty", "the language model's answer has no body");
  }
  for await (const data of events(response.body)) {
    if (data === "[DONE]") {
      return;
    }
    const event = parse(data);
    if (typeof event === "object" && event !== null && "error" in event) {
      throw failure("status", "the language model's server broke off with an error");
    }
    const { delta } = firstChoice(event) ?? {};
    if (delta?.refusal) {
      throw failure("refused", `the language model refused: ${delta.refusal}`);
    }
    if (delta?.content) {
      yield delta.content;
    }
  }
}

/** One server and how it wants to be asked. */
class Server {
  readonly service: Service;
  readonly #model: string;
  readonly #url: string;
  #tokensField = "max_completion_tokens";

  constructor({ baseUrl, apiKey, model, fetch }: OpenAiOptions) {
    this.#url = `${address(baseUrl, apiKey)}/chat/completions`;
    expect("model", typeof model === "string" && model !== "", "the name of a model");
    this.#model = model;
    this.service = {
      who: "the language model's server",
      code: "llm_failed",
      secret: apiKey,
      fetch,
    };
  }

  /** Asks, and asks again under the other name when the server does not know the token limit's. */
  async post<T>(
    body: Body,
    { maxTokens, timeoutMs, signal }: Limits,
    send: (request: HttpRequest) => Promise<T>,
  ): Promise<T> {
    const { secret } = this.service;
    const ask = () => {
      const limit = maxTokens === undefined ? {} : { [this.#tokensField]: maxTokens };
      return send({
        url: this.#url,
        method: "POST",
        headers: secret ? { authorization: `Bearer ${secret}` } : {},
        body: { model: this.#model, ...body, ...limit },
        repeat: "always",
        timeoutMs,
        signal,
      });
    };
    try {
      return await ask();
    } catch (error) {
      if (
        maxTokens === undefined ||
        !isRefused(error) ||
        !error.message.includes(this.#tokensField)
      ) {
        throw error;
      }
      this.#tokensField =
        this.#tokensField === "max_tokens" ? "max_completion_tokens" : "max_tokens";
      return ask();
    }
  }
}

function responseFormat(type: Format, schema: LlmRequest["schema"]): Body {
  switch (type) {
    case "json_schema":
      return {
        response_format: { type, json_schema: { name: "answer", schema, strict: true } },
      };
    case "json_object":
      return { response_format: { type } };
    case "text":
      return {};
  }
}

/** The text of a complete answer. */
function answer(body: unknown, json: boolean): string {
  const choice = firstChoice(body);
  const { content, refusal } = choice?.message ?? {};
  const isFiltered = choice?.finish_reason === "content_filter";
  return complete(
    {
      text: typeof content === "string" ? content : "",
      isTruncated: choice?.finish_reason === "length",
      refusal: refusal || (isFiltered ? "content filter" : undefined),
    },
    json,
  );
}

function firstChoice(body: unknown): Choice | undefined {
  const { choices } = (body ?? {}) as { choices?: unknown };
  return Array.isArray(choices) ? (choices[0] as Choice | undefined) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw failure("malformed", "the language model's server streamed something else than JSON", {
      cause,
    });
  }
}

/** Servers refuse fields that they do not know, such as this package's `createdAt`. */
function wireMessage({ id: _, createdAt: __, meta: ___, ...message }: Message): Body {
  return message;
}
