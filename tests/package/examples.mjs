// What the tests of the templates share: the template itself with the packed package installed, a
// language model on loopback, and a conversation that must be remembered.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { request, root, tarball } from "./support.mjs";

export const bin = (name) => join(root, "node_modules/.bin", name);

/** A copy of a template, with what its manifest names installed. Removed when the process ends. */
export function installExample(name) {
  const folder = mkdtempSync(join(tmpdir(), `siltstone-${name}-`));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, "examples", name), folder, {
    recursive: true,
    filter: (path) => !/\/(node_modules|dist|\.wrangler)$/.test(path),
  });
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { siltstone, ...others } = { ...manifest.dependencies, ...manifest.devDependencies };
  const installed = join(folder, "node_modules/siltstone");
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"]);
  const { version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  assert.equal(siltstone, `^${version}`);
  for (const dependency of Object.keys(others)) {
    const link = join(folder, "node_modules", dependency);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, "node_modules", dependency), link, "dir");
  }
  return folder;
}

/**
 * Starts a program of a template and waits until it says where it listens. It is ended with the
 * test, if not before.
 */
export async function start(t, command, args, { cwd, env = {} }) {
  // The commands of npm start the real program: all of its group are to hear a signal.
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const signal = (name) => {
    try {
      process.kill(-child.pid, name);
    } catch {
      // It has ended.
    }
  };
  t.after(() => signal("SIGKILL"));
  const ended = new Promise((resolve) => child.on("close", resolve));
  let output = "";
  const url = await new Promise((resolve, reject) => {
    const read = (chunk) => {
      output += chunk;
      const [, port] = /http:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0):(\d+)/.exec(output) ?? [];
      if (port) resolve(`http://127.0.0.1:${port}`);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    ended.then((code) => reject(new Error(`it ended with ${code}:\n${output}`)));
  });
  return {
    url,
    output: () => output,
    /** Ends it as a process manager does; gives its exit code. */
    stop: () => {
      signal("SIGTERM");
      return ended;
    },
    /** Ends it, and all that it started, without a word. */
    kill: () => {
      signal("SIGKILL");
      return ended;
    },
  };
}

/** What the scripted language model keeps of the conversation. */
const MEMORY = { content: "User lives in Hangzhou", category: "profile", importance: 9 };

/**
 * A server that speaks OpenAI's chat API. It keeps one fact of every session, and knows where the
 * user lives when its prompt says so.
 */
export async function startModel() {
  const asked = [];
  const server = createServer(async (incoming, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*");
    if (incoming.method === "OPTIONS") {
      response.end();
      return;
    }
    let text = "";
    for await (const chunk of incoming) text += chunk;
    const body = JSON.parse(text);
    asked.push({ url: incoming.url, key: incoming.headers.authorization, body });
    if (!body.stream) {
      const message = { role: "assistant", content: JSON.stringify({ memories: [MEMORY] }) };
      response.end(JSON.stringify({ choices: [{ message, finish_reason: "stop" }] }));
      return;
    }
    const before = body.messages.slice(0, -1);
    const knows = before.some(({ content }) => content.includes("lives in Hangzhou"));
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const content of knows ? ["You live", " in Hangzhou."] : ["I don't", " know."]) {
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
    }
    response.end("data: [DONE]\n\n");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${server.address().port}/v1`;
  return {
    asked,
    env: { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "scripted" },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Posts to a template's API and gives the status and the JSON of its answer. */
export async function post(url, path, body) {
  const response = await request(url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, ...(await response.json()) };
}

/** Says a fact, ends the session, asks in a new one; gives the answers. */
export async function converse(url, user) {
  const chat = (session, message) => post(url, "/chat", { user, session, message });
  const said = await chat("monday", "I live in Hangzhou.");
  const ended = await post(url, "/end", { user, session: "monday" });
  const answered = await chat("tuesday", "Where do I live?");
  return { said, ended, answered };
}

/** What every template does without a language model: an echo of what one would be sent. */
export async function checkEcho(url) {
  const { said, ended, answered } = await converse(url, "ana");
  assert.match(said.answer, /^No language model .*\nuser: I live in Hangzhou\.$/);
  assert.deepEqual(ended, { status: 200, remembered: ["User lives in Hangzhou"] });
  assert.match(answered.answer, /\nsystem: [\s\S]*Hangzhou[\s\S]*\nuser: Where do I live\?$/);
  const stranger = await post(url, "/chat", {
    user: "bo",
    session: "b",
    message: "Where do I live?",
  });
  assert.doesNotMatch(stranger.answer, /Hangzhou/);
}

/** What every template does with one. */
export async function checkModel(url, { asked }) {
  const { said, ended, answered } = await converse(url, "cy");
  assert.equal(said.answer, "I don't know.");
  assert.deepEqual(ended, { status: 200, remembered: [MEMORY.content] });
  assert.equal(answered.answer, "You live in Hangzhou.");
  assert.equal(asked.length, 3);
  for (const { url, key, body } of asked) {
    assert.equal(url, "/v1/chat/completions");
    assert.equal(key, "Bearer sk-test");
    assert.equal(body.model, "scripted");
  }
}

/** What every template answers to a request that is wrong. */
export async function checkRefusal(url) {
  const { status, code, path } = await post(url, "/chat", { session: "s", message: "Hi" });
  assert.deepEqual({ status, code, path }, { status: 400, code: "invalid_input", path: "scope" });
  const missing = await request(`${url}/nothing`);
  assert.equal(missing.status, 404);
  await missing.text();
}
