// Numbers and names as all views write them.

/** @import { Color, GameNames } from "./protocol.d.ts" */

const numbers = new Intl.NumberFormat("en");
/** @type {(count: number) => string} */
export const number = (count) => numbers.format(count);

/** @type {(count: number, what: string) => string} */
export const counted = (count, what) => `${number(count)} ${what}${count === 1 ? "" : "s"}`;

/// The text of an error.
/** @type {(err: unknown) => string} */
export const textOf = (err) => (err instanceof Error ? err.message : String(err));

/// A share in whole percent. It never shows a share above zero as zero.
/** @type {(part?: number | null) => string} */
export function percent(part) {
  if (part === null || part === undefined) return "";
  return part > 0 && part < 0.005 ? "<1 %" : `${Math.round(100 * part)} %`;
}

/// A share with its 95 % interval.
/** @type {(share?: number | null, low?: number | null, high?: number | null) => string} */
export function interval(share, low, high) {
  const [from, to] = [low, high].map((part) => Math.round(100 * (part ?? 0)));
  return share === null || share === undefined ? "" : `${percent(share)} (${from}–${to})`;
}

/** @type {(first: number | null, last: number | null) => string} */
export const years = (first, last) =>
  first === null || first === undefined ? "" : first === last ? `${first}` : `${first}–${last}`;

/// The last part of a path of files and members.
/** @type {(name: string) => string} */
export const fileOf = (name) => name.split(/[/\\!]/).at(-1) ?? "";

/// The name of a game without the folders that lead to the input that the user named.
/** @type {(name: string, inputs: string[]) => string} */
export function shortName(name, inputs) {
  const isBelow = (/** @type {string} */ input) => name.startsWith(input) && /^([/\\!#]|$)/.test(name.slice(input.length));
  const found = inputs.map((input) => input.replace(/[/\\]+$/, "")).filter((input) => input && isBelow(input));
  const input = found.sort((one, other) => other.length - one.length)[0];
  return input ? name.slice(input.length - fileOf(input).length) : name;
}

/// The event of a game. Some servers write `null` for no event.
/** @type {(event?: string) => string} */
export const eventOf = (event) => (event === "null" ? "" : (event ?? ""));

/// The folders above a file: many problems have the same file name.
/** @type {(name: string) => string} */
export const folderOf = (name) =>
  name
    .split(/[/\\!]/)
    .slice(-3, -1)
    .join("/");

/// A player with a rank.
/** @type {(name: string, rank?: string) => string} */
export const player = (name, rank) => `${name || "?"}${rank ? ` ${rank}` : ""}`;

/// A result as lists write it: `W+Resign` is `W+R`.
/** @type {(result?: string) => string} */
export const resultOf = (result) => (result ?? "").replace(/^([BW1-4]\+)(R|T|F)\w+$/, "$1$2");

/** @type {Record<Color, string>} */
export const COLORS = { B: "Black", W: "White" };

/// The class of a color's stones.
/** @type {(color?: Color | null) => string} */
export const classOf = (color) => (color ? ({ B: "b", W: "w" }[color] ?? `c${color}`) : "");

/// The title of a game in a list.
/** @type {(row: GameNames) => string} */
export const titleOf = (row) => (row.pb || row.pw ? `${player(row.pb, row.br)} – ${player(row.pw, row.wr)}` : fileOf(row.name));

/// The color and the point of a move such as `B Q16`.
/** @type {(move?: string | null) => { color?: Color, point: string }} */
export function partsOf(move) {
  const [, color, point] = /^([BW1-4]) (.*)$/.exec(move ?? "") ?? [];
  return { color, point: point ?? move ?? "" };
}
