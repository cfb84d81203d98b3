// What is outside of the application that is killed, and lives on: a language model, Qdrant and MemOS,
// each behind a gate that tells of every request and answers late.

import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { startMemos } from "../servers/memos.mjs";
import { startQdrant } from "../servers/qdrant.mjs";
import { serve } from "../servers/serve.mjs";

const CITY = /^User lives in (\w+)$/;

/** Starts them. `pass(stage)` is awaited before a request is done and before it is answered. */
export async function startNeighbours(pass) {
  const llm = await serve(({ body }) => ({ body: answer(body.messages.at(-1).content) }));
  const qdrant = await startQdrant();
  // As the real one: nothing says that it heeds idempotency keys.
  const memos = await startMemos({ odd: { ignoresKeys: true } });
  const gates = await Promise.all([llm, qdrant, memos].map(({ url }) => gate(url, pass)));
  const [llmUrl, qdrantUrl, memosUrl] = gates.map(({ url }) => url);
  return {
    bindings: { LLM_URL: `${llmUrl}/v1`, QDRANT_URL: qdrantUrl, MEMOS_URL: `${memosUrl}/product` },
    points: () => [...(qdrant.collections.get("siltstone")?.points.values() ?? [])],
    services: (user) => memos.memories.list((one) => one.user === user),
    close: () => Promise.all([...gates, llm, qdrant, memos].map((one) => one.close())),
  };
}

/** A memory for each new line that notes something. */
function answer(prompt) {
  const notes = prompt.matchAll(/^(m\d+) .*\[\[NEW\] user\]: Note: (.+)$/gm);
  const memories = [...notes].map(([, label, content]) => {
    const city = CITY.exec(content)?.[1];
    return {
      content,
      category: city ? "profile" : "note",
      scope: "user",
      importance: 7,
      kind: "text",
      facts: city ? [{ key: "profile.location.city", value: city }] : [],
      sensitive: false,
      from: [label],
      replaces: [],
      contradicts: [],
    };
  });
  const message = { role: "assistant", content: JSON.stringify({ memories }) };
  return { choices: [{ message, finish_reason: "stop" }] };
}

async function gate(target, pass) {
  const server = createServer(async (request, response) => {
    // Who is killed while it sends has sent nothing.
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    const { method, url, headers } = request;
    await pass("before");
    const answered = await fetch(target + url, {
      method,
      headers: { "content-type": headers["content-type"] ?? "application/json" },
      ...(body.length > 0 && { body }),
    });
    const text = await answered.text();
    await pass("after");
    await sleep(5);
    response.writeHead(answered.status, { "content-type": "application/json" });
    response.end(text);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
