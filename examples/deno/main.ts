// POST /chat { user, session, message } answers, POST /end { user, session } settles a session.

import { type Message, type SessionScope, Siltstone, SiltstoneError } from "siltstone";
import { denoKvHost } from "siltstone/hosts/deno-kv";
import { openAiChat, openAiCompatible } from "siltstone/llm/openai";
import { denoCron } from "siltstone/maintain";

const baseUrl = Deno.env.get("OPENAI_BASE_URL");
const apiKey = Deno.env.get("OPENAI_API_KEY");
const model = Deno.env.get("OPENAI_MODEL");
const llm = baseUrl && model ? { baseUrl, apiKey, model } : undefined;

// On Deno Deploy, without a path, this is the hosted database.
const kv = await Deno.openKv(Deno.env.get("KV_PATH"));
const memory = await Siltstone.create({
  host: denoKvHost(kv),
  ...(llm && { llm: openAiCompatible(llm) }),
  config: { agent: { longMemory: true, model: model ?? "none" } },
});
denoCron(memory);

/** Answers a prepared turn. */
async function answer(messages: Message[]): Promise<string> {
  if (!llm) {
    const sent = messages.map(({ role, content }) => `${role}: ${content}`).join("\n");
    return `No language model is set up (OPENAI_BASE_URL, OPENAI_MODEL). It would be sent:\n${sent}`;
  }
  let text = "";
  for await (const piece of openAiChat(llm, messages)) {
    text += piece;
  }
  return text;
}

const routes: Record<string, (scope: SessionScope, message: string) => Promise<object>> = {
  "POST /chat": async (scope, message) => {
    const turn = await memory.load({ scope, message });
    const text = await answer(turn.messages);
    await memory.append(scope, [
      { role: "user", content: message },
      { role: "assistant", content: text },
    ]);
    return { answer: text };
  },
  "POST /end": async (scope) => {
    const { stored } = await memory.endSession(scope);
    return { remembered: stored.map(({ content }) => content) };
  },
};

const server = Deno.serve({ port: Number(Deno.env.get("PORT") ?? 8000) }, async (request) => {
  const route = routes[`${request.method} ${new URL(request.url).pathname}`];
  if (!route) {
    return new Response("POST /chat or /end\n", { status: 404 });
  }
  // In an app of yours the user comes from the sign-in, not from the body.
  const { user, session, message } = await request.json();
  try {
    return Response.json(await route({ user, session }, message));
  } catch (error) {
    if (!(error instanceof SiltstoneError)) {
      throw error;
    }
    const { code, message, path } = error;
    return Response.json({ code, message, path }, { status: code === "invalid_input" ? 400 : 503 });
  }
});

Deno.addSignalListener("SIGTERM", async () => {
  await server.shutdown();
  Deno.exit();
});
