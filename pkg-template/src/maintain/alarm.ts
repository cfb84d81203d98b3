import type { MaintainOptions, MaintainReport } from "../requests.js";
import type { Maintained } from "./slices.js";

/** What is used of a Durable Object's storage. */
export interface AlarmStorage {
  getAlarm(): Promise<number | null>;
  setAlarm(at: number): Promise<void>;
}

/**
 * What a Durable Object does in its `alarm()`: one slice, and the next alarm is set to when the
 * next one is due. A slice that fails is thrown: the runtime then runs the alarm again.
 *
 * @example
 * ```ts
 * export class Keeper extends DurableObject<Env> {
 *   wake() {
 *     return startAlarm(this.ctx.storage);
 *   }
 *   async alarm() {
 *     await alarm(await openMemory(this.env), this.ctx.storage);
 *   }
 * }
 * ```
 */
export async function alarm(
  memory: Maintained,
  storage: AlarmStorage,
  options: MaintainOptions = {},
): Promise<MaintainReport> {
  const report = await memory.maintain(options);
  await storage.setAlarm(report.nextRunAt);
  return report;
}

/** Sets the first alarm, unless one is set already. */
export async function startAlarm(storage: AlarmStorage): Promise<void> {
  if ((await storage.getAlarm()) === null) {
    await storage.setAlarm(Date.now());
  }
}
