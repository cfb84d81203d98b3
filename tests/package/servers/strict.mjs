// What a body has to be, field by field: what is missing, unknown or of a wrong type is told.

const rule = (expected, holds) => ({ expected, holds });

export const string = rule("a string", (value) => typeof value === "string");
export const bool = rule("a boolean", (value) => typeof value === "boolean");
export const object = rule("an object", isObject);
export const whole = (min) =>
  rule(`a whole number of at least ${min}`, (value) => Number.isInteger(value) && value >= min);
export const number = (min, max = Number.POSITIVE_INFINITY) =>
  rule(
    `a number from ${min} to ${max}`,
    (value) => Number.isFinite(value) && min <= value && value <= max,
  );
export const oneOf = (...values) =>
  rule(`one of ${values.join(", ")}`, (value) => values.includes(value));
export const vector = rule(
  "a list of numbers",
  (value) => Array.isArray(value) && value.length > 0 && value.every(Number.isFinite),
);
export const nullable = ({ expected, holds, shape }) => ({
  ...rule(`${expected} or null`, (value) => value === null || holds(value)),
  shape,
});
export const either = (...rules) =>
  rule(rules.map(({ expected }) => expected).join(" or "), (value) =>
    rules.some(({ holds }) => holds(value)),
  );
export const list = (item) => ({
  ...rule("a list", Array.isArray),
  problems: (value, at) => value.flatMap((one, index) => problems(one, item, [...at, index])),
});
/** An object of these fields and no others. */
export const shape = (fields) => ({
  ...rule("an object", isObject),
  problems: (value, at) => problemsOfFields(value, fields, at),
});
export const optional = (one) => ({ ...one, isOptional: true });

/** What is wrong with a body, as `{ loc, msg }`. */
export function problems(value, one, at = ["body"]) {
  if (!one.holds(value)) {
    return [{ loc: at, msg: `expected ${one.expected}` }];
  }
  return one.problems?.(value, at) ?? [];
}

function problemsOfFields(value, fields, at) {
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
  return [
    ...unknown.map((name) => ({ loc: [...at, name], msg: "unknown field" })),
    ...Object.entries(fields).flatMap(([name, one]) => {
      if (value[name] === undefined) {
        return one.isOptional ? [] : [{ loc: [...at, name], msg: "field required" }];
      }
      return problems(value[name], one, [...at, name]);
    }),
  ];
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
