// A Worker with a Durable Object for each session, whose alarm ends it, and a keeper whose alarm looks
// after what is left to do.

import { DurableObject, env } from "cloudflare:workers";
import { Siltstone } from "siltstone";
import { cloudflareHost } from "siltstone/hosts/cloudflare";
import { openAiCompatible } from "siltstone/llm/openai";
import { alarm } from "siltstone/maintain";
import { memos } from "siltstone/providers/memos";
import { qdrant } from "siltstone/vectors/qdrant";
import { BUSY_MS, IDLE_MS, optionsOf, stateOf } from "./options.mjs";

const memory = await Siltstone.create({
  host: cloudflareHost(env),
  ...optionsOf({ openAiCompatible, qdrant, memos }, env),
});

export class Session extends DurableObject {
  async say(scope, messages) {
    await memory.append(scope, messages);
    await this.ctx.storage.put("scope", scope);
    await this.ctx.storage.setAlarm(Date.now() + IDLE_MS);
  }

  async alarm() {
    const { status } = await memory.endSession(await this.ctx.storage.get("scope"));
    if (status === "busy") {
      await this.ctx.storage.setAlarm(Date.now() + BUSY_MS);
    } else {
      await env.KEEPER.getByName("keeper").wake();
    }
  }
}

export class Keeper extends DurableObject {
  async wake() {
    await this.ctx.storage.setAlarm(Date.now());
  }

  async alarm() {
    await alarm(memory, this.ctx.storage);
  }
}

export default {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    const { scope, messages } = await request.json();
    const actions = {
      "/say": () => env.SESSIONS.getByName(JSON.stringify(scope)).say(scope, messages),
      "/end": () => memory.endSession(scope),
      "/messages": () => memory.messages(scope),
      "/state": () => stateOf(memory),
    };
    return Response.json((await actions[pathname]()) ?? null);
  },
};
