import type { Llm, LlmRequest } from "../host.js";
import { checked, told, type WorkersAi, type WorkersAiOptions } from "../workers-ai.js";
import { complete } from "./answer.js";

export type { WorkersAi, WorkersAiOptions };

interface Output {
  /** A text, and in JSON mode the object itself. */
  response?: unknown;
  usage?: { completion_tokens?: number };
  choices?: { finish_reason?: string; message?: { content?: unknown; refusal?: string | null } }[];
}

/** A language model for `Siltstone.create`: `workersAi(env.AI, { model })`. */
export function workersAi(ai: WorkersAi, { model, gateway }: WorkersAiOptions): Llm {
  checked(ai, { model });
  return async ({ messages, json, schema, maxTokens, signal }) => {
    const run = async (format: object) => {
      const inputs = { messages, max_tokens: maxTokens, ...format };
      const options = { signal, ...(gateway && { gateway }) };
      return (await ai.run(model as never, inputs as never, options)) as Output | null;
    };
    const asked = async () => {
      if (!json) {
        return run({});
      }
      try {
        return await run({ response_format: responseFormat(schema) });
      } catch (error) {
        // A model without JSON mode, or an answer that could not be brought into the form.
        if (signal.aborted || !/json|response_format/i.test(String(error))) {
          throw error;
        }
        return run({});
      }
    };
    try {
      return answer(await asked(), json, maxTokens);
    } catch (error) {
      signal.throwIfAborted();
      throw told(error);
    }
  };
}

function responseFormat(schema: LlmRequest["schema"]) {
  return schema ? { type: "json_schema", json_schema: schema } : { type: "json_object" };
}

function answer(output: Output | null, json: boolean, maxTokens: number): string {
  const choice = output?.choices?.[0];
  const content = choice?.message?.content ?? output?.response ?? "";
  const used = output?.usage?.completion_tokens ?? 0;
  return complete(
    {
      text: typeof content === "string" ? content : JSON.stringify(content),
      // Models that do not say why they stopped say how much they wrote.
      isTruncated: choice ? choice.finish_reason === "length" : used >= maxTokens,
      refusal: choice?.message?.refusal ?? undefined,
    },
    json,
  );
}
