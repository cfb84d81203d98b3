// The chat page.

import type { SessionInfo, Turn } from "siltstone";
import * as api from "./api.js";
import { button, byId, count, el, minute } from "./dom.js";
import { Log } from "./log-view.js";
import { MemoryView } from "./memory-view.js";
import { showTurn } from "./turn-view.js";

/** Who chats: an id of this browser's own. */
const user = remembered("siltstone.user", () => crypto.randomUUID());
let session = remembered("siltstone.session", newId);
let sessions: SessionInfo[] = [];
let busy = false;

const app = byId("app");
const composer = byId<HTMLFormElement>("composer");
const field = byId<HTMLTextAreaElement>("message");
const memoryView = new MemoryView({ user, attempt });
const log = new Log({ send, inspect });

composer.addEventListener("submit", (event) => {
  event.preventDefault();
  send(field.value);
});
field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    send(field.value);
  }
});
for (const id of ["new-session", "new-session-small"]) {
  byId(id).addEventListener("click", () => startSession());
}
for (const tab of byId("views").querySelectorAll("button")) {
  tab.addEventListener("click", () => show(tab.dataset.view ?? "chat"));
}
show("chat");
attempt(openPage);

async function openPage(): Promise<void> {
  await Promise.all([memoryView.refresh(), refreshSessions()]);
  await openSession(session);
}

/** Shows one of the views; beside a wide page's conversation, memory and turn take turns. */
function show(view: string): void {
  app.dataset.view = view;
  if (view === "memory" || view === "turn") {
    app.dataset.panel = view;
  }
  const isNarrow = matchMedia("(max-width: 62rem)").matches;
  const current = isNarrow ? view : app.dataset.panel;
  for (const tab of byId("views").querySelectorAll("button")) {
    tab.setAttribute("aria-current", String(tab.dataset.view === current));
  }
}
addEventListener("resize", () => show(app.dataset.view ?? "chat"));

function inspect(turn: Turn): void {
  showTurn(turn, memoryView.memories);
  show("turn");
  byId("turn-title").focus();
}

async function send(typed: string, id = newId()): Promise<void> {
  const message = typed.trim();
  if (busy || message === "") {
    return;
  }
  field.value = "";
  setBusy(true);
  byId("alert").replaceChildren();
  const said = log.say(message);
  const answer = log.answer();
  let isDone = false;
  try {
    for await (const event of api.chat({ user, session, message, id })) {
      if (event.type === "turn") {
        showTurn(event, memoryView.memories);
        answer.turn(event);
      } else if (event.type === "text") {
        answer.text(event.text);
      } else if (event.type === "error") {
        throw new api.ApiError(event.error.message, event.error.code);
      } else {
        isDone = true;
      }
    }
    if (!isDone) {
      throw new api.ApiError("The connection broke off before the answer was complete.", "broken");
    }
    answer.close();
  } catch (error) {
    answer.remove();
    said.classList.add("failed");
    alertAbout(error, () => {
      said.remove();
      // The same id again: if it was stored after all, it is not stored twice.
      send(message, id);
    });
  }
  setBusy(false);
  await attempt(refreshSessions);
}

/** Ends the session, lets what it told settle, and begins the next one. */
async function startSession(): Promise<void> {
  show("chat");
  if (busy) {
    return;
  }
  const isEmpty = !sessions.some((known) => known.session === session);
  if (isEmpty) {
    field.focus();
    return;
  }
  setBusy(true);
  byId("alert").replaceChildren();
  byId("status").replaceChildren(el("span", {}, "Settling memories…"), el("progress"));
  const ended = await attempt(async () => {
    const report = await api.end({ user, session });
    if (report.status === "busy") {
      throw new api.ApiError("This session is being settled already. Try again soon.", "busy");
    }
    await memoryView.refresh();
    use(newId());
    log.open([]);
    log.settled(report);
    log.welcome(memoryView.memories.length > 0);
  }, startSession);
  byId("status").replaceChildren();
  setBusy(false);
  if (ended) {
    showTurn(undefined, []);
    await attempt(refreshSessions);
  }
  field.focus();
}

async function openSession(id: string): Promise<void> {
  use(id);
  const { messages } = await api.messages(user, id);
  log.open(messages);
  if (messages.length === 0) {
    log.welcome(memoryView.memories.length > 0);
  }
}

async function refreshSessions(): Promise<void> {
  ({ sessions } = await api.sessions(user));
  showSessions();
}

function showSessions(): void {
  const isNew = !sessions.some((known) => known.session === session);
  const items = sessions.map((info) => {
    const note = el("small", {}, count(info.messages, "message", "messages"));
    const item = button("", "", () => {
      show("chat");
      if (busy) {
        return;
      }
      showTurn(undefined, []);
      attempt(() => openSession(info.session));
    });
    item.append(minute(info.createdAt), note);
    item.setAttribute("aria-current", String(info.session === session));
    return el("li", {}, item);
  });
  if (isNew) {
    const item = button("New session", "", () => show("chat"));
    item.append(el("small", {}, "nothing said yet"));
    item.setAttribute("aria-current", "true");
    items.unshift(el("li", {}, item));
  }
  byId("session-list").replaceChildren(...items);
  const current = sessions.find((known) => known.session === session);
  byId("chat-title").textContent = current ? minute(current.createdAt) : "New session";
}

function use(id: string): void {
  session = id;
  localStorage.setItem("siltstone.session", id);
  showSessions();
}

function setBusy(value: boolean): void {
  busy = value;
  for (const id of ["send", "new-session", "new-session-small"]) {
    byId<HTMLButtonElement>(id).disabled = value;
  }
}

/** Runs `work`; where it fails, says so and offers to try again. */
async function attempt(
  work: () => Promise<unknown>,
  again: () => unknown = () => attempt(work),
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    alertAbout(error, again);
    return false;
  }
}

function alertAbout(error: unknown, again: () => unknown): void {
  const alert = byId("alert");
  const message = error instanceof Error ? error.message : String(error);
  alert.replaceChildren(
    el("p", { class: "alert-text" }, message),
    button("Try again", "", () => {
      alert.replaceChildren();
      again();
    }),
  );
}

function newId(): string {
  return crypto.randomUUID();
}

function remembered(name: string, make: () => string): string {
  const value = localStorage.getItem(name) ?? make();
  localStorage.setItem(name, value);
  return value;
}
