import type { Host } from "../host.js";
import { type SqlRow, SqlStore } from "./sql.js";

/** What is used of a Durable Object's storage. */
export interface DurableObjectSql {
  sql: { exec(query: string, ...bindings: string[]): { toArray(): unknown[] } };
  transactionSync<T>(work: () => T): T;
}

/**
 * A host over the SQLite database of one Durable Object: nothing else has to be bound. An object
 * holds up to 10 GB, and records of up to 2 MB.
 *
 * ```ts
 * export class UserMemory extends DurableObject {
 *   readonly #memory = Siltstone.create({ host: durableObjectHost(this.ctx.storage) });
 *
 *   async append(scope: SessionScope, messages: Message[]) {
 *     return (await this.#memory).append(scope, messages);
 *   }
 * }
 * ```
 */
export function durableObjectHost(storage: DurableObjectSql): Host {
  const run = (sql: string, params: string[]) =>
    storage.sql.exec(sql, ...params).toArray() as SqlRow[];
  const driver = {
    query: ({ sql, params }: { sql: string; params: string[] }) => run(sql, params),
    transaction: (statements: { sql: string; params: string[] }[]) =>
      storage.transactionSync(() => {
        let rows: SqlRow[] = [];
        for (const { sql, params } of statements) {
          rows = run(sql, params);
        }
        return rows;
      }),
  };
  return { store: new SqlStore("sqlite", driver, storage) };
}
