// The part of Milvus's filter language that is used: `and` of `field == "…"` and `field in ["…"]`.

const STRING = String.raw`"(?:[^"\\\r\n]|\\(?:["'?abfnrtv\\]|u[0-9a-fA-F]{4}))*"`;
const TERM = new RegExp(
  String.raw`^\s*(\w+)\s*(?:==\s*(${STRING})|in\s*\[\s*((?:${STRING}\s*,?\s*)+)\])\s*`,
);

/** Whether an entity meets a filter; an error where it cannot be read. */
export function matcher(filter) {
  const terms = [];
  let rest = filter;
  while (rest !== "") {
    const term = TERM.exec(rest);
    if (!term) {
      throw new Error(`cannot parse expression: ${filter}, error: at ${rest.slice(0, 40)}`);
    }
    const [all, field, equal, among] = term;
    const values = (equal ?? among).match(new RegExp(STRING, "g")).map((text) => JSON.parse(text));
    terms.push({ field, values });
    rest = rest.slice(all.length);
    if (rest !== "" && !rest.startsWith("and ")) {
      throw new Error(`cannot parse expression: ${filter}, error: at ${rest.slice(0, 40)}`);
    }
    rest = rest.replace(/^and /, "");
  }
  return (entity) => terms.every(({ field, values }) => values.includes(entity[field]));
}
