import { BaseListChatMessageHistory } from "@langchain/core/chat_history";
import type { BaseMessage } from "@langchain/core/messages";
import type { Message, SessionScope } from "../../messages.js";
import type { Siltstone } from "../../siltstone.js";
import { newest } from "../session.js";
import { fromLangChain, toLangChain } from "./messages.js";

/** What a {@link SiltstoneChatMessageHistory} is made of. */
export interface HistoryFields {
  memory: Pick<Siltstone, "append" | "messages" | "clearSession">;
  /** Whose session it is. */
  scope: SessionScope;
  /** Messages that are read at most, the newest ones. Default: all. */
  limit?: number;
}

/**
 * The messages of a session as LangChain's chat history.
 *
 * @example
 * ```ts
 * import { RunnableWithMessageHistory } from "@langchain/core/runnables";
 * import { Siltstone } from "siltstone";
 * import { SiltstoneChatMessageHistory } from "siltstone/adapters/langchain";
 * import { memoryHost } from "siltstone/hosts/memory";
 *
 * const memory = await Siltstone.create({ host: memoryHost() });
 * const chat = new RunnableWithMessageHistory({
 *   runnable: model,
 *   getMessageHistory: (session) =>
 *     new SiltstoneChatMessageHistory({ memory, scope: { user: "ana", session } }),
 * });
 * const config = { configurable: { sessionId: "monday" } };
 * await chat.invoke("I'm Ana.", config);
 * const answer = await chat.invoke("Who am I?", config);
 * ```
 */
export class SiltstoneChatMessageHistory extends BaseListChatMessageHistory {
  override lc_namespace = ["siltstone", "adapters", "langchain"];
  readonly #memory: HistoryFields["memory"];
  readonly #scope: SessionScope;
  readonly #limit: number;

  constructor({ memory, scope, limit = Number.POSITIVE_INFINITY }: HistoryFields) {
    super();
    this.#memory = memory;
    this.#scope = scope;
    this.#limit = limit;
  }

  override async getMessages(): Promise<BaseMessage[]> {
    return toLangChain(await newest(this.#memory, this.#scope, this.#limit));
  }

  override addMessage(message: BaseMessage): Promise<void> {
    return this.addMessages([message]);
  }

  override async addMessages(messages: BaseMessage[]): Promise<void> {
    await this.#memory.append(this.#scope, fromLangChain(messages) as Message[]);
  }

  override async clear(): Promise<void> {
    await this.#memory.clearSession(this.#scope);
  }
}
