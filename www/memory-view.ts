// What is remembered: a list whose entries can be pinned, edited and forgotten.

import type { Memory } from "siltstone";
import * as api from "./api.js";
import { button, byId, day, el } from "./dom.js";

/** What the list needs from the page. */
export interface MemoryViewOptions {
  user: string;
  /** Runs a change and shows its error, if any; gives whether it went well. */
  attempt(work: () => Promise<unknown>): Promise<boolean>;
}

/** The list of memories. */
export class MemoryView {
  /** As last read. */
  memories: Memory[] = [];
  readonly #options: MemoryViewOptions;
  readonly #list = byId("memory-list");

  constructor(options: MemoryViewOptions) {
    this.#options = options;
  }

  /** Reads the memories again; those that are new stand out for a moment. */
  async refresh(): Promise<void> {
    const before = new Set(this.memories.map(({ id }) => id));
    const isFirst = this.#list.childElementCount === 0 && before.size === 0;
    ({ memories: this.memories } = await api.memories(this.#options.user));
    const items = this.memories.map((memory) => {
      const item = this.#item(memory);
      item.classList.toggle("fresh", !isFirst && !before.has(memory.id));
      return item;
    });
    this.#list.replaceChildren(...items);
    byId("memory-empty").hidden = items.length > 0;
  }

  #item(memory: Memory): HTMLLIElement {
    const item = el("li", { class: memory.isPinned ? "memory pinned" : "memory" });
    const meta = el(
      "p",
      { class: "meta" },
      el("span", { class: "tag" }, memory.category),
      day(memory.observedAt),
      memory.isPinned ? el("span", {}, "pinned") : null,
      memory.conflictIds.length > 0 ? el("span", {}, "contradicts another one") : null,
    );
    const show = () => {
      const text = el("p", { class: "content" }, memory.content);
      item.replaceChildren(text, meta, this.#actions(memory, item, show));
    };
    show();
    return item;
  }

  #actions(memory: Memory, item: HTMLElement, show: () => void): HTMLElement {
    const pin = memory.isPinned ? "unpin" : "pin";
    const actions = el(
      "div",
      { class: "actions" },
      button(memory.isPinned ? "Unpin" : "Pin", "quiet", () => this.#change(memory, pin)),
      button("Edit", "quiet", () => this.#edit(memory, item, show)),
      button("Forget", "quiet", () => this.#confirmForget(memory, item, show)),
    );
    if (memory.version > 1) {
      const toggle = button("Earlier versions", "quiet", () => this.#toggleHistory(memory, toggle));
      toggle.setAttribute("aria-expanded", "false");
      actions.append(toggle);
    }
    return actions;
  }

  #edit(memory: Memory, item: HTMLElement, show: () => void): void {
    const field = el("textarea", { "aria-label": "The memory's text" });
    field.value = memory.content;
    field.maxLength = 8000;
    const save = async () => {
      const content = field.value.trim();
      if (content === "" || content === memory.content) {
        show();
        return;
      }
      await this.#change(memory, "update", { content });
    };
    field.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        show();
      } else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        save();
      }
    });
    const actions = el("div", { class: "actions" });
    actions.append(button("Save", "quiet", save), button("Cancel", "quiet", show));
    item.replaceChildren(field, actions);
    field.focus();
  }

  #confirmForget(memory: Memory, item: HTMLElement, show: () => void): void {
    const actions = item.querySelector(".actions");
    const yes = button("Forget", "quiet danger", () => this.#change(memory, "forget"));
    const no = button("Keep", "quiet", show);
    actions?.replaceChildren(el("p", {}, "Forget this for good?"), yes, no);
    no.focus();
  }

  async #toggleHistory(memory: Memory, toggle: HTMLButtonElement): Promise<void> {
    const item = toggle.closest("li");
    const open = item?.querySelector(".versions");
    toggle.setAttribute("aria-expanded", String(!open));
    if (open) {
      open.remove();
      return;
    }
    await this.#options.attempt(async () => {
      const { versions } = await api.history(this.#options.user, memory.id);
      const rows = versions.map((version) =>
        el(
          "li",
          { class: version.isValid ? "" : "old" },
          el("p", { class: "content" }, version.content),
          el("p", { class: "meta" }, `version ${version.version}`, day(version.createdAt)),
        ),
      );
      item?.append(el("ol", { class: "versions" }, ...rows));
    });
  }

  async #change(
    memory: Memory,
    action: Parameters<typeof api.change>[2],
    fields: { content?: string } = {},
  ): Promise<void> {
    const { user, attempt } = this.#options;
    const done = await attempt(() => api.change(user, memory.id, action, fields));
    if (done) {
      await attempt(() => this.refresh());
      // The button that had the focus is gone.
      byId("memory-title").focus();
    }
  }
}
