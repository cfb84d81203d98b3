// Looks after the memories of all users between conversations: one Durable Object and its alarm.

import { DurableObject } from "cloudflare:workers";
import { alarm, startAlarm } from "siltstone/maintain";
import { type Env, openMemory } from "./env.js";

export class Keeper extends DurableObject<Env> {
  /** Sees to it that the alarm is set. */
  async wake(): Promise<void> {
    await startAlarm(this.ctx.storage);
  }

  override async alarm(): Promise<void> {
    await alarm(await openMemory(this.env), this.ctx.storage);
  }
}

/** The one keeper of this app. */
export function keeperOf(env: Env): DurableObjectStub<Keeper> {
  return env.KEEPER.getByName("keeper");
}
