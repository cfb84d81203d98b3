import { type Maintained, type SlicesOptions, slices } from "./slices.js";

/** What is used of a Worker's `ExecutionContext`. */
export interface WaitUntil {
  waitUntil(promise: Promise<unknown>): void;
}

/** A Worker's handler of cron triggers. */
export type ScheduledHandler<Env> = (controller: unknown, env: Env, ctx: WaitUntil) => void;

/**
 * A Worker's `scheduled` handler: at every cron trigger it runs slices until nothing is left to do
 * or its time is used up. The next trigger goes on where this one stopped.
 *
 * @example
 * ```ts
 * // wrangler.json: "triggers": { "crons": ["0,10,20,30,40,50 * * * *"] }
 * export default {
 *   fetch,
 *   scheduled: scheduled((env: Env) => Siltstone.create({ host: cloudflareHost(env) })),
 * };
 * ```
 *
 * @param open - Gives the memory from the Worker's environment.
 */
export function scheduled<Env>(
  open: (env: Env) => Maintained | Promise<Maintained>,
  options: SlicesOptions = {},
): ScheduledHandler<Env> {
  return (_controller, env, ctx) => {
    const run = async () => slices(await open(env), options);
    ctx.waitUntil(run());
  };
}
