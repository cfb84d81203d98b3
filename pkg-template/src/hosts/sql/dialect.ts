import type { Plan } from "./plan.js";

/** A statement with its parameters, in the order of their placeholders. */
export interface SqlStatement {
  sql: string;
  params: string[];
}

/** What differs from one SQL database to the next. */
export interface Dialect {
  /** What brings the schema from each version to the next; every statement may run again. */
  steps: readonly (readonly string[])[];
  /** Reads records; its parameter is the keys, as a JSON list. */
  get: string;
  /** Reads a range; its parameters are start and end. */
  range(limit: number, isReverse: boolean): string;
  /** The statements that write all of a batch in one transaction, or fail with a conflict. */
  commit(plan: Plan, version: string): SqlStatement[];
  /** What a record may have at most, for people. */
  limit: string;
  /** Whether the tables are not there. */
  isMissing(error: unknown): boolean;
  /** Whether a check did not hold. */
  isConflict(error: unknown): boolean;
  /** Whether the database undid the transaction because of another one. */
  isUndone(error: unknown): boolean;
  /** Whether a value is longer than the database takes. */
  isTooLarge(error: unknown): boolean;
  /** Whether the database may have committed although this error came instead of its answer. */
  isUnknown(error: unknown): boolean;
}

/** The version of the schema that was found; the tables of version 1 did not tell it. */
export const VERSION = `SELECT value FROM siltstone_meta WHERE name = 'schema'`;

export const field = (error: unknown, name: string): unknown =>
  typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
