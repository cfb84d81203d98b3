// The stacked picture of where a turn's tokens went.

import type { LoadReport } from "siltstone";
import { el, number } from "./dom.js";

type Tokens = LoadReport["tokens"];
type Layer = Exclude<keyof Tokens, "total" | "budget">;

/** In the order in which they go to the model. */
const LAYERS: [layer: Layer, label: string][] = [
  ["tools", "Tools"],
  ["system", "Instructions"],
  ["memory", "Memories"],
  ["summary", "Summary"],
  ["history", "History"],
  ["current", "This message"],
];

function filled(tokens: Tokens) {
  return LAYERS.filter(([layer]) => tokens[layer] > 0);
}

/** A bar of all layers. */
export function strata(tokens: Tokens): HTMLElement {
  const parts = filled(tokens);
  const said = parts.map(([layer, label]) => `${label} ${number(tokens[layer])}`).join(", ");
  const layers = parts.map(([layer, label]) => {
    const part = el("i", { class: `layer-${layer}`, title: `${label}: ${number(tokens[layer])}` });
    part.style.flexGrow = String(tokens[layer]);
    return part;
  });
  return el("div", { class: "strata", role: "img", "aria-label": `Tokens: ${said}` }, ...layers);
}

/** What the colours of the bar mean, with the counts. */
export function legend(tokens: Tokens): HTMLElement {
  const rows = filled(tokens).flatMap(([layer, label]) => [
    el("dt", {}, el("i", { class: `layer-${layer}` }), label),
    el("dd", {}, number(tokens[layer])),
  ]);
  return el("dl", { class: "legend" }, ...rows);
}
