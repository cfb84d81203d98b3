import { Bench, type CheckOptions, type HostCheck, type OpenHost } from "./bench.js";
import { commits } from "./commits.js";
import { reads } from "./reads.js";
import { sessions } from "./sessions.js";

export type { Bench, CheckOptions, HostCheck, OpenHost };

/** How one check went. */
export interface HostResult {
  name: string;
  /** `skipped` when the host has no such part, such as a cache. */
  status: "passed" | "failed" | "skipped";
  /** What is wrong. */
  message?: string;
}

/** Everything that a host must do right. */
export const hostChecks: readonly HostCheck[] = [...reads, ...commits, ...sessions];

/**
 * Tries all of a host and tells how each check went. Nothing is thrown for a host that is wrong, and
 * no test framework is needed. The store need not be empty; what the checks write is deleted. A
 * vector store behind the host has checks of its own: `vectorStoreChecks` in
 * `siltstone/testing/vectors`.
 *
 * ```ts
 * import { Siltstone } from "siltstone";
 * import { checkHost } from "siltstone/testing";
 *
 * const results = await checkHost(() => myHost(), { Siltstone });
 * const failed = results.filter(({ status }) => status === "failed");
 * ```
 *
 * @param open - Gives a host over the same store each time it is called, through another connection
 * where there are connections.
 */
export async function checkHost(open: OpenHost, options: CheckOptions): Promise<HostResult[]> {
  const results: HostResult[] = [];
  for (const check of hostChecks) {
    results.push(await runCheck(check, open, options));
  }
  return results;
}

/** Runs one check, for test frameworks that want to name each. */
export async function runCheck(
  { name, applies, run }: HostCheck,
  open: OpenHost,
  options: CheckOptions,
): Promise<HostResult> {
  try {
    const bench = new Bench(await open(), open, options);
    if (applies?.(bench.host) === false) {
      return { name, status: "skipped" };
    }
    try {
      await run(bench);
    } finally {
      await bench.clear();
    }
    return { name, status: "passed" };
  } catch (error) {
    return { name, status: "failed", message: error instanceof Error ? error.message : `${error}` };
  }
}
