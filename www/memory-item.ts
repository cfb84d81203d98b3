// One memory of the list: it can be pinned, edited, forgotten, deleted, and taken back.

import type { Memory } from "siltstone";
import { button, day, el } from "./dom.js";
import { historyToggle } from "./memory-history.js";
import type { MemoryAction } from "./wire.js";

/** What an entry can do. */
export interface MemoryActions {
  change(
    memory: Memory,
    action: MemoryAction,
    fields?: { content?: string; to?: string },
  ): Promise<void>;
  versions(memory: Memory): Promise<Memory[]>;
}

/** A memory that is remembered. */
export function memoryItem(memory: Memory, actions: MemoryActions): HTMLLIElement {
  const item = el("li", { class: memory.isPinned ? "memory pinned" : "memory" });
  const pin = memory.isPinned ? "unpin" : "pin";
  const show = () => {
    const row = el(
      "div",
      { class: "actions" },
      button(memory.isPinned ? "Unpin" : "Pin", "quiet", () => actions.change(memory, pin)),
      button("Edit", "quiet", () => edit(memory, item, actions, show)),
      button("Forget", "quiet", () => actions.change(memory, "forget")),
      button("Delete", "quiet", () => confirmDelete(memory, item, actions, show)),
      memory.version > 1 ? historyToggle(memory, item, actions) : null,
    );
    item.replaceChildren(el("p", { class: "content" }, memory.content), meta(memory), row);
  };
  show();
  return item;
}

/** A memory that was forgotten and is kept until it is deleted. */
export function forgottenItem(memory: Memory, actions: MemoryActions): HTMLLIElement {
  const item = el("li", { class: "memory" });
  const show = () => {
    const row = el(
      "div",
      { class: "actions" },
      button("Remember again", "quiet", () => actions.change(memory, "restore")),
      button("Delete", "quiet", () => confirmDelete(memory, item, actions, show)),
    );
    item.replaceChildren(el("p", { class: "content" }, memory.content), meta(memory), row);
  };
  show();
  return item;
}

function meta(memory: Memory): HTMLElement {
  return el(
    "p",
    { class: "meta" },
    el("span", { class: "tag" }, memory.category),
    day(memory.observedAt),
    memory.isPinned ? el("span", {}, "pinned") : null,
    memory.conflictIds.length > 0 ? el("span", {}, "contradicts another one") : null,
  );
}

function edit(memory: Memory, item: HTMLElement, actions: MemoryActions, show: () => void): void {
  const field = el("textarea", { "aria-label": "The memory's text" });
  field.value = memory.content;
  field.maxLength = 8000;
  const save = async () => {
    const content = field.value.trim();
    if (content === "" || content === memory.content) {
      show();
      return;
    }
    await actions.change(memory, "update", { content });
  };
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      show();
    } else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      save();
    }
  });
  const row = el("div", { class: "actions" });
  row.append(button("Save", "quiet", save), button("Cancel", "quiet", show));
  item.replaceChildren(field, row);
  field.focus();
}

function confirmDelete(
  memory: Memory,
  item: HTMLElement,
  actions: MemoryActions,
  show: () => void,
): void {
  const yes = button("Delete for good", "quiet danger", () => actions.change(memory, "delete"));
  const no = button("Keep", "quiet", show);
  const question = el("p", {}, "Delete this and all its versions? There is no way back.");
  item.querySelector(".actions")?.replaceChildren(question, yes, no);
  no.focus();
}
