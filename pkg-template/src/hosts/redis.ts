import type { Cache } from "../host.js";

/** What is used of a client: ioredis has `call`, node-redis (`redis`, `@redis/client`) `sendCommand`. */
export type RedisClient =
  | { call(command: string, ...args: string[]): Promise<unknown> }
  | { sendCommand(args: string[]): Promise<unknown> };

/** How a Redis is used as the cache. */
export interface RedisCacheOptions {
  /** What every key begins with; `siltstone:` without it. */
  prefix?: string;
  /** How long an answer is waited for, in milliseconds; 500 without it. */
  timeoutMs?: number;
}

/**
 * Redis, or what speaks its protocol, as the hot cache. While it is down, each use fails after
 * `timeoutMs` and the memory works on without it; a client that does not queue commands meanwhile
 * fails at once.
 *
 * ```ts
 * import { Redis } from "ioredis";
 *
 * const redis = new Redis(process.env.REDIS_URL, { enableOfflineQueue: false });
 * redis.on("error", (error) => console.warn(error.message));
 * const host = { ...mysqlHost(pool), cache: redisCache(redis) };
 * ```
 */
export function redisCache(
  client: RedisClient,
  { prefix = "siltstone:", timeoutMs = 500 }: RedisCacheOptions = {},
): Cache {
  const send = (...args: string[]): Promise<unknown> => {
    const [command = "", ...rest] = args;
    const answer = "call" in client ? client.call(command, ...rest) : client.sendCommand(args);
    return within(timeoutMs, answer);
  };
  return {
    get: async (key) => {
      const value = await send("GET", prefix + key);
      return value === null || value === undefined ? null : String(value);
    },
    put: async (key, value, ttlMs) => {
      if (ttlMs < 1) {
        await send("DEL", prefix + key);
        return;
      }
      await send("SET", prefix + key, value, "PX", String(Math.floor(ttlMs)));
    },
  };
}

async function within<T>(timeoutMs: number, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`Redis did not answer within ${timeoutMs} ms`));
    timer = setTimeout(fail, timeoutMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
