import type { LanguageModelMiddleware } from "ai";
import type { Message, SessionScope } from "../../messages.js";
import type { Siltstone } from "../../siltstone.js";
import { isRecord } from "../plain.js";
import { Answer, type StreamPart } from "./answer.js";
import { fromModelMessages, partsOf, toModelMessages } from "./messages.js";

/** What a call of a language model is given. */
export type CallOptions = Parameters<
  NonNullable<LanguageModelMiddleware["wrapGenerate"]>
>[0]["params"];

/** How {@link siltstoneMemory} finds its session. */
export interface MemoryOptions {
  /**
   * Whose session it is. Without it, `providerOptions.siltstone` of the call says so, which may also
   * have a `messageId`. A call without a scope goes to the model as it is.
   */
  scope?: SessionScope | ((params: CallOptions) => SessionScope | undefined);
  /**
   * Takes faults of the memory; the call then goes on, without memories or without being stored.
   * Without it, a fault of the memory is an error of the call.
   */
  onError?: (error: unknown) => void;
  /** Keeps a Worker running until an aborted answer is stored, such as `ctx.waitUntil`. */
  waitUntil?: (promise: Promise<unknown>) => void;
}

type Prompt = CallOptions["prompt"];

/**
 * A middleware that gives a language model its memory: before an answer it puts the system
 * messages, memories and history of the session around the user's message, and after it stores both.
 *
 * - The prompt needs this turn's message only: what stands between the system messages and the last
 *   user message gives way to what the session has stored.
 * - Where the model calls tools, the turn is stored as a whole once the model has answered. A turn
 *   that is given up before that is not stored.
 * - What tools answer within the turn comes on top of the window's budget.
 * - A stream that is aborted or breaks off is stored with the text that had come, marked
 *   `meta.incomplete`; if none had come, nothing of the turn is stored.
 * - Files are stored within their message, as base64 where the SDK has downloaded them, and count
 *   towards `history.maxMessageChars`.
 *
 * @example
 * ```ts
 * import { generateText, wrapLanguageModel } from "ai";
 * import { Siltstone } from "siltstone";
 * import { siltstoneMemory } from "siltstone/adapters/ai-sdk";
 * import { memoryHost } from "siltstone/hosts/memory";
 *
 * const memory = await Siltstone.create({ host: memoryHost() });
 * const remembering = wrapLanguageModel({ model, middleware: siltstoneMemory(memory) });
 * const providerOptions = { siltstone: { user: "ana", session: "monday" } };
 * await generateText({ model: remembering, providerOptions, prompt: "I'm Ana, and vegan." });
 * const { text } = await generateText({ model: remembering, providerOptions, prompt: "Who am I?" });
 * ```
 */
export function siltstoneMemory(
  memory: Pick<Siltstone, "load" | "append">,
  options: MemoryOptions = {},
): LanguageModelMiddleware {
  const begin = (params: CallOptions) => TurnOfModel.begin(memory, options, params);
  return {
    specificationVersion: "v4",
    wrapGenerate: async ({ model, params }) => {
      const turn = await begin(params);
      const result = await model.doGenerate(turn?.params ?? params);
      await turn?.store(Answer.of(result.content));
      return result;
    },
    wrapStream: async ({ model, params }) => {
      const turn = await begin(params);
      const result = await model.doStream(turn?.params ?? params);
      return turn ? { ...result, stream: recorded(result.stream, turn, params) } : result;
    },
  };
}

/** One turn: what is asked of the model, and what of it will be stored. */
class TurnOfModel {
  readonly #memory: Pick<Siltstone, "append">;
  readonly #options: MemoryOptions;
  readonly #scope: SessionScope;
  readonly #said: Message[];
  readonly params: CallOptions;

  private constructor(
    memory: Pick<Siltstone, "append">,
    options: MemoryOptions,
    scope: SessionScope,
    said: Message[],
    params: CallOptions,
  ) {
    this.#memory = memory;
    this.#options = options;
    this.#scope = scope;
    this.#said = said;
    this.params = params;
  }

  /** Loads the turn; `undefined` where the call names no session or says nothing. */
  static async begin(
    memory: Pick<Siltstone, "load" | "append">,
    options: MemoryOptions,
    params: CallOptions,
  ): Promise<TurnOfModel | undefined> {
    const { prompt, tools = [] } = params;
    const last = prompt.findLastIndex(({ role }) => role === "user");
    const { scope, messageId } = sessionOf(options, params);
    if (scope === undefined || last === -1) {
      return undefined;
    }
    const said = compact(prompt.slice(last));
    const [current = said[0], ...rest] = said;
    if (current === undefined) {
      return undefined;
    }
    const message = messageId === undefined ? current : { ...current, id: messageId };
    const system = compact(prompt.filter(({ role }) => role === "system"));
    let loaded = params;
    try {
      const turn = await memory.load({ scope, message, system, tools });
      const after = prompt.slice(last + 1).filter(({ role }) => role !== "system");
      loaded = { ...params, prompt: [...promptOf(turn.messages), ...after] };
    } catch (error) {
      report(options, error);
    }
    return new TurnOfModel(memory, options, scope, [message, ...rest], loaded);
  }

  /** Stores the turn, unless it goes on or nothing was answered. */
  async store(answer: Answer): Promise<void> {
    const message = answer.isWaiting ? null : answer.message();
    if (message === null) {
      return;
    }
    try {
      await this.#memory.append(this.#scope, [...this.#said, message]);
    } catch (error) {
      report(this.#options, error);
    }
  }

  keepRunning(work: Promise<unknown>): void {
    this.#options.waitUntil?.(work);
  }
}

/** The stream as it is; at its end, or where it breaks off, the turn is stored. */
function recorded(
  stream: ReadableStream<StreamPart>,
  turn: TurnOfModel,
  { abortSignal }: CallOptions,
): ReadableStream<StreamPart> {
  const answer = new Answer();
  const reader = stream.getReader();
  let stored: Promise<void> | undefined;
  const store = () => {
    stored ??= turn.store(answer);
    return stored;
  };
  const giveUp = () => {
    const work = store();
    // The reader sees a fault as well, if there still is one.
    work.catch(() => {});
    turn.keepRunning(work);
  };
  abortSignal?.addEventListener("abort", giveUp, { once: true });
  return new ReadableStream<StreamPart>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          answer.add(value);
        }
        if (done || value.type === "finish") {
          await store();
        }
        if (done) {
          controller.close();
        } else {
          controller.enqueue(value);
        }
      } catch (error) {
        await store();
        controller.error(error);
      }
    },
    async cancel(reason) {
      giveUp();
      await reader.cancel(reason);
      await store();
    },
  });
}

function sessionOf(
  { scope }: MemoryOptions,
  params: CallOptions,
): { scope: SessionScope | undefined; messageId?: string } {
  const given = params.providerOptions?.siltstone;
  const { messageId, ...named } = isRecord(given) ? given : {};
  const found = typeof scope === "function" ? scope(params) : scope;
  return {
    // The core says what is wrong with a scope.
    scope: found ?? (isRecord(given) ? (named as unknown as SessionScope) : undefined),
    ...(typeof messageId === "string" && { messageId }),
  };
}

/** Messages of a prompt to store: a text alone needs no list around it. */
function compact(prompt: Prompt): Message[] {
  return fromModelMessages(prompt as Parameters<typeof fromModelMessages>[0]).map((message) => {
    const parts = partsOf(message.content);
    const [only] = parts;
    const isText = parts.length === 1 && only?.type === "text" && !("providerOptions" in only);
    return isText ? ({ ...message, content: only.text } as Message) : message;
  });
}

function promptOf(messages: readonly Message[]): Prompt {
  return toModelMessages(messages).map((message) =>
    message.role === "system" ? message : { ...message, content: partsOf(message.content) },
  ) as Prompt;
}

function report({ onError }: MemoryOptions, error: unknown): void {
  if (onError === undefined) {
    throw error;
  }
  onError(error);
}
