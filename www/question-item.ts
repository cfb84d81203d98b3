// A contradiction that the person is asked about.

import type { Keep, Memory, Question } from "siltstone";
import { button, day, el } from "./dom.js";

/** What an entry can do. */
export interface QuestionActions {
  answer(question: Question, keep: Keep): Promise<void>;
}

/** A question with a button for each answer. */
export function questionItem(question: Question, actions: QuestionActions): HTMLLIElement {
  const choice = (memory: Memory, keep: Keep) => {
    const element = button(memory.content, "choice", () => actions.answer(question, keep));
    element.append(el("span", { class: "said-on" }, "said on ", day(memory.observedAt)));
    return element;
  };
  return el(
    "li",
    { class: "question", "aria-label": question.text },
    el("p", {}, "You told me both. Which is right?"),
    choice(question.old, "old"),
    choice(question.new, "new"),
    button("Both are right", "quiet", () => actions.answer(question, "both")),
  );
}
