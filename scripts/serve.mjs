// Serves the chat page; PORT chooses the port, OPENAI_* the language model it talks to.

import { createServer } from "node:net";
import { join } from "node:path";
import { fail, root } from "./lib/run.mjs";
import { startServer } from "./lib/server.mjs";

const port = Number(process.env.PORT ?? 8787);
if (!(await isFree(port))) {
  fail(`port ${port} is taken; choose another one: PORT=8788 make run`);
}

const passed = ["OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENAI_MODEL"];
const bindings = Object.fromEntries(
  passed.filter((name) => process.env[name]).map((name) => [name, process.env[name]]),
);
const server = await startServer({ port, persist: join(root, ".siltstone"), bindings });
console.log(`\nThe chat is open on ${server.url} (Ctrl+C ends it)`);

let ending = false;
for (const signal of ["SIGINT", "SIGTERM"]) {
  // Miniflare's own listener would end the process before everything is closed.
  process.removeAllListeners(signal);
  process.on(signal, async () => {
    // The same signal comes from the terminal and from make.
    if (!ending) {
      ending = true;
      await server.dispose();
      process.exit(0);
    }
  });
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
