// The state of the page: what the address contains, and what the page knows besides.

/** @import { GamesRequest, LineNode, QuestionRequest } from "./protocol.d.ts" */

/// `moves` and `tried` are moves as a request writes them; `list` is the view; `at` is the corner of a shape on the board.
const EMPTY = {
  board: "",
  moves: /** @type {string[]} */ ([]),
  list: "",
  player: "",
  color: "",
  from: "",
  to: "",
  winner: "",
  rank: "",
  komi: "",
  where: "",
  swap: false,
  exact: false,
  variations: false,
  pattern: "",
  at: "",
  mover: "",
  game: "",
  path: "",
  move: "",
  tried: /** @type {string[]} */ ([]),
  hide: false,
  rotation: "",
  sort: "",
  descending: false,
  search: "",
  code: "",
  opponent: "",
  person: "",
  against: "",
};

/** @typedef {typeof EMPTY} State */
/** @typedef {Partial<State>} Changes */

/// What the address contains.
export const state = { ...EMPTY };

/// No game of the user.
export const NO_OWN = { name: "", text: "", words: /** @type {string[]} */ ([]), board: "", isGuessed: false };

/** @typedef {typeof NO_OWN} OwnGame */

/// The line of an opened game: its nodes, the one that is shown, and the direction in which the user walks, or 0.
/** @typedef {{ game: string, line: LineNode[], at: number, by: number }} Walk */

/// What the page knows besides the address until it is closed.
export const session = {
  /// Moves of the line after the moves of the state.
  ahead: /** @type {string[]} */ ([]),
  walk: /** @type {Walk} */ ({ game: "", line: [], at: 0, by: 0 }),
  /// Game that the user compares with the archive, and whether opened games are compared, too.
  own: NO_OWN,
  isCompared: false,
  /// Region in which the user last pressed a key, and the game that was open then.
  pressed: { region: /** @type {string | undefined} */ (undefined), game: "" },
};

/// Changes what the page knows besides the address, and shows it.
/** @type {(changes: Partial<typeof session>) => void} */
export function change(changes) {
  Object.assign(session, changes);
  show();
}

/// The state that an address contains.
/** @type {(hash: string) => State} */
export function stateOf(hash) {
  const all = new URLSearchParams(hash.slice(1));
  const fields = Object.entries(EMPTY).map(([key, usual]) => {
    const text = all.get(key);
    if (text === null) return [key, usual];
    return [key, Array.isArray(usual) ? text.split(" ").filter(Boolean) : usual === false ? text === "true" : text];
  });
  return Object.fromEntries(fields);
}

/// The moves after the moves of `after`, if it stays on the line that `before` and the moves `ahead` of it are.
/** @type {(before: State, ahead: string[], after: State) => string[]} */
export function aheadOf(before, ahead, after) {
  const line = [...before.moves, ...ahead];
  const isOnLine = after.board === before.board && after.moves.every((move, at) => move === line[at]);
  return isOnLine ? line.slice(after.moves.length) : [];
}

export function readAddress() {
  const next = stateOf(location.hash);
  session.ahead = aheadOf(state, session.ahead, next);
  Object.assign(state, next);
}

/// The address of a state with changes.
/** @type {(changes: Changes, of?: State) => string} */
export function href(changes, of = state) {
  const all = new URLSearchParams();
  for (const [key, value] of Object.entries({ ...of, ...changes })) {
    const text = Array.isArray(value) ? value.join(" ") : value === false ? "" : String(value);
    if (text) all.set(key, text);
  }
  return `#${all}`;
}

let show = () => {};

/// Names the function that shows the state.
/** @type {(listener: () => void) => void} */
export function onChange(listener) {
  show = listener;
}

/// Opens an address as a new entry of the browser's history, or in place of the current entry. `rest` are the moves of the
/// line after the moves of the address, if the line is a new one.
/** @type {(address: string, isStep?: boolean, rest?: string[]) => void} */
export function open(address, isStep = true, rest = undefined) {
  history[isStep ? "pushState" : "replaceState"](null, "", address);
  readAddress();
  if (rest) session.ahead = rest;
  show();
}

/** @type {(changes: Changes, isStep?: boolean, rest?: string[]) => void} */
export const go = (changes, isStep = true, rest = undefined) => open(href(changes), isStep, rest);

/// Changes of the state that close a game.
export const NO_GAME = { game: "", path: "", move: "", tried: /** @type {string[]} */ ([]), rotation: "" };

/// Changes of the state that leave a person.
export const NO_PERSON = { person: "", against: "" };

/// Changes of the state that lead to a person.
/** @type {(person: string) => Changes} */
export const toPerson = (person) => ({ ...NO_GAME, list: "players", person, against: "" });

/// Changes of the state that remove a shape.
export const NO_SHAPE = { pattern: "", at: "", mover: "" };

/** @typedef {"from" | "to" | "rank" | "komi"} FilterKey */

/// Filters that are fields: their name, form, example, and expression.
/** @type {Record<FilterKey, { name: string, form: RegExp, example: string, expression: (value: string) => string }>} */
export const FILTERS = {
  from: { name: "From", form: /^\d{1,4}$/, example: "1990", expression: (year) => `year(date_max) >= ${year}` },
  to: { name: "To", form: /^\d{1,4}$/, example: "2010", expression: (year) => `year(date_min) <= ${year}` },
  rank: {
    name: "Ranks from",
    form: /^\d{1,2}[kdp]$/i,
    example: "6d",
    expression: (rank) => {
      const level = Number.parseInt(rank, 10);
      const kind = rank.slice(-1).toLowerCase();
      const least = kind === "k" ? -level : kind === "d" ? level : 20 + level;
      return `br_level >= ${least} AND wr_level >= ${least}`;
    },
  },
  komi: { name: "Komi", form: /^-?\d+(\.\d+)?$/, example: "6.5", expression: (komi) => `km = ${komi}` },
};

export const filterKeys = /** @type {FilterKey[]} */ (Object.keys(FILTERS));

/// Fields of the filter form, as they are without filters.
export const NO_FILTERS = {
  player: "",
  opponent: "",
  color: "",
  from: "",
  to: "",
  winner: "",
  rank: "",
  komi: "",
  where: "",
  swap: false,
  exact: false,
  variations: false,
};

/** @type {(text: string) => string} */
const quoted = (text) => `'${text.replaceAll("'", "''")}'`;

/// A name that the filters take as a whole.
/** @type {(name: string) => string} */
export const exact = (name) => `"${name}"`;

/// The games in whose column a name is: a whole name is in double quotes, any other text is a part of names.
/** @type {(column: string, name: string) => string} */
function named(column, name) {
  const whole = name.match(/^"(.+)"$/);
  return whole ? `${column} = ${quoted(whole[1])}` : `${column} ILIKE ${quoted(`%${name}%`)}`;
}

/// The filters as one expression.
export function condition(of = state) {
  const parts = [];
  if (of.player) parts.push(named("player", of.player));
  if (of.player && of.color) parts.push(`player_color = ${quoted(of.color)}`);
  if (of.opponent) parts.push(named(of.player ? "opponent" : "player", of.opponent));
  for (const key of filterKeys) if (FILTERS[key].form.test(of[key])) parts.push(FILTERS[key].expression(of[key]));
  if (of.winner) parts.push(`winner = ${quoted(of.winner)}`);
  if (of.where) parts.push(parts.length ? `(${of.where})` : of.where);
  return parts.join(" AND ");
}

/// Fields of every request that select games.
/** @type {(of?: State) => QuestionRequest} */
export const chosen = (of = state) => ({
  where: condition(of),
  swap_colors: of.swap || undefined,
  exact: of.exact || undefined,
  variations: of.variations || undefined,
});

/// Request for the games of the current list.
/** @type {(of?: State) => GamesRequest} */
export function question(of = state) {
  const all = of.list === "games" || of.list === "findings" || undefined;
  const shape = all ? {} : { pattern: of.pattern || undefined, mover: of.mover || undefined };
  const order = { sort: of.sort || undefined, descending: of.descending || undefined };
  return {
    all,
    board: (!all && of.board) || undefined,
    moves: all ? undefined : of.moves.join(" "),
    ...shape,
    ...chosen(of),
    ...(all ? { search: of.search || undefined, code: of.code || undefined } : {}),
    ...order,
  };
}
