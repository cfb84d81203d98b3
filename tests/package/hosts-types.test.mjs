// The hosts take what the real drivers give, by their own types.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { installPackage, root } from "./support.mjs";

const CODE = `
import type { PGlite } from "@electric-sql/pglite";
import type { RedisClientType } from "@redis/client";
import type { Redis } from "ioredis";
import type { Pool } from "mysql2/promise";
import type { Cache, Host } from "siltstone";
import { Siltstone } from "siltstone";
import { cloudflareHost, schema } from "siltstone/hosts/cloudflare";
import { durableObjectHost } from "siltstone/hosts/durable-object";
import { indexedDbHost } from "siltstone/hosts/indexeddb";
import { mysqlHost } from "siltstone/hosts/mysql";
import { postgresHost } from "siltstone/hosts/postgres";
import { redisCache } from "siltstone/hosts/redis";
import { schemaOf, sqlHost } from "siltstone/hosts/sql";
import { checkHost, hostChecks, runCheck, type HostResult } from "siltstone/testing";

export const mysql = (pool: Pool): Host => mysqlHost(pool);
export const postgres = (db: PGlite): Host => postgresHost(db);
export const ioredis = (redis: Redis): Cache => redisCache(redis, { prefix: "p:", timeoutMs: 100 });
export const nodeRedis = (redis: RedisClientType): Cache => redisCache(redis);
export const durableObject = (storage: DurableObjectStorage): Host => durableObjectHost(storage);
export const d1 = (DB: D1Database, CACHE: KVNamespace): Host => cloudflareHost({ DB, CACHE });
export const browser = (): Host => indexedDbHost({ name: "n" });
export const statements: readonly string[] = [...schema, ...schemaOf("postgres")];
export const any: Host = sqlHost("sqlite", {
  query: ({ sql, params }) => [{ sql, params }],
  transaction: async () => [],
});

export async function check(): Promise<HostResult[]> {
  for (const one of hostChecks) await runCheck(one, browser, { Siltstone });
  return checkHost(() => browser(), { Siltstone });
}

// @ts-expect-error: there is no such dialect.
schemaOf("oracle");
`;

test("the hosts take what the real drivers give", () => {
  const folder = installPackage();
  const modules = join(root, "node_modules");
  const config = {
    compilerOptions: {
      target: "ES2022",
      lib: ["ES2023"],
      module: "ESNext",
      moduleResolution: "Bundler",
      strict: true,
      exactOptionalPropertyTypes: true,
      // The drivers' own declarations are theirs to check.
      skipLibCheck: true,
      noEmit: true,
      types: [join(modules, "@cloudflare/workers-types"), join(modules, "@types/node")],
      paths: Object.fromEntries(
        ["@electric-sql/pglite", "@redis/client", "ioredis", "mysql2/promise"].map((name) => [
          name,
          [join(modules, name)],
        ]),
      ),
    },
    files: ["hosts.ts"],
  };
  writeFileSync(join(folder, "hosts.ts"), CODE);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  execFileSync(join(root, "node_modules/.bin/tsc"), ["--project", folder], { stdio: "inherit" });
});
