// What is remembered, archived and forgotten, and the questions that are open.

import type { Keep, Memory, Question } from "siltstone";
import * as api from "./api.js";
import { button, byId, el, number } from "./dom.js";
import { forgottenItem, memoryItem } from "./memory-item.js";
import { questionItem } from "./question-item.js";
import type { MemoryAction } from "./wire.js";

/** What the list needs from the page. */
export interface MemoryViewOptions {
  user: string;
  /** Runs a change and shows its error, if any; gives whether it went well. */
  attempt(work: () => Promise<unknown>): Promise<boolean>;
}

/** The panel of memories. */
export class MemoryView {
  /** As last read. */
  memories: Memory[] = [];
  readonly #options: MemoryViewOptions;
  #isRead = false;

  constructor(options: MemoryViewOptions) {
    this.#options = options;
  }

  /** Reads the memories again; those that are new stand out for a moment. */
  async refresh(): Promise<void> {
    const before = new Set(this.memories.map(({ id }) => id));
    const { memories, forgotten, questions, stats } = await api.memories(this.#options.user);
    const items = (temperature: Memory["temperature"]) =>
      memories
        .filter((memory) => memory.temperature === temperature)
        .map((memory) => {
          const item = memoryItem(memory, this);
          item.classList.toggle("fresh", this.#isRead && !before.has(memory.id));
          return item;
        });
    const hot = items("hot");
    byId("memory-list").replaceChildren(...hot);
    byId("memory-empty").hidden = hot.length > 0;
    this.#showQuestions(questions);
    showFolded("archive", stats.cold, items("cold"));
    showFolded(
      "forgotten",
      stats.forgotten,
      forgotten.map((memory) => forgottenItem(memory, this)),
    );
    this.memories = memories;
    this.#isRead = true;
  }

  /** Changes a memory and shows what came of it; what was forgotten can be taken back. */
  async change(
    memory: Memory,
    action: MemoryAction,
    fields: { content?: string; to?: string } = {},
  ): Promise<void> {
    await this.#run(
      () => api.change(this.#options.user, memory.id, action, fields),
      action === "forget"
        ? [
            el("p", { class: "note-text" }, `Forgotten: ${memory.content}`),
            button("Undo", "", () => this.change(memory, "restore")),
          ]
        : [],
    );
  }

  /** Settles a question. */
  async answer(question: Question, keep: Keep): Promise<void> {
    const note = el("p", {}, "Thank you. I will go by that.");
    await this.#run(() => api.answer(this.#options.user, question.id, keep), [note]);
  }

  /** All versions of a memory, oldest first; none where they could not be read. */
  async versions(memory: Memory): Promise<Memory[]> {
    let versions: Memory[] = [];
    await this.#options.attempt(async () => {
      ({ versions } = await api.history(this.#options.user, memory.id));
    });
    return versions;
  }

  async #run(work: () => Promise<unknown>, note: HTMLElement[]): Promise<void> {
    const { attempt } = this.#options;
    if (await attempt(work)) {
      byId("memory-status").replaceChildren(...note);
      await attempt(() => this.refresh());
      // The button that had the focus is gone.
      byId("memory-title").focus();
    }
  }

  #showQuestions(questions: Question[]): void {
    byId("questions").hidden = questions.length === 0;
    const items = questions.map((question) => questionItem(question, this));
    byId("question-list").replaceChildren(...items);
  }
}

/** Shows a part that is folded up until somebody opens it, and only if there is something in it. */
function showFolded(id: string, total: number, items: HTMLElement[]): void {
  const part = byId(id);
  part.hidden = total === 0;
  part.querySelector(".count")?.replaceChildren(number(total));
  part.querySelector("ul")?.replaceChildren(...items);
}
