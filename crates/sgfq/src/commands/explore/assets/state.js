// The state of the page, which the address contains.

/// `moves` and `tried` are moves as a request writes them; `list` is the view; `at` is the corner of a shape on the board.
const EMPTY = {
  board: "",
  moves: [],
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
  tried: [],
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
export let state = { ...EMPTY };

/// Moves of the line after those of the state.
/** @type {{ moves: string[] }} */
export const ahead = { moves: [] };

/// Keeps the moves after those of the state while the state stays on their line.
function followLine(before) {
  const line = [...before.moves, ...ahead.moves];
  const isOnLine = state.board === before.board && state.moves.every((move, at) => move === line[at]);
  ahead.moves = isOnLine ? line.slice(state.moves.length) : [];
}

export function readAddress() {
  const all = new URLSearchParams(location.hash.slice(1));
  const before = state;
  state = { ...EMPTY };
  for (const [key, usual] of Object.entries(EMPTY)) {
    const text = all.get(key);
    if (text === null) continue;
    state[key] = Array.isArray(usual) ? text.split(" ").filter(Boolean) : usual === false ? text === "true" : text;
  }
  followLine(before);
}

/// The address of the state with these changes.
export function href(changes) {
  const all = new URLSearchParams();
  for (const [key, value] of Object.entries({ ...state, ...changes })) {
    const text = Array.isArray(value) ? value.join(" ") : value === false ? "" : String(value);
    if (text) all.set(key, text);
  }
  return `#${all}`;
}

let show = () => {};

/// Names the function that shows the state.
export function onChange(listener) {
  show = listener;
}

/// Opens an address as a new entry of the browser's history, or in place of the current entry. `rest` are the moves of the
/// line after those of the address, if the line is a new one.
/** @type {(address: string, isStep?: boolean, rest?: string[]) => void} */
export function open(address, isStep = true, rest = undefined) {
  history[isStep ? "pushState" : "replaceState"](null, "", address);
  readAddress();
  if (rest) ahead.moves = rest;
  show();
}

/** @type {(changes: object, isStep?: boolean, rest?: string[]) => void} */
export const go = (changes, isStep = true, rest = undefined) => open(href(changes), isStep, rest);

/// Changes of the state that close a game.
export const NO_GAME = { game: "", path: "", move: "", tried: [], rotation: "" };

/// Changes of the state that leave a person.
export const NO_PERSON = { person: "", against: "" };

/// Changes of the state that lead to a person.
export const toPerson = (person) => ({ ...NO_GAME, list: "players", person, against: "" });

/// Changes of the state that remove a shape.
export const NO_SHAPE = { pattern: "", at: "", mover: "" };

/// Filters that are fields: their name, form, example, and expression.
export const FILTERS = {
  from: { name: "From", form: /^\d{1,4}$/, example: "1990", expression: (year) => `year(date_max) >= ${year}` },
  to: { name: "To", form: /^\d{1,4}$/, example: "2010", expression: (year) => `year(date_min) <= ${year}` },
  rank: {
    name: "Ranks from",
    form: /^\d{1,2}[kdp]$/i,
    example: "6d",
    expression: (rank) => {
      const level = Number.parseInt(rank, 10);
      const least = { k: -level, d: level, p: 20 + level }[rank.at(-1).toLowerCase()];
      return `br_level >= ${least} AND wr_level >= ${least}`;
    },
  },
  komi: { name: "Komi", form: /^-?\d+(\.\d+)?$/, example: "6.5", expression: (komi) => `km = ${komi}` },
};

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

const quoted = (text) => `'${text.replaceAll("'", "''")}'`;

/// A name that the filters take as a whole.
export const exact = (name) => `"${name}"`;

/// The games in whose column a name is: a whole name is in double quotes, any other text is a part of names.
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
  for (const [key, { form, expression }] of Object.entries(FILTERS)) if (form.test(of[key])) parts.push(expression(of[key]));
  if (of.winner) parts.push(`winner = ${quoted(of.winner)}`);
  if (of.where) parts.push(parts.length ? `(${of.where})` : of.where);
  return parts.join(" AND ");
}

/// Fields of every request that select games.
export const chosen = (of = state) => ({
  where: condition(of),
  swap_colors: of.swap || undefined,
  exact: of.exact || undefined,
  variations: of.variations || undefined,
});

/// Request for the games of the current list.
export function question() {
  const all = state.list === "games" || state.list === "findings" || undefined;
  const shape = all ? {} : { pattern: state.pattern || undefined, mover: state.mover || undefined };
  const order = { sort: state.sort || undefined, descending: state.descending || undefined };
  return {
    all,
    board: (!all && state.board) || undefined,
    moves: all ? undefined : state.moves.join(" "),
    ...shape,
    ...chosen(),
    ...(all ? { search: state.search || undefined, code: state.code || undefined } : {}),
    ...order,
  };
}
