// One conversation: a Durable Object, so that its turns and its end happen one after the other.

import { DurableObject } from "cloudflare:workers";
import type { EndReport, Message, SessionScope, Siltstone } from "siltstone";
import { AGENT, chat, type Env, openMemory } from "./env.js";
import { errorBody, errorResponse } from "./http.js";
import { keeperOf } from "./keeper.js";
import type { ChatEvent, ChatRequest, EndRequest } from "./wire.js";

const SYSTEM =
  "You are a friendly assistant. Use what you remember of the user where it helps, and say so when you do not know something. Answer in the user's language, briefly.";

/** When the end of a session that did not come is tried again, in milliseconds. */
const END_AGAIN_MS = 60_000;

type Send = (event: ChatEvent) => void;

export class ChatSession extends DurableObject<Env> {
  #last: Promise<unknown> = Promise.resolve();

  /** Answers a message with a stream of `ChatEvent` lines. */
  chat(request: ChatRequest): Response {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const encoder = new TextEncoder();
    // The turn waits for no reader, and goes on to its end when there is none any more: what was
    // said must be stored.
    const send: Send = (event) => {
      writer.write(encoder.encode(`${JSON.stringify(event)}\n`)).catch(() => {});
    };
    const turn = this.#inOrder(() => this.#turn(request, send))
      .catch((error) => send({ type: "error", ...errorBody(error) }))
      .then(() => writer.close())
      .catch(() => {});
    this.ctx.waitUntil(turn);
    return new Response(readable, { headers: { "content-type": "application/x-ndjson" } });
  }

  /** Settles the conversation into memories and answers what came of it. */
  end(request: EndRequest): Promise<Response> {
    const ended = this.#inOrder(() => this.#end(request));
    return ended.then((report) => Response.json(report), errorResponse);
  }

  /** Ends what a call that died had begun to end. */
  override async alarm(): Promise<void> {
    const request = await this.ctx.storage.get<EndRequest>("ending");
    if (request) {
      await this.#inOrder(() => this.#end(request));
    }
  }

  async #end(request: EndRequest): Promise<EndReport> {
    const { storage } = this.ctx;
    await storage.put("ending", request);
    await storage.setAlarm(Date.now() + END_AGAIN_MS);
    const memory = await openMemory(this.env);
    const report = await memory.endSession(scopeOf(request));
    // Whoever died at it still holds the session for a while.
    if (report.status !== "busy") {
      await storage.deleteAlarm();
    }
    this.ctx.waitUntil(keeperOf(this.env).wake());
    return report;
  }

  async #turn(request: ChatRequest, send: Send): Promise<void> {
    const memory = await openMemory(this.env);
    const scope = scopeOf(request);
    const asked: Message = { id: request.id, role: "user", content: request.message };
    const turn = await memory.load({ scope, message: asked, system: SYSTEM });
    send({ type: "turn", ...turn });
    const answered = await this.#answer(turn.messages, send);
    await this.#store(memory, scope, asked, answered);
    send({ type: "done" });
  }

  async #answer(messages: Message[], send: Send): Promise<string> {
    let answer = "";
    for await (const text of chat(this.env, messages)) {
      answer += text;
      send({ type: "text", text });
    }
    return answer;
  }

  async #store(memory: Siltstone, scope: SessionScope, asked: Message, answered: string) {
    // Ids of its own make a turn that the page sends twice be stored once.
    const answer: Message = { id: `${asked.id}-answer`, role: "assistant", content: answered };
    await memory.append(scope, answered === "" ? [asked] : [asked, answer]);
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}

function scopeOf({ user, session }: EndRequest): SessionScope {
  return { user, session, agent: AGENT };
}
