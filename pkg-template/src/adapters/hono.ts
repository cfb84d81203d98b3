import type { Context, MiddlewareHandler } from "hono";
import type { Scope, SessionScope } from "../messages.js";
import type { Siltstone } from "../siltstone.js";

/** What {@link siltstoneMemory} sets in a request's context. */
export interface MemoryVariables<Found extends Scope | undefined = Scope | undefined> {
  /** The instance, one for all requests. */
  memory: Siltstone;
  /** Whose data the request is about; absent where the function for it gave none. */
  scope: Found;
  /**
   * Settles the session of the request into long-term memories. It runs on behind the answer where
   * the runtime can wait for that (`executionCtx.waitUntil`), else within the request.
   */
  endSession: () => Promise<void>;
}

/** How {@link siltstoneMemory} makes its instance and finds the scope of a request. */
export interface HonoOptions<Found extends Scope | undefined, Bindings extends object> {
  /**
   * Makes the instance; called in the first request, where a Worker may use its bindings and
   * random values. After a failure the next request tries again.
   */
  create: (env: Bindings) => Siltstone | Promise<Siltstone>;
  /** Whose data a request is about, by what has been authenticated before. */
  scope: (context: Context<{ Bindings: Bindings }>) => Found | Promise<Found>;
  /** Takes what went wrong in an `endSession` behind an answer. Default: `console.error`. */
  onError?: (error: unknown) => void;
}

/**
 * Gives every request of a Hono app the memory as `c.var.memory` and its scope as `c.var.scope`.
 *
 * @example
 * ```ts
 * import { Hono } from "hono";
 * import { Siltstone } from "siltstone";
 * import { siltstoneMemory } from "siltstone/adapters/hono";
 * import { memoryHost } from "siltstone/hosts/memory";
 *
 * const app = new Hono();
 * app.use(
 *   siltstoneMemory({
 *     create: () => Siltstone.create({ host: memoryHost() }),
 *     scope: (c) => ({ user: "ana", session: c.req.header("x-session") ?? "main" }),
 *   }),
 * );
 * app.post("/say", async (c) => {
 *   const { memory, scope } = c.var;
 *   await memory.append(scope, [{ role: "user", content: await c.req.text() }]);
 *   await c.var.endSession();
 *   return c.json(await memory.messages(scope));
 * });
 * ```
 */
export function siltstoneMemory<Found extends Scope | undefined, Bindings extends object = object>(
  options: HonoOptions<Found, Bindings>,
): MiddlewareHandler<{ Bindings: Bindings; Variables: MemoryVariables<Found> }> {
  const { create, scope: find, onError = console.error } = options;
  let instance: Promise<Siltstone> | undefined;
  const open = (env: Bindings) => {
    instance ??= Promise.resolve(create(env)).catch((error: unknown) => {
      instance = undefined;
      throw error;
    });
    return instance;
  };
  return async (c, next) => {
    const memory = await open(c.env);
    const scope = await find(c as unknown as Context<{ Bindings: Bindings }>);
    c.set("memory", memory);
    c.set("scope", scope);
    c.set("endSession", async () => {
      // The core says what is missing in a scope without a session.
      const work = memory.endSession(scope as SessionScope);
      const waitUntil = waiting(c);
      if (waitUntil === undefined) {
        await work;
      } else {
        waitUntil(work.catch(onError));
      }
    });
    await next();
  };
}

/** Hono throws where a runtime has no execution context. */
function waiting(c: Pick<Context, "executionCtx">): ((work: Promise<unknown>) => void) | undefined {
  try {
    const { executionCtx } = c;
    return (work) => executionCtx.waitUntil(work);
  } catch {
    return undefined;
  }
}
