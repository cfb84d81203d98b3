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
      await memory.append(scope, [
        { role: "user", content: message },
        { role: "assistant", content: text },
      ]);
      await this.ctx.storage.put("scope", scope);
      await this.ctx.storage.setAlarm(Date.now() + this.env.IDLE_SECONDS * 1000);
      return { answer: text };
    });
  }

  end(scope: SessionScope): Promise<Response> {
    return this.#inOrder(async () => {
      const { stored } = await memory.endSession(scope);
      await this.ctx.storage.deleteAlarm();
      return { remembered: stored.map(({ content }) => content) };
    });
  }

  override async alarm(): Promise<void> {
    const scope = await this.ctx.storage.get<SessionScope>("scope");
    if (scope) {
      await memory.endSession(scope);
    }
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
