// Positions that a board can begin with: the starts of the archive's games, and stones that the user sets up.

import { COLORS, counted, number } from "./format.js";

/** @import { Ready, StartReply } from "./protocol.d.ts" */
/** @import { Way } from "./next_moves.js" */

/// A start of games: its name, board, number of games, words, and filter. Starts without words are only counted.
/** @typedef {{ name: string, board: string, games?: number, words?: string[], where: string }} Start */

/// Whether a word of a position is setup, such as `AB[dp][pd]` or `PL[W]`, instead of a move.
/** @type {(word: string) => boolean} */
export const isSetup = (word) => /^[A-Z][A-Z0-9]\[/.test(word);

/** @type {(words: string[]) => number} */
export const moveCount = (words) => words.filter((word) => !isSetup(word)).length;

/// The number of words of setup with which a position begins.
/** @type {(words: string[]) => number} */
export const setupCount = (words) => [...words, "B[]"].findIndex((word) => !isSetup(word));

/// The values of setup.
/** @type {(word: string) => string[]} */
const valuesOf = (word) => word.slice(word.indexOf("[") + 1, -1).split("][");

/// Names of setup by its property.
/** @type {Record<string, string>} */
const STONES = { AB: "black stone", AW: "white stone", AE: "removed stone" };

/// Setup as a text: `2 black stones`.
/** @type {(word: string) => string} */
export function setupName(word) {
  const [ident, values] = [word.split("[")[0], valuesOf(word)];
  const count = values.some((value) => value.includes(":")) ? undefined : values.length;
  if (ident === "PL") return `${COLORS[values[0]] ?? `Color ${values[0]}`} plays`;
  const what = STONES[ident];
  return what && count ? counted(count, what) : what ? `${what}s` : word;
}

/// The position with a brush at a point: `AB`, `AW` or `AE`. Without `hasStone`, there is nothing to remove. The same brush
/// again takes its stone back.
/** @type {(words: string[], brush: string, point: string, hasStone: boolean) => string[]} */
export function withStone(words, brush, point, hasStone) {
  const isOwn = (/** @type {string} */ word) => /^(AB|AW|AE)\[[^:]*\]$|^PL\[/.test(word);
  const at = words.findLastIndex((word) => !isOwn(word)) + 1;
  const own = new Map();
  for (const word of words.slice(at)) {
    if (!word.startsWith("PL[")) valuesOf(word).forEach((value) => own.set(value, word.slice(0, 2)));
  }
  const before = own.get(point);
  if (before === brush || (brush === "AE" && before)) own.delete(point);
  else if (brush !== "AE" || hasStone) own.set(point, brush);
  const setup = ["AB", "AW", "AE"].map((ident) => {
    const points = [...own].filter(([, each]) => each === ident);
    return points.length ? `${ident}${points.map(([value]) => `[${value}]`).join("")}` : "";
  });
  return [...words.slice(0, at), ...setup, ...words.slice(at).filter((word) => word.startsWith("PL["))].filter(Boolean);
}

/// The position with the color that plays next, or without one.
/** @type {(words: string[], color: string) => string[]} */
export function withTurn(words, color) {
  const rest = words.at(-1)?.startsWith("PL[") ? words.slice(0, -1) : words;
  return color ? [...rest, `PL[${color}]`] : rest;
}

/// The name of a start, after the name of its board.
/** @type {(start: StartReply) => string} */
function stonesOf({ handicap, black, white, setups, moves }) {
  const declared = handicap && (black !== handicap || white || setups > 1) ? `handicap ${handicap}` : "";
  if (setups > 1) return [declared, `${counted(setups, "other setup")}`].filter(Boolean).join(": ");
  if (moves === "") return declared && `${declared}, no setup`;
  const stones =
    white === 0
      ? counted(black, handicap === black ? "stone" : "black stone")
      : black === 0
        ? counted(white, "white stone")
        : `${black} black and ${counted(white, "white stone")}`;
  return [stones, declared].filter(Boolean).join(", ");
}

/// The filter of games with a declared handicap whose stones are not set up.
/** @type {(handicap: number) => string} */
const byHandicap = (handicap) => `handicap = ${handicap} AND handicap_form <> 'stones'`;

/// A board that no game begins with.
/** @type {StartReply} */
const NO_START = { board: "", handicap: 0, black: 0, white: 0, games: 0, setups: 1, moves: "" };

/// The starts of all boards, the boards with the most games first.
/** @type {(status: Pick<Ready, "boards" | "starts" | "games">) => Start[]} */
export function startsOf({ boards, starts, games: total }) {
  const sums = new Map(boards.map((board) => [board, 0]));
  for (const { board, games } of starts) sums.set(board, (sums.get(board) ?? 0) + games);
  const all = [...sums]
    .sort((one, other) => other[1] - one[1])
    .flatMap(([board]) => {
      const own = starts.filter((start) => start.board === board);
      const usual = own.filter((start) => start.moves === "" && !start.handicap);
      return [...(usual.length ? usual : [{ ...NO_START, board }]), ...own.filter((start) => !usual.includes(start))];
    });
  const used = new Map();
  const named = all.map((start) => {
    const name = [start.board, stonesOf(start)].filter(Boolean).join(", ");
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    return {
      name: count > 1 ? `${name}, setup ${count}` : name,
      board: start.board,
      games: start.games,
      words: start.setups > 1 ? undefined : start.moves?.split(" ").filter(Boolean),
      where: start.moves === "" && start.handicap ? byHandicap(start.handicap) : "",
    };
  });
  const rest = total - [...sums.values()].reduce((sum, games) => sum + games, 0);
  return rest > 0 ? [...named, { name: "No known board", board: "", games: rest, words: undefined, where: "" }] : named;
}

/** @type {(start: Start) => number} */
const gamesOf = ({ games = 0 }) => games;

/// Links from the usual start of a board to its most frequent setups.
/** @type {(status: Ready, board?: string) => Way[]} */
export function waysToStarts(status, board = "") {
  const all = startsOf(status).filter((start) => start.board === board && start.words?.length);
  const frequent = all.sort((one, other) => gamesOf(other) - gamesOf(one)).slice(0, 2);
  return frequent.map((start) => [`${start.name} (${number(gamesOf(start))})`, { board, moves: start.words ?? [] }]);
}

/// The start that a position continues: the one with the most words, of those with its filter if there are any.
/** @type {(all: Start[], board: string, words: string[], where: string) => Start | undefined} */
export function startAt(all, board, words, where) {
  const isBegun = (/** @type {Start} */ start) =>
    start.board === board &&
    start.words?.every((word, at) => word === words[at]) &&
    (!start.where || where === start.where || where.endsWith(` AND ${start.where}`));
  const weight = (/** @type {Start} */ start) => 2 * (start.words?.length ?? 0) + (start.where ? 1 : 0);
  return all.filter(isBegun).sort((one, other) => weight(other) - weight(one) || gamesOf(other) - gamesOf(one))[0];
}

/// The filter after a change from one start to another.
/** @type {(where: string, from: Start | undefined, to: Start) => string} */
export function filterAt(where, from, to) {
  const rest = !from?.where
    ? where
    : where === from.where
      ? ""
      : where.slice(0, -` AND ${from.where}`.length).replace(/^\((.*)\)$/, "$1");
  return to.where && rest ? `(${rest}) AND ${to.where}` : to.where || rest;
}
