// The versions of a memory, below it.

import type { Memory } from "siltstone";
import { button, day, el } from "./dom.js";
import type { MemoryActions } from "./memory-item.js";

/** A button that shows and hides the versions of a memory in its entry. */
export function historyToggle(
  memory: Memory,
  item: HTMLElement,
  actions: MemoryActions,
): HTMLButtonElement {
  const toggle = button("History", "quiet", async () => {
    const open = item.querySelector(".versions");
    toggle.setAttribute("aria-expanded", String(!open));
    if (open) {
      open.remove();
      return;
    }
    const versions = await actions.versions(memory);
    const rows = versions.map((version) => row(memory, version, actions));
    item.append(el("ol", { class: "versions" }, ...rows));
  });
  toggle.setAttribute("aria-expanded", "false");
  return toggle;
}

function row(memory: Memory, version: Memory, actions: MemoryActions): HTMLLIElement {
  const isCurrent = version.id === memory.id;
  const revert = button("Go back to this", "quiet", () =>
    actions.change(memory, "revert", { to: version.id }),
  );
  return el(
    "li",
    { class: isCurrent ? "" : "old" },
    el("p", { class: "content" }, version.content),
    el(
      "p",
      { class: "meta" },
      `version ${version.version}`,
      day(version.createdAt),
      isCurrent ? "now" : revert,
    ),
  );
}
