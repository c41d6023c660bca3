// What is shown: one state, which is in the address of the page.

/// `moves` are words of a question; `list` is what is shown beside the board.
const empty = {
  board: "", moves: [], list: "", player: "", color: "", from: "", to: "", winner: "", rank: "", komi: "", where: "", swap: false,
  pattern: "", mover: "", game: "", path: "", move: "", hide: false,
};
export let state = { ...empty };

/// Moves that were taken back.
export const ahead = { moves: [] };

/// What was answered last.
export const shown = { answer: undefined, node: undefined, command: "" };

export function readAddress() {
  const all = new URLSearchParams(location.hash.slice(1));
  state = { ...empty };
  for (const key of Object.keys(empty)) if (all.has(key)) state[key] = all.get(key);
  state.moves = state.moves.length ? state.moves.split(" ") : [];
  state.swap = state.swap === "true";
  state.hide = state.hide === "true";
}

let show;

/// Names the function that shows the state.
export function onChange(listener) {
  show = listener;
}

/// Changes what is shown, as a step that the browser can take back; or in place of what was shown.
export function go(changes, isStep = true) {
  state = { ...state, ...changes };
  const all = new URLSearchParams();
  for (const [key, value] of Object.entries(state)) {
    const text = Array.isArray(value) ? value.join(" ") : value === false ? "" : String(value);
    if (text) all.set(key, text);
  }
  history[isStep ? "pushState" : "replaceState"](null, "", `#${all}`);
  return show();
}

/// Filters that are fields: what each may be, in words and as an expression.
export const filters = {
  from: [/^\d{1,4}$/, "a year such as 1990", (year) => `year(date_max) >= ${year}`],
  to: [/^\d{1,4}$/, "a year such as 2010", (year) => `year(date_min) <= ${year}`],
  rank: [/^\d{1,2}[kdp]$/i, "a rank such as 3k, 5d or 9p", (rank) => {
    const level = Number.parseInt(rank, 10);
    const least = { k: -level, d: level, p: 20 + level }[rank.at(-1).toLowerCase()];
    return `br_level >= ${least} AND wr_level >= ${least}`;
  }],
  komi: [/^-?\d+(\.\d+)?$/, "a number such as 6.5", (komi) => `km = ${komi}`],
};

const quoted = (text) => `'${text.replaceAll("'", "''")}'`;

/// The games of a player: of the one with this name if it is in double quotes, and else of all whose name has it.
function playedBy(name, color) {
  const column = { B: "pb", W: "pw" }[color] ?? "player";
  const exact = name.match(/^"(.+)"$/);
  return exact ? `${column} = ${quoted(exact[1])}` : `${column} ILIKE ${quoted(`%${name}%`)}`;
}

/// The filters as one expression.
export function condition() {
  const parts = [];
  if (state.player) parts.push(playedBy(state.player, state.color));
  for (const [name, [form, , expression]] of Object.entries(filters)) if (form.test(state[name])) parts.push(expression(state[name]));
  if (state.winner) parts.push(`winner = ${quoted(state.winner)}`);
  if (state.where) parts.push(parts.length ? `(${state.where})` : state.where);
  return parts.join(" AND ");
}

/// What is asked of the archive: which games, and what they have.
export function question() {
  const all = state.list === "games" || undefined;
  const [pattern, mover] = [state.pattern || undefined, state.mover || undefined];
  return { all, board: state.board || undefined, moves: state.moves.join(" "), pattern, mover, where: condition(), swap_colors: state.swap };
}

/// True if it is still what is asked.
export const isCurrent = (asked) => JSON.stringify(asked) === JSON.stringify(question());
