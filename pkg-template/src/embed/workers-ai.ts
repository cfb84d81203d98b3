import type { Embed } from "../host.js";
import { failure } from "../llm/answer.js";
import { checked, told, type WorkersAi, type WorkersAiOptions } from "../workers-ai.js";
import { inBatches, vectorOf } from "./batches.js";

export type { WorkersAi, WorkersAiOptions };

/** The models take lists of up to 100 texts. */
const BATCH = 100;

/** An embedder for `Siltstone.create`: `workersAiEmbed(env.AI, { model: "@cf/baai/bge-m3" })`. */
export function workersAiEmbed(ai: WorkersAi, { model, gateway }: WorkersAiOptions): Embed {
  checked(ai, { model });
  return (texts, { signal }) =>
    inBatches(texts, BATCH, async (text) => {
      signal.throwIfAborted();
      try {
        const options = { signal, ...(gateway && { gateway }) };
        return vectors(await ai.run(model as never, { text } as never, options));
      } catch (error) {
        signal.throwIfAborted();
        throw told(error);
      }
    });
}

function vectors(output: unknown): Float32Array[] {
  const { data } = (output ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) {
    throw failure("malformed", "Workers AI answered no list of vectors");
  }
  return data.map(vectorOf);
}
