// A server on loopback that answers JSON, and the faults that one can have.

import { appendFileSync } from "node:fs";
import { createServer } from "node:http";

/**
 * Serves `handle({ method, path, query, headers, body })`, which gives `{ status?, headers?, body }`.
 * Each of `faults` befalls one request, in order:
 *
 * - `{ status, headers?, body? }` is answered without doing anything;
 * - `{ hang: "before" | "after" }` answers never, before or after doing what was asked;
 * - `{ reset: "before" | "after" }` closes the connection before or after doing what was asked;
 * - `{ pass: true }` is none.
 *
 * `onPath(path, fault)` lets one befall the next request for a path.
 */
export async function serve(handle) {
  const asked = [];
  const faults = [];
  const faultOfPath = new Map();
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) {
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString();
    const { pathname: path, searchParams } = new URL(request.url, "http://localhost");
    const { method, headers } = request;
    const query = Object.fromEntries(searchParams);
    const seen = { method, path, query, headers, body: text === "" ? undefined : parse(text) };
    asked.push(seen);
    const fault = faultOfPath.get(path) ?? faults.shift() ?? { pass: true };
    faultOfPath.delete(path);
    if (fault.hang === "before") {
      return;
    }
    if (fault.reset === "before") {
      request.socket.destroy();
      return;
    }
    const answer = fault.status ? fault : await handle(seen);
    if (fault.hang === "after") {
      return;
    }
    if (fault.reset === "after") {
      request.socket.destroy();
      return;
    }
    const { status = 200, headers: more = {}, body } = answer;
    // For scripts/validate-memos.py.
    if (process.env.RECORD && fault.pass) {
      appendFileSync(process.env.RECORD, `${JSON.stringify({ path, body: seen.body, status })}\n`);
    }
    const isText = typeof body === "string";
    response.writeHead(status, {
      "content-type": isText ? "text/html" : "application/json",
      ...more,
    });
    response.end(isText ? body : body === undefined ? "" : JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    asked,
    faults,
    onPath: (path, fault) => faultOfPath.set(path, fault),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
