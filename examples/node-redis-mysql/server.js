// POST /chat { user, session, message } answers, POST /end { user, session } settles a session.

import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { Redis } from "ioredis";
import { createPool } from "mysql2/promise";
import { Siltstone, SiltstoneError } from "siltstone";
import { mysqlHost } from "siltstone/hosts/mysql";
import { redisCache } from "siltstone/hosts/redis";
import { openAiChat, openAiCompatible } from "siltstone/llm/openai";
import { every } from "siltstone/maintain";

const {
  MYSQL_URL = "mysql://root@127.0.0.1:3306/siltstone",
  REDIS_URL = "redis://127.0.0.1:6379",
  PORT = "8080",
  OPENAI_BASE_URL: baseUrl,
  OPENAI_API_KEY: apiKey,
  OPENAI_MODEL: model,
} = process.env;
const llm = baseUrl && model ? { baseUrl, apiKey, model } : undefined;

const pool = createPool(MYSQL_URL);
// Commands fail at once while Redis is away: the memory works on without it.
const redis = new Redis(REDIS_URL, { enableOfflineQueue: false });
redis.on("error", (error) => console.warn(`Redis: ${error.message}`));

const memory = await Siltstone.create({
  host: { ...mysqlHost(pool), cache: redisCache(redis) },
  ...(llm && { llm: openAiCompatible(llm) }),
  config: { agent: { longMemory: true, model: model ?? "none" } },
});

/** Answers a prepared turn. */
async function answer(messages) {
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

const routes = {
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

const server = createServer(async (request, response) => {
  const reply = (status, body) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  const route = routes[`${request.method} ${request.url}`];
  if (!route) {
    reply(404, { message: "POST /chat or /end" });
    return;
  }
  try {
    // In an app of yours the user comes from the sign-in, not from the body.
    const { user, session, message } = await json(request);
    reply(200, await route({ user, session }, message));
  } catch (error) {
    if (error instanceof SiltstoneError) {
      const { code, message, path } = error;
      reply(code === "invalid_input" ? 400 : 503, { code, message, path });
    } else {
      console.error(error);
      reply(error instanceof SyntaxError ? 400 : 500, { message: error.message });
    }
  }
});

const stopping = new AbortController();
every(memory, { signal: stopping.signal });
server.listen(Number(PORT), () => console.log(`http://localhost:${server.address().port}`));

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    stopping.abort();
    // Requests that are under way come to their end first.
    server.close(async () => {
      memory.close();
      redis.disconnect();
      await pool.end();
    });
  });
}
