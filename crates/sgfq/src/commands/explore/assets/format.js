// Numbers and names as all views write them.

const numbers = new Intl.NumberFormat("en");
export const number = (count) => numbers.format(count);

export const counted = (count, what) => `${number(count)} ${what}${count === 1 ? "" : "s"}`;

/// The text of an error.
export const textOf = (err) => (err instanceof Error ? err.message : String(err));

/// A share in whole percent. It never shows a share above zero as zero.
export function percent(part) {
  if (part === null || part === undefined) return "";
  return part > 0 && part < 0.005 ? "<1 %" : `${Math.round(100 * part)} %`;
}

/// A share with its 95 % interval.
export function interval(share, low, high) {
  return share === null || share === undefined ? "" : `${percent(share)} (${Math.round(100 * low)}–${Math.round(100 * high)})`;
}

export const years = (first, last) =>
  first === null || first === undefined ? "" : first === last ? `${first}` : `${first}–${last}`;

/// The last part of a path of files and members.
export const fileOf = (name) => name.split(/[/\\!]/).pop();

/// The name of a game without the folders that lead to the input that the user named.
export function shortName(name, inputs) {
  const isBelow = (input) => name.startsWith(input) && /^([/\\!#]|$)/.test(name.slice(input.length));
  const found = inputs.map((input) => input.replace(/[/\\]+$/, "")).filter((input) => input && isBelow(input));
  const input = found.sort((one, other) => other.length - one.length)[0];
  return input ? name.slice(input.length - fileOf(input).length) : name;
}

/// The event of a game. Some servers write `null` for no event.
export const eventOf = (event) => (event === "null" ? "" : (event ?? ""));

/// The folders above a file: many problems have the same file name.
export const folderOf = (name) =>
  name
    .split(/[/\\!]/)
    .slice(-3, -1)
    .join("/");

/// A player with a rank.
export const player = (name, rank) => `${name || "?"}${rank ? ` ${rank}` : ""}`;

/// A result as lists write it: `W+Resign` is `W+R`.
export const resultOf = (result) => (result ?? "").replace(/^([BW1-4]\+)(R|T|F)\w+$/, "$1$2");

export const COLORS = { B: "Black", W: "White" };

/// The class of a color's stones.
export const classOf = (color) => (color ? ({ B: "b", W: "w" }[color] ?? `c${color}`) : "");

/// The title of a game in a list.
export const titleOf = (row) => (row.pb || row.pw ? `${player(row.pb, row.br)} – ${player(row.pw, row.wr)}` : fileOf(row.name));

/// The color and the point of a move such as `B Q16`.
export function partsOf(move) {
  const [, color, point] = /^([BW1-4]) (.*)$/.exec(move ?? "") ?? [];
  return { color, point: point ?? move ?? "" };
}
