import type { AgentInputItem, Session } from "@openai/agents";
import type { SessionScope } from "../messages.js";
import type { Siltstone } from "../siltstone.js";
import { fromAgentItems, toAgentItems } from "./openai-agents/items.js";
import { newest } from "./session.js";

export { fromAgentItems, toAgentItems } from "./openai-agents/items.js";

/** What a {@link SiltstoneSession} needs. */
export interface AgentSessionOptions {
  memory: Pick<Siltstone, "append" | "messages" | "removeMessages" | "clearSession">;
  /** Whose session it is; `scope.session` is the SDK's session id. */
  scope: SessionScope;
}

/**
 * The items of a session for the OpenAI Agents SDK.
 *
 * @example
 * ```ts
 * import { Agent, run } from "@openai/agents";
 * import { Siltstone } from "siltstone";
 * import { SiltstoneSession } from "siltstone/adapters/openai-agents";
 * import { memoryHost } from "siltstone/hosts/memory";
 *
 * const memory = await Siltstone.create({ host: memoryHost() });
 * const session = new SiltstoneSession({ memory, scope: { user: "ana", session: "monday" } });
 * const agent = new Agent({ name: "Helper", model });
 * await run(agent, "I'm Ana.", { session });
 * const { finalOutput } = await run(agent, "Who am I?", { session });
 * ```
 */
export class SiltstoneSession implements Session {
  readonly #memory: AgentSessionOptions["memory"];
  readonly #scope: SessionScope;

  constructor({ memory, scope }: AgentSessionOptions) {
    this.#memory = memory;
    this.#scope = scope;
  }

  async getSessionId(): Promise<string> {
    return this.#scope.session;
  }

  /** The newest items, oldest first; all of them without a limit. */
  async getItems(limit = Number.POSITIVE_INFINITY): Promise<AgentInputItem[]> {
    if (limit <= 0) {
      return [];
    }
    // A message holds one item or more, so that this many messages are enough.
    const items = toAgentItems(await newest(this.#memory, this.#scope, limit));
    return items.slice(-limit);
  }

  async addItems(items: AgentInputItem[]): Promise<void> {
    if (items.length > 0) {
      await this.#memory.append(this.#scope, fromAgentItems(items));
    }
  }

  /**
   * Takes the newest item out of the session. Where it shares a message with others, these are
   * stored anew first, so that a call that is cut off loses nothing.
   */
  async popItem(): Promise<AgentInputItem | undefined> {
    const [message] = await newest(this.#memory, this.#scope, 1);
    const items = message === undefined ? [] : toAgentItems([message]);
    const last = items.pop();
    if (items.length > 0) {
      await this.addItems(items);
    }
    if (message?.id !== undefined) {
      await this.#memory.removeMessages(this.#scope, [message.id]);
    }
    return last;
  }

  async clearSession(): Promise<void> {
    await this.#memory.clearSession(this.#scope);
  }
}
