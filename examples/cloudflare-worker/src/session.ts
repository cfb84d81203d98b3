import { DurableObject } from "cloudflare:workers";
import { type SessionScope, SiltstoneError } from "siltstone";
import { answer, memory } from "./memory.js";

/** One conversation: its turns and its end happen one after the other. */
export class ChatSession extends DurableObject<Env> {
  #last: Promise<unknown> = Promise.resolve();

  chat(scope: SessionScope, message: string): Promise<Response> {
    return this.#inOrder(async () => {
      const turn = await memory.load({ scope, message });
      const text = await answer(turn.messages);
      // Before what is to be ended is there: a Worker may die at any await.
      await this.ctx.storage.put("scope", scope);
      await this.#endLater();
      await memory.append(scope, [
        { role: "user", content: message },
        { role: "assistant", content: text },
      ]);
      return { answer: text };
    });
  }

  end(scope: SessionScope): Promise<Response> {
    return this.#inOrder(async () => {
      const { status, stored } = await memory.endSession(scope);
      if (status !== "busy") {
        await this.ctx.storage.deleteAlarm();
      }
      return { remembered: stored.map(({ content }) => content) };
    });
  }

  override async alarm(): Promise<void> {
    const scope = await this.ctx.storage.get<SessionScope>("scope");
    if (!scope) {
      return;
    }
    const { status } = await memory.endSession(scope);
    // Whoever died at it still holds the session for a while.
    if (status === "busy") {
      await this.#endLater();
    }
  }

  #endLater(): Promise<void> {
    return this.ctx.storage.setAlarm(Date.now() + this.env.IDLE_SECONDS * 1000);
  }

  #inOrder(work: () => Promise<object>): Promise<Response> {
    const answered = this.#last.then(work).then((body) => Response.json(body), failed);
    this.#last = answered;
    return answered;
  }
}

function failed(error: unknown): Response {
  if (!(error instanceof SiltstoneError)) {
    console.error(error);
    return Response.json({ code: "internal" }, { status: 500 });
  }
  const { code, message, path } = error;
  return Response.json({ code, message, path }, { status: code === "invalid_input" ? 400 : 503 });
}
