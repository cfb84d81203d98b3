import { SiltstoneError } from "../errors.js";
import type { Llm, LlmRequest } from "../host.js";
import type { Message } from "../messages.js";
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

interface Choice {
  finish_reason?: string | null;
  message?: { content?: unknown; refusal?: string | null };
  delta?: { content?: string | null; refusal?: string | null };
}

/**
 * A language model for `Siltstone.create`. Where the server refuses JSON mode, it asks again without
 * it, and remembers that.
 */
export function openAiCompatible(options: OpenAiOptions): Llm {
  const server = new Server(options);
  let jsonMode = true;
  return async ({ messages, json, schema, maxTokens, signal }) => {
    const ask = async (withFormat: boolean) => {
      const format = withFormat ? { response_format: responseFormat(schema) } : {};
      const response = await server.post({ messages, ...format }, { maxTokens, signal });
      return answer(await readJson(response), json);
    };
    if (!json || !jsonMode) {
      return ask(false);
    }
    try {
      return await ask(true);
    } catch (error) {
      if (!isRefused(error)) {
        throw error;
      }
    }
    const text = await ask(false);
    jsonMode = false;
    return text;
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
  const response = await server.post(
    { messages: messages.map(wireMessage), stream: true },
    { maxTokens, signal },
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
  readonly #options: OpenAiOptions;
  readonly #url: string;
  #tokensField = "max_completion_tokens";

  constructor(options: OpenAiOptions) {
    const { baseUrl, apiKey = "", model } = options;
    expect("baseUrl", URL.canParse(baseUrl) && /^https?:/i.test(baseUrl), "an http or https URL");
    // Else `fetch` refuses the header with an error that repeats it.
    expect("apiKey", /^[\x21-\x7e]*$/.test(apiKey), "printable ASCII without spaces");
    expect("model", typeof model === "string" && model !== "", "the name of a model");
    this.#options = options;
    this.#url = `${baseUrl.replace(/\/+$/, "")}/chat/completions`;
  }

  /** Asks, and asks again under the other name when the server does not know the token limit's. */
  async post(body: Body, { maxTokens, signal }: ChatOptions): Promise<Response> {
    const ask = () => {
      const limit = maxTokens === undefined ? {} : { [this.#tokensField]: maxTokens };
      return this.#send({ model: this.#options.model, ...body, ...limit }, signal);
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

  async #send(body: Body, signal: AbortSignal | undefined): Promise<Response> {
    const { apiKey, fetch: send = fetch } = this.#options;
    let response: Response;
    try {
      response = await send(this.#url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(apiKey && { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      });
    } catch (cause) {
      signal?.throwIfAborted();
      throw failure("network", "the language model's server could not be reached", { cause });
    }
    if (!response.ok) {
      throw await statusFailure(response, apiKey);
    }
    return response;
  }
}

function responseFormat(schema: LlmRequest["schema"]): Body {
  return schema
    ? { type: "json_schema", json_schema: { name: "answer", schema, strict: true } }
    : { type: "json_object" };
}

/** The text of a complete answer. */
function answer(body: unknown, json: boolean): string {
  const choice = firstChoice(body);
  const { content, refusal } = choice?.message ?? {};
  if (refusal || choice?.finish_reason === "content_filter") {
    throw failure("refused", `the language model refused: ${refusal || "content filter"}`);
  }
  const text = typeof content === "string" ? content : "";
  const truncated = choice?.finish_reason === "length";
  // The core mends JSON that breaks off and keeps what is whole; a text that breaks off is lost.
  if (truncated && !(json && text !== "")) {
    throw failure("truncated", "the language model's answer was cut at its token limit");
  }
  if (text.trim() === "") {
    throw failure("empty", "the language model answered nothing");
  }
  return text;
}

function firstChoice(body: unknown): Choice | undefined {
  const { choices } = (body ?? {}) as { choices?: unknown };
  return Array.isArray(choices) ? (choices[0] as Choice | undefined) : undefined;
}

async function readJson(response: Response): Promise<unknown> {
  return parse(await response.text());
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw failure("malformed", "the language model's server answered something else than JSON", {
      cause,
    });
  }
}

/** Servers refuse fields that they do not know, such as this package's `createdAt`. */
function wireMessage({ id: _, createdAt: __, meta: ___, ...message }: Message): Body {
  return message;
}

function failure(reason: string, message: string, options: { cause?: unknown } = {}) {
  return new SiltstoneError("llm_failed", message, { ...options, details: { reason } });
}

/** An error with the status, never with the key: some servers repeat it in what they answer. */
async function statusFailure(response: Response, apiKey?: string): Promise<SiltstoneError> {
  const { status } = response;
  const text = await response.text().catch(() => "");
  const answered = (apiKey ? text.replaceAll(apiKey, "[key]") : text).slice(0, 300).trim();
  const denied = status === 401 || status === 403;
  const message = `the language model's server answered ${status}${denied ? "; check the API key" : `: ${answered}`}`;
  return new SiltstoneError("llm_failed", message, { details: { reason: "status", status } });
}

function isRefused(error: unknown): error is SiltstoneError {
  const status = error instanceof SiltstoneError ? error.details?.status : undefined;
  return status === 400 || status === 422;
}

function expect(path: string, holds: boolean, expected: string): void {
  if (!holds) {
    const message = `${path}: expected ${expected}`;
    throw new SiltstoneError("invalid_config", message, { path, details: { expected } });
  }
}
