// An OpenAI-shaped embeddings server on loopback; its address is the first line that it prints.

import { createServer } from "node:http";
import { vectorOf } from "../recall/data.mjs";

const DIMENSIONS = 384;

const known = new Map();
const embedded = (text) => {
  const vector = known.get(text) ?? vectorOf(text, DIMENSIONS);
  known.set(text, vector);
  return vector;
};

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) {
    body += chunk;
  }
  const { input, encoding_format: format } = JSON.parse(body);
  const data = [input].flat().map((text, index) => {
    const vector = embedded(text);
    const embedding =
      format === "base64" ? Buffer.from(vector.buffer).toString("base64") : Array.from(vector);
    return { object: "embedding", index, embedding };
  });
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ object: "list", model: "stand-in", data, usage: {} }));
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
