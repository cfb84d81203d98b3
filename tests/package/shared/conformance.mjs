// Runs the conformance suite where a test framework is out of reach: in Deno, a Worker, a page.
// Nothing of Node here; it runs in every runtime.

/** The checks that failed, one line each, and how many of the others passed or were skipped. */
export async function conformance(checkHost, open, Siltstone) {
  const results = await checkHost(open, { Siltstone });
  const count = (wanted) => results.filter(({ status }) => status === wanted).length;
  const failed = results.filter(({ status }) => status === "failed");
  return {
    passed: count("passed"),
    skipped: count("skipped"),
    failures: failed.map(({ name, message }) => `${name}: ${message}`),
  };
}

/** What a host without a cache gives, and one with a cache. */
export const STORE = { passed: 15, skipped: 1, failures: [] };
export const STORE_AND_CACHE = { passed: 16, skipped: 0, failures: [] };
