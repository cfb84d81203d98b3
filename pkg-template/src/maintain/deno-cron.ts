import { SiltstoneError } from "../errors.js";
import { type Maintained, type SlicesOptions, slices } from "./slices.js";

/** How `Deno.cron` runs maintenance. */
export interface DenoCronOptions extends SlicesOptions {
  /** The job's name. Default: `"siltstone-maintain"`. */
  name?: string;
  /** When it runs, as a cron expression in UTC. Default: every ten minutes. */
  schedule?: string;
  /** Ends the job. */
  signal?: AbortSignal;
}

interface DenoCron {
  cron?(
    name: string,
    schedule: string,
    options: { signal?: AbortSignal },
    handler: () => Promise<void>,
  ): Promise<void>;
}

/**
 * Runs maintenance by `Deno.cron`, which needs `--unstable-cron`. Call it at the top level of the
 * main module. A run that fails is tried again as Deno does.
 *
 * @example
 * ```ts
 * const memory = await Siltstone.create({ host });
 * denoCron(memory, { schedule: "0,30 * * * *" });
 * ```
 *
 * @returns A promise for the job's end: it ends by its signal.
 */
export async function denoCron(
  memory: Maintained,
  { name = "siltstone-maintain", schedule = "*/10 * * * *", signal, ...rest }: DenoCronOptions = {},
): Promise<void> {
  const { Deno } = globalThis as { Deno?: DenoCron };
  if (Deno?.cron === undefined) {
    throw new SiltstoneError(
      "host_failed",
      "Deno.cron is not there: run Deno with --unstable-cron",
    );
  }
  await Deno.cron(name, schedule, { ...(signal && { signal }) }, async () => {
    await slices(memory, rest);
  });
}
