import type { BaseMessage } from "@langchain/core/messages";
import { type Runnable, RunnableLambda } from "@langchain/core/runnables";
import type { SiltstoneConfig } from "../../config.js";
import { SiltstoneError } from "../../errors.js";
import type { Counter } from "../../host.js";
import { memoryHost } from "../../hosts/memory.js";
import { Siltstone } from "../../main.js";
import type { Message, UserMessage } from "../../messages.js";
import { same } from "../plain.js";
import { fromLangChain, toLangChain } from "./messages.js";

type Window = NonNullable<SiltstoneConfig["window"]>;

/** How messages are trimmed. */
export interface TrimOptions extends Pick<Window, "maxMessages" | "alternation" | "oversize"> {
  /** Tokens of all messages together, the priming of the answer included. */
  maxTokens: number;
  /** How tokens are counted; see `config.tokens`. */
  tokens?: NonNullable<SiltstoneConfig["tokens"]>;
  /** Your own token counter in place of an encoding. */
  counter?: Counter;
  /** The tool schemas of the call; their tokens count. */
  tools?: object[];
}

/** In place of the ids that messages may share or lack. */
const SCOPE = { user: "trim", session: "trim" };

/**
 * Siltstone's window in place of LangChain's `trimMessages`: system messages first, then the newest
 * run of turns that fits the budget and begins with a human message. A tool call and its results
 * stay together or leave together, and what follows the last human message always stays.
 *
 * The module has to be loaded, which an import of `siltstone` does.
 *
 * @throws {@link SiltstoneError} `budget_exceeded` when what must stay does not fit.
 *
 * @example
 * ```ts
 * import "siltstone";
 * import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
 * import { trimMessages } from "siltstone/adapters/langchain";
 *
 * const chain = trimMessages({ maxTokens: 40 }).pipe(model);
 * const answer = await chain.invoke([
 *   new SystemMessage("Be brief."),
 *   new HumanMessage("Tell me all that you know about peanuts, from the root to the shell."),
 *   new AIMessage("They grow in the earth, and what grows there is called a legume."),
 *   new HumanMessage("And in short?"),
 * ]);
 * ```
 */
export function trimMessages(options: TrimOptions): Runnable<BaseMessage[], BaseMessage[]>;
export function trimMessages(messages: BaseMessage[], options: TrimOptions): Promise<BaseMessage[]>;
export function trimMessages(
  first: BaseMessage[] | TrimOptions,
  options?: TrimOptions,
): Runnable<BaseMessage[], BaseMessage[]> | Promise<BaseMessage[]> {
  if (Array.isArray(first)) {
    return trim(first, options as TrimOptions);
  }
  return RunnableLambda.from((messages: BaseMessage[]) => trim(messages, first)).withConfig({
    runName: "trimMessages",
  });
}

async function trim(given: BaseMessage[], options: TrimOptions): Promise<BaseMessage[]> {
  const messages = fromLangChain(given).map(
    (message, index) => ({ ...message, id: String(index), meta: undefined }) as Message,
  );
  const last = messages.findLastIndex(({ role }) => role === "user");
  const isSystem = ({ role }: Message) => role === "system" || role === "developer";
  const tail = messages.slice(last + 1).filter((message) => !isSystem(message));
  const system = messages.filter(isSystem);
  const history = messages.slice(0, Math.max(last, 0)).filter((message) => !isSystem(message));
  const current = messages[last];

  const room = await roomFor(options, current === undefined ? messages : tail);
  if (current === undefined) {
    return given;
  }
  const memory = await siltstone(options, room, messages.length);
  try {
    const { stored } = await memory.append(SCOPE, history);
    const { tools = [] } = options;
    const message = current as UserMessage;
    const turn = await memory.load({ scope: SCOPE, message, system, tools });
    const dropped = new Set(turn.report.dropped.map(({ id }) => id));
    const all = [...system, ...stored.map(({ index }) => history[index] as Message), current];
    const kept = all.filter(({ id }) => !dropped.has(id));
    const window = turn.messages.map((shown, index) => original(shown, kept[index], given));
    return [...window, ...tail.map(({ id }) => given[Number(id)] as BaseMessage)];
  } finally {
    memory.close();
  }
}

/** What is left of the budget beside messages that stay in any case. */
async function roomFor(options: TrimOptions, messages: Message[]): Promise<number> {
  const memory = await siltstone(options, options.maxTokens, 0);
  const { tokens } = await memory.countTokens({ messages }).finally(() => memory.close());
  const room = options.maxTokens - tokens;
  if (room < 1) {
    const text = `what has to stay takes ${tokens} of ${options.maxTokens} tokens`;
    throw new SiltstoneError("budget_exceeded", text, { details: { limit: options.maxTokens } });
  }
  return room;
}

function siltstone(options: TrimOptions, maxTokens: number, messages: number): Promise<Siltstone> {
  const { maxMessages, alternation, oversize, tokens, counter } = options;
  const window = {
    maxTokens,
    ...(maxMessages !== undefined && { maxMessages }),
    ...(alternation !== undefined && { alternation }),
    ...(oversize !== undefined && { oversize }),
  };
  return Siltstone.create({
    host: memoryHost(),
    ...(counter && { counter }),
    config: {
      window,
      ...(tokens && { tokens }),
      summary: { maxTokens: 0 },
      history: { maxAppend: 10_000 },
      agent: { contextRounds: Math.min(10_000, Math.ceil(messages / 3)) },
    },
  });
}

/** The message as it was given, with another content where the window cleaned, merged or cut it. */
function original(shown: Message, kept: Message | undefined, given: BaseMessage[]): BaseMessage {
  const before = given[Number(kept?.id)] as BaseMessage;
  if (kept === undefined || same(shown.content, kept.content)) {
    return before;
  }
  const [source] = fromLangChain([before]);
  const [changed] = toLangChain([{ ...source, content: shown.content } as Message]);
  return changed as BaseMessage;
}
