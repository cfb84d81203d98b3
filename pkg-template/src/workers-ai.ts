import { failure } from "./llm/answer.js";
import { expect } from "./options.js";

/** What is used of the binding `AI`. */
export interface WorkersAi {
  run(
    model: never,
    inputs: never,
    options?: { signal?: AbortSignal; gateway?: { id: string } },
  ): Promise<unknown>;
}

/** A model of Workers AI. */
export interface WorkersAiOptions {
  /** Such as `@cf/meta/llama-3.3-70b-instruct-fp8-fast`; for JSON mode, see the list in its docs. */
  model: string;
  /** The AI Gateway to go through. */
  gateway?: { id: string };
}

/** Checks what an adapter was given. */
export function checked(ai: WorkersAi, { model }: WorkersAiOptions): void {
  expect("ai", typeof ai?.run === "function", "the binding of Workers AI");
  expect("model", typeof model === "string" && model !== "", "the name of a model");
}

/** What the binding threw, as this package's error. */
export function told(error: unknown): unknown {
  if (error instanceof Error && "code" in error && error.code === "llm_failed") {
    return error;
  }
  const text = error instanceof Error ? error.message : String(error);
  return failure("status", `Workers AI failed: ${text.slice(0, 300)}`, { cause: error });
}
