import { Siltstone } from "siltstone";
import { indexedDbHost } from "siltstone/hosts/indexeddb";
import { openAiCompatible } from "siltstone/llm/openai";
import { whenIdle } from "siltstone/maintain";
import { answer, savedServer, saveServer } from "./model.js";

const server = savedServer();
const memory = await Siltstone.create({
  host: indexedDbHost(),
  ...(server && { llm: openAiCompatible(server) }),
  config: { agent: { longMemory: true, model: server?.model ?? "none" } },
});
const me = { user: "me" };
let scope = newSession();

function newSession() {
  return { ...me, session: crypto.randomUUID() };
}

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const talk = element("talk");
const form = element<HTMLFormElement>("say");

function show(kind: "user" | "assistant" | "note", text = ""): HTMLElement {
  const line = document.createElement("p");
  line.className = kind;
  line.textContent = text;
  talk.append(line);
  return line;
}

async function showMemories(): Promise<void> {
  const { memories } = await memory.memories(me).list();
  const items = memories.map(({ content }) => {
    const item = document.createElement("li");
    item.textContent = content;
    return item;
  });
  element("memories").replaceChildren(...items);
}

/** Does one thing at a time, and shows what went wrong. */
async function busy(work: () => Promise<void>): Promise<void> {
  const controls = document.querySelectorAll<HTMLButtonElement>("button");
  for (const control of controls) control.disabled = true;
  try {
    await work();
  } catch (error) {
    show("note", error instanceof Error ? error.message : String(error));
  }
  for (const control of controls) control.disabled = false;
}

async function say(message: string): Promise<void> {
  show("user", message);
  const line = show("assistant");
  const turn = await memory.load({ scope, message });
  for await (const piece of answer(server, turn.messages)) {
    line.textContent += piece;
  }
  await memory.append(scope, [
    { role: "user", content: message },
    { role: "assistant", content: line.textContent ?? "" },
  ]);
}

/** Settles every session into memories: this one, and those of tabs that were closed. */
async function endSessions(): Promise<void> {
  const { sessions } = await memory.sessions(me);
  for (const { session } of sessions) {
    await memory.endSession({ ...me, session });
  }
  scope = newSession();
  await showMemories();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const message = String(new FormData(form).get("message"));
  form.reset();
  busy(() => say(message));
});
element("end").addEventListener("click", () =>
  busy(async () => {
    await endSessions();
    talk.replaceChildren();
    show("note", "A new session.");
  }),
);
element<HTMLFormElement>("server").addEventListener("submit", (event) => {
  event.preventDefault();
  saveServer(new FormData(event.target as HTMLFormElement));
  location.reload();
});

await busy(endSessions);
show("note", "Tell me something about you.");
whenIdle(memory);
