import type { MaintainOptions, MaintainReport } from "../requests.js";

/** What can be maintained: a `Siltstone`. */
export interface Maintained {
  maintain(options?: MaintainOptions): Promise<MaintainReport>;
}

/** How long maintenance may go on. */
export interface SlicesOptions extends MaintainOptions {
  /** No slice begins after this time, in milliseconds. Default: 20,000. */
  budgetMs?: number;
}

const BUDGET_MS = 20_000;

/** Runs slices until nothing is left to do or the time is used up; gives what all of them did. */
export async function slices(
  memory: Maintained,
  { budgetMs = BUDGET_MS, ...options }: SlicesOptions = {},
): Promise<MaintainReport> {
  const end = Date.now() + budgetMs;
  let sum = await memory.maintain(options);
  while (!sum.done && Date.now() < end) {
    sum = add(sum, await memory.maintain(options));
  }
  return sum;
}

function add(
  sum: MaintainReport,
  { done, nextRunAt, changes, ...counts }: MaintainReport,
): MaintainReport {
  const sums = Object.entries(counts).map(([name, count]) => [
    name,
    count + sum[name as keyof typeof counts],
  ]);
  const joined = [...sum.changes, ...changes];
  return { ...sum, ...Object.fromEntries(sums), changes: joined, done, nextRunAt };
}
