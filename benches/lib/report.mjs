// Tables for people.

/** A number of milliseconds, with as many digits as mean something. */
export function ms(value) {
  if (value === undefined || value === null) {
    return "not done";
  }
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

/** "least / median". */
export const spread = ({ min, median }) => `${ms(min)} / ${ms(median)}`;

export const count = (value) => value.toLocaleString("en");

/** A table in Markdown; all columns but the first hold numbers. */
export function table(header, rows) {
  const cells = [header, ...rows].map((row) => row.map(String));
  const widths = header.map((_, at) => Math.max(...cells.map((row) => row[at].length)));
  const line = (row) =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join(" | ")} |`;
  const rule = widths.map((width, at) =>
    at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [line(cells[0]), `| ${rule.join(" | ")} |`, ...cells.slice(1).map(line)].join("\n");
}
