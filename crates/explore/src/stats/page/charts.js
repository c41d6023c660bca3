// Formats numbers for people, and draws lists and charts. Texts come from files, so this code sets them as text of elements
// and never parses them as markup.
"use strict";

const WIDTH = 420;
// Approximate width of a letter of 12 pixels.
const LETTER = 7.4;

// Control characters, marks that change the direction of the text around them, and noncharacters.
const UNSAFE = /[\p{Cc}\p{Noncharacter_Code_Point}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const clean = (text) => text.replace(/[\t\n]/g, " ").replace(UNSAFE, "\ufffd");

// Numbers and words.

const number = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
const singular = (what) => (what === "passes" ? "pass" : what.replace(/s$/, ""));
const counted = (count, what) => `${number(count)} ${count === 1 ? singular(what) : what}`;
const sum = (rows, of) => rows.reduce((all, row) => all + of(row), 0);
const share = (count, total) => (total > 0 ? count / total : 0);
// Rounds halves to even, like the text of `sgfq stats`.
function rounded(value, digits) {
  const [near, scale] = [Math.round(value * 10 ** digits), 10 ** digits];
  return ((near - value * scale === 0.5 && near % 2 ? near - 1 : near) / scale).toFixed(digits);
}
// Whole percent, as in the explorer. It never shows a share above zero as zero.
const fixed = (part) => (part > 0 && part < 0.005 ? "<1 %" : `${rounded(100 * part, 0)} %`);
const percent = (count, total) => fixed(share(count, total));
const steps = Array.from({ length: 45 }, (_, at) => [1, 2, 5][at % 3] * 10 ** Math.floor(at / 3));
const stepThat = (fits) => steps.find(fits) ?? steps.at(-1);
const firstFive = (items) => items.slice(0, 5).join("; ");

// Isolates a text, so that letters of right-to-left scripts do not change the order of the text after it.
const isolated = (text) => (/^[ -~]*$/.test(text) ? text : `\u2068${text}\u2069`);

function short(text, width) {
  const most = Math.floor(width / LETTER);
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, Math.max(most - 1, 0)).join("").trimEnd()}…`;
}

// `53 % (49-57)`: a part and its 95 % interval (Wilson's score), as `sgfq stats` prints it.
function interval(won, lost) {
  const [games, z] = [won + lost, 1.959963984540054];
  const part = won / games;
  const middle = part + (z * z) / (2 * games);
  const half = z * Math.sqrt((part * (1 - part)) / games + (z * z) / (4 * games * games));
  const ends = [middle - half, middle + half].map((end) => Math.min(Math.max(end / (1 + (z * z) / games), 0), 1));
  const [low, high] = ends.map((end) => 100 * end);
  return { part, low, high, text: `${rounded(100 * part, 0)} % (${rounded(low, 0)}-${rounded(high, 0)})` };
}

// Elements.

function element(space, name, attributes, children) {
  const made = document.createElementNS(space, name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...children.filter((child) => child != null));
  return made;
}

const html = (name, attributes = {}, ...children) =>
  element("http://www.w3.org/1999/xhtml", name, attributes, children);
const svg = (name, attributes = {}, ...children) => element("http://www.w3.org/2000/svg", name, attributes, children);
const row = (...cells) => html("tr", {}, ...cells);
const cell = (...children) => html("td", {}, ...children);
const dim = (text) => html("td", { class: "dim" }, text);

function filled(className, part) {
  const bar = html("i", { class: className });
  bar.style.width = `${100 * part}%`;
  return bar;
}

// A picture. Screen readers read its name and a sentence about its content.
const picture = (className, height, name, description, ...parts) =>
  svg("svg", { class: className, viewBox: `0 0 ${WIDTH} ${height}`, role: "img" },
    svg("title", {}, name), svg("desc", {}, description || "Empty."), ...parts);
const label = (x, y, className, ...text) => svg("text", { x, y, class: className }, ...text);

function section(title, note, ...content) {
  const text = note ? html("p", { class: "dim" }, note) : null;
  return html("section", {}, html("h3", {}, title), ...content, text);
}

// Horizontal bars, one per row, with name, number and share of `total`.
function bars(unit, rows, total) {
  const most = Math.max(...rows.map(([, count]) => count));
  return html("table", { class: "rows" }, html("tbody", {}, ...rows.map(([name, count]) =>
    html("tr", { title: `${isolated(name)}: ${counted(count, unit)}` },
      html("th", { scope: "row" }, isolated(name)),
      html("td", { class: "track" }, filled("", share(count, most))),
      cell(number(count)), dim(percent(count, total))))));
}

// A bar for each row [name, games, won, lost]: the share of decided games that were won, with the middle marked.
function wins(winner, rows) {
  const lines = rows.map(([name, games, won, lost]) => {
    const head = html("th", { scope: "row" }, isolated(name));
    if (won + lost === 0) return row(head, cell(), dim("–"), dim(number(games)));
    const { part, text } = interval(won, lost);
    const title = `${isolated(name)}: ${number(won)} of ${counted(won + lost, "decided games")} won: ${text}`;
    return html("tr", { title }, head, html("td", { class: "track split" }, filled("", part)),
      cell(fixed(part)), dim(number(games)));
  });
  const head = row(cell(), cell(), html("th", {}, winner), html("th", {}, "games"));
  return html("table", { class: "rows" }, html("thead", {}, head), html("tbody", {}, ...lines));
}

// Parts of a whole side by side, with a legend.
function parts(all) {
  const [total, shown] = [sum(all, ([, , count]) => count), all.filter(([, , count]) => count > 0)];
  const key = shown.map(([className, name, count]) => html("li", {}, html("i", { class: className }), name, " ",
    html("b", {}, number(count)), " ", html("span", { class: "dim" }, percent(count, total))));
  const bar = shown.map(([className, , count]) => filled(className, share(count, total)));
  return [html("p", { class: "parts" }, ...bar), html("ul", { class: "key" }, ...key)];
}

// Columns of games over an axis of `across`, with labels at intervals.
function columns(title, across, rows) {
  const [top, low] = [26, 186];
  const most = Math.max(...rows.map(({ count }) => count));
  const tick = stepThat((step) => most / step < 5);
  const ticks = Array.from({ length: Math.floor(most / tick) + 1 }, (_, at) => at * tick);
  const large = LETTER * 1.25;
  const left = number(ticks.at(-1)).length * large + 6;
  const step = Math.min((WIDTH - left - 2) / rows.length, 60);
  const widest = Math.max(...rows.map((column) => column.label.length)) * large + 6;
  const every = Math.max(Math.ceil(widest / step), 1);
  const parts = ticks.flatMap((at) => {
    const y = low - share(at, most) * (low - top);
    return [svg("path", { class: "axis", d: `M${left} ${y}H${WIDTH}` }),
      svg("text", { x: left - 5, y, dy: 4, class: "end dim" }, number(at))];
  });
  rows.forEach((column, at) => {
    const x = left + (at + 0.08) * step;
    if (column.count > 0) {
      const height = Math.max(share(column.count, most) * (low - top), 1);
      parts.push(svg("rect", { x, y: low - height, width: step * 0.84, height, class: "bar" },
        svg("title", {}, `${column.name}: ${counted(column.count, "games")}`)));
    }
    const middle = x + step * 0.42;
    if (at % every === 0 && middle >= widest / 2 && middle <= WIDTH - widest / 2 + 4) {
      parts.push(label(middle, 202, "mid dim", column.label));
    }
  });
  const high = rows.find(({ count }) => count === most);
  const description =
    `From ${rows[0].name} to ${rows.at(-1).name}; most at ${high.name}: ${counted(most, "games")}`;
  return picture("chart", 224, title, description, label(0, 11, "dim", "games"), ...parts,
    label((left + WIDTH) / 2, 221, "mid dim", across));
}
