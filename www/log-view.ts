// The conversation: messages, the welcome of a new session, what a session left behind.

import type { EndReport, Message, Turn } from "siltstone";
import { button, byId, count, el } from "./dom.js";
import { strata } from "./strata.js";

/** What the log needs from the page. */
export interface LogOptions {
  /** Puts an example into the message field and sends it. */
  send(text: string): void;
  /** Shows a turn in the panel beside the conversation. */
  inspect(turn: Turn): void;
}

/** An answer that is still being written. */
export interface OpenAnswer {
  turn(turn: Turn): void;
  text(text: string): void;
  close(): void;
  remove(): void;
}

const TELL = [
  "I live in Hangzhou and work as a nurse.",
  "Please remember that I'm allergic to peanuts.",
  "我喜欢喝乌龙茶。",
];
const ASK = ["Where do I live?", "What do you remember about me?", "我喜欢喝什么？"];

/** The log of messages. */
export class Log {
  readonly #log = byId("log");
  readonly #frame = byId("log-frame");
  readonly #options: LogOptions;

  constructor(options: LogOptions) {
    this.#options = options;
  }

  /** Begins a session that holds these messages. */
  open(messages: readonly Message[]): void {
    this.#log.replaceChildren(
      ...messages
        .filter(({ role }) => role === "user" || role === "assistant")
        .map((message) => bubble(message.role, textOf(message))),
    );
    this.#toEnd();
  }

  /** What a newcomer, or someone who comes back, can do now. */
  welcome(remembers: boolean): void {
    const [title, text, examples] = remembers
      ? ["A new session. I still remember.", "Ask about something you told me before.", ASK]
      : [
          "Tell me something about you.",
          "Tell me where you live or what you like, then start a new session and ask.",
          TELL,
        ];
    const buttons = examples.map((example) =>
      button(example, "example", () => this.#options.send(example)),
    );
    const welcome = el("div", { class: "welcome" }, el("h3", {}, title), el("p", {}, text));
    welcome.append(el("div", { class: "examples" }, ...buttons));
    this.#log.append(welcome);
  }

  /** What the session that just ended left in memory. */
  settled(report: EndReport): void {
    const { stored, merged, superseded, questions, summary } = report;
    const kept = stored.length;
    const title =
      kept === 0
        ? "Session settled: there was nothing new to keep."
        : `Session settled: I keep ${count(kept, "new memory", "new memories")}.`;
    const card = el("div", { class: "settled" }, el("p", {}, title));
    if (kept > 0) {
      card.append(el("ul", {}, ...stored.map(({ content }) => el("li", {}, content))));
    }
    const notes = [
      merged.length > 0 ? `${merged.length} known already` : "",
      superseded.length > 0 ? `${superseded.length} replaced` : "",
      questions.length > 0 ? `${count(questions.length, "question", "questions")} for you` : "",
      summary.status === "made" ? "summary written" : "",
    ].filter(Boolean);
    if (notes.length > 0) {
      card.append(el("p", { class: "hint" }, notes.join(" · ")));
    }
    this.#log.append(card);
  }

  /** Adds what the user says. */
  say(text: string): HTMLElement {
    this.#log.querySelector(".welcome")?.remove();
    const message = bubble("user", text);
    this.#log.append(message);
    this.#toEnd();
    return message;
  }

  /** Adds an answer that grows. */
  answer(): OpenAnswer {
    const message = bubble("assistant", "");
    const text = message.querySelector(".text");
    // Told at its end, not word by word.
    this.#log.setAttribute("aria-busy", "true");
    this.#log.append(message);
    this.#toEnd();
    const close = () => this.#log.removeAttribute("aria-busy");
    return {
      text: (more) => {
        const follow = this.#isAtEnd();
        text?.append(more);
        if (follow) {
          this.#toEnd();
        }
      },
      turn: (turn) => {
        const { total } = turn.report.tokens;
        const label = `What the model saw: ${count(total, "token", "tokens")}`;
        const inspect = button(label, "quiet", () => this.#options.inspect(turn));
        message.append(el("div", { class: "seen" }, strata(turn.report.tokens), inspect));
      },
      close,
      remove: () => {
        close();
        message.remove();
      },
    };
  }

  #isAtEnd(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.#frame;
    return scrollHeight - scrollTop - clientHeight < 60;
  }

  #toEnd(): void {
    this.#frame.scrollTop = this.#frame.scrollHeight;
  }
}

function bubble(role: Message["role"], text: string): HTMLElement {
  const who = el("span", { class: "visually-hidden" }, role === "user" ? "You: " : "Siltstone: ");
  return el("div", { class: `message ${role}` }, who, el("div", { class: "text" }, text));
}

function textOf({ content }: Message): string {
  if (typeof content === "string") {
    return content;
  }
  return (content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
