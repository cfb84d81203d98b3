// Building elements. Text only ever goes in as text.

type Child = Node | string | null;

interface Attributes {
  class?: string;
  type?: string;
  title?: string;
  role?: string;
  datetime?: string;
  "aria-label"?: string;
  "aria-current"?: string;
  "aria-expanded"?: string;
}

/** An element with these attributes and children. */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    element.setAttribute(attribute, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** A button that runs `action`. */
export function button(
  label: string,
  className: string,
  action: (event: MouseEvent) => unknown,
): HTMLButtonElement {
  const element = el("button", { type: "button", class: className }, label);
  element.addEventListener("click", action);
  return element;
}

/** The element of this id, which the page has. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (element === null) {
    throw new Error(`the page has no #${id}`);
  }
  return element as T;
}

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "short" });
const MINUTE = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
});

/** A day, such as 30 Nov 2026, with the minute as its tooltip. */
export function day(ms: number): HTMLTimeElement {
  const date = new Date(ms);
  return el("time", { datetime: date.toISOString(), title: FULL.format(date) }, DAY.format(date));
}

/** A day and minute, such as 30 Nov, 08:22. */
export function minute(ms: number): string {
  return MINUTE.format(new Date(ms));
}

const NUMBER = new Intl.NumberFormat();

/** A whole number with its digits grouped. */
export function number(value: number): string {
  return NUMBER.format(value);
}

/** `1 memory`, `2 memories`. */
export function count(value: number, one: string, many: string): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}
