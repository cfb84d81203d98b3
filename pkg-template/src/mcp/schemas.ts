import * as z from "zod/v4";
import type { Memory } from "../memory.js";

const CATEGORIES = [
  "profile",
  "auth",
  "social",
  "project",
  "preference",
  "task",
  "note",
  "idea",
  "event",
  "document",
  "code",
  "other",
] as const;

const id = z.string().min(1).describe("The id of a memory, as recall and list give it");
const content = z.string().min(1).describe("The fact, as one sentence about the user");
const category = z.enum(CATEGORIES).describe("What it is about");
const importance = z
  .number()
  .int()
  .min(1)
  .max(10)
  .describe("From 1 (a trifle) to 10 (an explicit instruction)");
const tags = z.array(z.string()).describe("Free labels");
const limit = z.number().int().min(1).max(100).describe("Memories at most");

const memory = z.object({
  id: z.string(),
  content: z.string(),
  category: z.string(),
  importance: z.number(),
  tags: z.array(z.string()),
  version: z.number().describe("1, and one more at every update"),
  isPinned: z.boolean(),
  isValid: z.boolean().describe("False once it was superseded or forgotten"),
  createdAt: z.string().describe("When it was stored, in ISO 8601"),
});

/** What each tool takes. A field that is not named is refused. */
export const input = {
  remember: z.strictObject({
    content,
    category: category.optional(),
    importance: importance.optional(),
    tags: tags.optional(),
  }),
  recall: z.strictObject({
    query: z.string().describe("What to find, in plain words"),
    limit: limit.optional(),
    cold: z.boolean().optional().describe("Search the archive as well"),
  }),
  list: z.strictObject({
    limit: limit.optional(),
    cursor: z.string().optional().describe("Where the previous page ended"),
  }),
  update: z.strictObject({
    id,
    content: content.optional().describe("A text in place of the old one"),
    add: z.string().min(1).optional().describe("A text to go behind the one that still holds"),
    category: category.optional(),
    importance: importance.optional(),
    tags: tags.optional(),
    expectedVersion: z.number().int().optional().describe("Fails unless it is of this version"),
  }),
  forget: z.strictObject({
    id,
    hard: z.boolean().optional().describe("Delete the text of all its versions for good"),
  }),
  id: z.strictObject({ id }),
  none: z.strictObject({}),
};

/** What each tool answers. */
export const output = {
  remember: z.object({
    memory: memory.describe("The memory that holds it now"),
    action: z
      .enum(["stored", "merged", "outdated", "pending"])
      .describe(
        "merged: it was known; outdated: something newer says otherwise; pending: not kept there yet",
      ),
    superseded: z.array(z.string()).describe("Ids of memories that it replaced"),
    questions: z.array(z.string()).describe("Contradictions to ask the user about"),
  }),
  recall: z.object({
    memories: z.array(memory.extend({ score: z.number().nullable() })).describe("Best first"),
  }),
  list: z.object({
    memories: z.array(memory).describe("Newest first"),
    total: z.number().describe("Memories on all pages"),
    cursor: z.string().optional().describe("Where the next page begins; absent on the last one"),
  }),
  memory: z.object({ memory }),
  forgotten: z.object({ forgotten: z.number().describe("Versions that were forgotten") }),
  versions: z.object({ versions: z.array(memory).describe("Oldest first") }),
  stats: z.object({
    total: z.number(),
    hot: z.number(),
    cold: z.number(),
    held: z.number(),
    expired: z.number(),
    forgotten: z.number(),
    superseded: z.number(),
    pinned: z.number(),
    long: z.number(),
  }),
};

/** A memory as tools show it. */
export function shown(memory: Memory): z.infer<typeof output.memory>["memory"] {
  const { id, content, category, importance, tags, version, isPinned, isValid } = memory;
  const createdAt = new Date(memory.createdAt).toISOString();
  return { id, content, category, importance, tags, version, isPinned, isValid, createdAt };
}
