// Plots as SVG without a background, in colours that can be read on light and on dark pages.

const WIDTH = 760;
const COLOURS = ["#2a8c82", "#c4602a", "#6f6bb5", "#8a8f98", "#b8862b", "#3f7fbf", "#a8487f"];
const TEXT = "#7d838c";
const FONT = 'font-family="system-ui, sans-serif"';

const escaped = (text) =>
  String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const text = (x, y, content, more = "", size = 12) =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" fill="${TEXT}" font-size="${size}" ${FONT} ${more}>${escaped(content)}</text>`;
const line = (x1, y1, x2, y2, more = "") =>
  `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" ${more}/>`;
const GRID = `stroke="${TEXT}" stroke-opacity="0.25"`;

const label = (value) =>
  value.toLocaleString("en", { maximumSignificantDigits: 2, useGrouping: true });

/** A scale by powers of ten, with its marks. */
function decades(values, from, to) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const at = (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
  const marks = Array.from({ length: high - low + 1 }, (_, step) => 10 ** (low + step));
  return { at, marks, low: 10 ** low };
}

function svg(height, title, body) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">`,
    text(12, 22, title, 'font-weight="600"', 15),
    ...body,
    "</svg>",
    "",
  ].join("\n");
}

/** Lines over two scales by powers of ten: { title, x, y, series: [{ name, points: [[x, y]] }] }. */
function lines({ title, x, y, series }) {
  const [left, right, top, bottom] = [70, WIDTH - 20, 44, 340];
  const points = series.flatMap((one) => one.points);
  const across = decades(
    points.map(([value]) => value),
    left,
    right,
  );
  const up = decades(
    points.map(([, value]) => value),
    bottom,
    top,
  );
  const body = [
    ...across.marks.flatMap((mark) => [
      line(across.at(mark), top, across.at(mark), bottom, GRID),
      text(across.at(mark), bottom + 18, label(mark), 'text-anchor="middle"'),
    ]),
    ...up.marks.flatMap((mark) => [
      line(left, up.at(mark), right, up.at(mark), GRID),
      text(left - 8, up.at(mark) + 4, label(mark), 'text-anchor="end"'),
    ]),
    text((left + right) / 2, bottom + 38, `${x} (logarithmic)`, 'text-anchor="middle"'),
    text(
      0,
      0,
      `${y} (logarithmic)`,
      `text-anchor="middle" transform="translate(18 ${(top + bottom) / 2}) rotate(-90)"`,
    ),
  ];
  for (const [index, { name, points: own }] of series.entries()) {
    const colour = COLOURS[index % COLOURS.length];
    const places = own.map(([a, b]) => [across.at(a), up.at(b)]);
    const path = places.map(([a, b]) => `${a.toFixed(1)},${b.toFixed(1)}`).join(" ");
    body.push(
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...places.map(
        ([a, b]) => `<circle cx="${a.toFixed(1)}" cy="${b.toFixed(1)}" r="3.5" fill="${colour}"/>`,
      ),
      line(
        left,
        bottom + 60 + 18 * index,
        left + 22,
        bottom + 60 + 18 * index,
        `stroke="${colour}" stroke-width="3"`,
      ),
      text(left + 30, bottom + 64 + 18 * index, name),
    );
  }
  return svg(bottom + 66 + 18 * series.length, title, body);
}

/**
 * Bars over one scale by powers of ten, from its end or from `base`:
 * { title, x, base, left, groups: [{ name, bars: [{ name, value, note, colour }] }] }; a bar without a
 * value is not drawn.
 */
function bars({ title, x, base, groups, left = 190 }) {
  const [right, bar, gap] = [WIDTH - 90, 15, 12];
  const all = groups.flatMap((group) => group.bars);
  const values = all.map(({ value }) => value).filter((value) => value > 0);
  const across = decades(base === undefined ? values : [...values, base], left, right);
  const zero = across.at(base ?? across.low);
  const names = [...new Set(all.map(({ name }) => name))];
  const body = [];
  let y = 40;
  for (const group of groups) {
    if (group.name !== undefined) {
      body.push(text(12, y + 13, group.name, 'font-weight="600"'));
      y += 20;
    }
    for (const { name, value, note, colour: own } of group.bars) {
      const colour = COLOURS[(own ?? names.indexOf(name)) % COLOURS.length];
      body.push(text(left - 8, y + 12, name, 'text-anchor="end"'));
      if (value > 0) {
        const [from, to] = [zero, across.at(value)].sort((a, b) => a - b);
        const width = Math.max(to - from, 2).toFixed(1);
        body.push(
          `<rect x="${from.toFixed(1)}" y="${y}" width="${width}" height="${bar}" rx="2" fill="${colour}"/>`,
          text(to + 6, y + 12, note ?? label(value)),
        );
      } else {
        body.push(text(left + 4, y + 12, note ?? "not done"));
      }
      y += bar + 4;
    }
    y += gap;
  }
  const grid = across.marks.flatMap((mark) => [
    line(across.at(mark), 36, across.at(mark), y, GRID),
    text(across.at(mark), y + 16, label(mark), 'text-anchor="middle"'),
  ]);
  return svg(y + 44, title, [
    ...grid,
    ...body,
    text((left + right) / 2, y + 36, `${x} (logarithmic)`, 'text-anchor="middle"'),
  ]);
}

export const draw = (plot) => ({ lines, bars })[plot.kind](plot);
