// What went to the model in one turn, and what was left out.

import type { DropReason, LoadReport, Memory, Message, Turn } from "siltstone";
import { byId, count, el, number } from "./dom.js";
import { legend, strata } from "./strata.js";

/** Shows a turn. `known` are the memories whose text can be shown. */
export function showTurn(turn: Turn | undefined, known: readonly Memory[]): void {
  byId("turn-empty").hidden = turn !== undefined;
  const sections = turn
    ? [
        tokens(turn.report),
        recalled(turn.report, known),
        dropped(turn.report),
        warnings(turn.report),
        sent(turn),
      ]
    : [];
  byId("turn-body").replaceChildren(...sections.filter((section) => section !== null));
}

function section(title: string, ...children: (Node | string)[]): HTMLElement {
  return el("section", {}, el("h3", {}, title), ...children);
}

function tokens({ tokens }: LoadReport): HTMLElement {
  const { total, budget } = tokens;
  const meter = el("meter", { "aria-label": "Share of the budget" });
  meter.max = budget;
  meter.value = total;
  const share = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });
  const text = `${number(total)} of ${number(budget)} tokens (${share.format(total / budget)})`;
  return section("Tokens", strata(tokens), legend(tokens), meter, el("p", { class: "hint" }, text));
}

const SKIPPED: Record<string, string> = {
  long_memory_off: "Long-term memory is off for this agent.",
  no_model: "This agent has no model, so nothing was recalled.",
  timeout: "Recall took too long; the turn went on without it.",
};

function recalled({ recall }: LoadReport, known: readonly Memory[]): HTMLElement {
  if (recall.status !== "ok") {
    const reason = recall.reason ?? "";
    return section("Memories", el("p", {}, SKIPPED[reason] ?? `Nothing was recalled: ${reason}`));
  }
  if (recall.hits.length === 0) {
    return section("Memories", el("p", { class: "hint" }, "No memory was part of this turn."));
  }
  const rows = recall.hits.map(({ id, score, section: why }) => {
    const text = known.find((memory) => memory.id === id)?.content;
    const meta = el("p", { class: "meta" }, el("span", { class: "tag" }, WHY[why]));
    if (score !== null) {
      meta.append(el("span", {}, `relevance ${score.toFixed(2)}`));
    }
    return el("li", {}, el("p", {}, text ?? `A memory that was changed since (${id})`), meta);
  });
  const list = el("ul", { class: "rows" }, ...rows);
  const over = recall.dropped.length;
  if (over > 0) {
    list.append(el("li", {}, `${count(over, "memory", "memories")} over the budget, left out`));
  }
  return section("Memories", list);
}

const WHY = { standing: "in every turn", recalled: "fits this message" };

const DROPPED: Record<DropReason, string> = {
  synthetic: "a summary or memories that came back as a message",
  duplicate: "it is there already",
  emptied: "nothing but reasoning and tool mark-up",
  incomplete_call: "a tool call without all of its results",
  orphan_result: "a tool result without its call",
  alternation: "another message of the same role followed",
  merged: "merged into the message after it",
  leading_assistant: "an answer without its question",
  tokens: "older than what fits",
  messages: "older than what fits",
};

function dropped({ dropped, cut }: LoadReport): HTMLElement | null {
  if (dropped.length === 0 && !cut) {
    return null;
  }
  const rows = dropped.map(({ role, reason, tokens }) => {
    const what = `${role}, ${count(tokens, "token", "tokens")}`;
    return el("li", {}, el("span", { class: "tag" }, what), ` ${DROPPED[reason] ?? reason}`);
  });
  if (cut) {
    rows.push(el("li", {}, "Your message was longer than the window and was cut."));
  }
  return section("Left out", el("ul", { class: "rows" }, ...rows));
}

function warnings({ warnings }: LoadReport): HTMLElement | null {
  const rows = warnings.map(({ message }) => el("li", {}, message));
  return rows.length === 0 ? null : section("Warnings", el("ul", { class: "rows" }, ...rows));
}

function sent({ messages, report }: Turn): HTMLElement {
  const rows = messages.map((message) =>
    el("li", {}, el("span", { class: "tag" }, titleOf(message)), el("pre", {}, textOf(message))),
  );
  if (report.stablePrefix > 0 && report.stablePrefix < rows.length) {
    const note = "The same as in the turn before, up to here: a provider's cache can keep it";
    rows.splice(report.stablePrefix, 0, el("li", { class: "prefix-end" }, note));
  }
  const from = { cache: "the cache", store: "the store", none: "nowhere" }[report.historySource];
  const hint = el("p", { class: "hint" }, `History was read from ${from}.`);
  return section("The messages, as sent", el("ol", { class: "rows" }, ...rows), hint);
}

function titleOf(message: Message): string {
  const name = "name" in message ? message.name : undefined;
  return name === undefined ? message.role : `${message.role}: ${name}`;
}

function textOf({ content }: Message): string {
  return typeof content === "string" ? content : JSON.stringify(content ?? null, null, 2);
}
