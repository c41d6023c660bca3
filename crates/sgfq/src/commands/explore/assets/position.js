// A position or a pattern: the board, what was played next, and the games.

import { $, busily, counted, el, fault, notice, number, percent, save, table } from "./elements.js";
import { ask } from "./ask.js";
import { ahead, go, isCurrent, question, shown, state } from "./state.js";
import { draw, drawPattern, listen } from "./board.js";

/// Next moves that are shown at first.
const ROWS = 12;

/// Whose turn it is after the moves: the colour that did not move last.
function turn() {
  return state.moves.at(-1)?.startsWith("B") ? "W" : "B";
}

/// Plays a move, unless it is none on this board.
export const play = (point) => busily(async () => {
  const moves = [...state.moves, `${turn()}[${point}]`];
  const answer = await ask("position", { ...question(), pattern: undefined, all: undefined, moves: moves.join(" ") });
  const isUnknown = answer.games === 0 && (answer.illegal || answer.impossible);
  if (isUnknown) return fault(answer.illegal ?? `${answer.impossible} is no move on this board`);
  ahead.moves = [];
  return go({ moves, pattern: "", list: "", game: "", path: "", move: "" });
});

export async function position(boards) {
  const asked = question();
  const answer = await ask("position", asked);
  if (!isCurrent(asked)) return;
  [shown.answer, shown.node, shown.command] = [answer, undefined, answer.command];
  $("patterns").open ||= state.pattern !== "";
  if (answer.pattern) {
    const change = (text) => {
      $("pattern").value = text;
      drawPattern(text, [], change);
      notice("The pattern has changed: search for it.");
    };
    drawPattern(answer.pattern, answer.replies, change);
  } else if (!asked.all) {
    listen(draw(answer.svg), answer.points, answer.rows, ([name]) => play(name).catch((err) => fault(err.message)));
  } else {
    draw();
  }
  listBoards(boards);
  replies(answer);
  const line = answer.line ?? [];
  const said = line.length ? line.map((move, at) => `${at + 1}. ${move}`).join("  ") : "Click a point, or a move of the table.";
  $("moves").textContent = answer.pattern ? "A part of the board: click a point of it to change it." : asked.all ? "" : said;
  $("comment").hidden = true;
  $("back").disabled = $("start").disabled = !state.moves.length;
  $("forward").disabled = !ahead.moves.length;
  if (answer.impossible) fault(`${answer.impossible} is no move on any board of the archive`);
  else if (answer.illegal) fault(answer.illegal);
  await games();
}

/// Boards that a list shows without a field to search it.
const BOARDS = 12;

/// The boards that have what is asked, and the others; of many only those whose name has what is searched for, and the one that is shown.
export function listBoards(boards) {
  // A pattern is on all boards of a game.
  const counts = new Map(shown.answer?.pattern ? [] : shown.answer?.boards);
  const names = [...new Set([...counts.keys(), ...boards])];
  $("find-board").hidden = names.length <= BOARDS;
  const words = $("find-board").hidden ? [] : $("board-name").value.toLowerCase().split(" ");
  const chosen = state.board || shown.answer?.board;
  const found = names.filter((name) => name === chosen || words.every((word) => name.toLowerCase().includes(word)));
  $("boards").replaceChildren(...found.map((name) => el("option", { value: name, selected: name === chosen }, counts.has(name) ? `${name} (${number(counts.get(name))})` : name)));
  return found;
}

/// The table of next moves.
function replies(answer) {
  const rows = (answer.replies ?? []).map((reply) => {
    const decided = reply.black_wins + reply.white_wins;
    const bar = el("span", { class: "wins", title: decided ? `Black won ${reply.black_wins}, White ${reply.white_wins} of ${reply.count}` : "no results" });
    for (const [side, wins] of [["b", reply.black_wins], ["w", reply.white_wins]]) {
      const part = el("i", { class: side });
      part.style.width = decided ? `${(100 * wins) / decided}%` : "0";
      bar.append(part);
    }
    const years = reply.first_year === null ? "" : reply.first_year === reply.last_year ? `${reply.first_year}` : `${reply.first_year}–${reply.last_year}`;
    const name = `${reply.color ?? ""} ${reply.next}`.trim();
    const open = () => { ahead.moves = []; go({ moves: [...state.moves, reply.add] }); };
    const next = reply.add ? el("button", { click: open }, name) : name;
    const interval = reply.black_share === null ? "" : `${percent(reply.black_share)} (${Math.round(100 * reply.black_low)}–${Math.round(100 * reply.black_high)})`;
    return el("tr", {}, el("td", {}, reply.label ?? ""), el("td", { class: "move" }, next), el("td", { class: "number" }, number(reply.count)),
      el("td", { class: "number" }, percent(reply.share)), el("td", { class: "share" }, bar), el("td", { class: "number" }, interval), el("td", { class: "number" }, years));
  });
  const found = rows.length
    ? table("next", ["", "next", "games", "share", "result", "Black won", "years"], [2, 3, 5, 6], rows)
    : el("p", { class: "dim" }, "No game has it.");
  // A board has many moves that were played once.
  if (rows.length > ROWS + 3) {
    const rest = rows.slice(ROWS);
    rest.forEach((row) => { row.hidden = true; });
    const more = el("button", { click: () => { rest.forEach((row) => { row.hidden = false; }); more.parentElement.remove(); } }, `${rest.length} more`);
    found.append(el("caption", {}, more));
  }
  const left = answer.left_out ? [el("p", { class: "dim" }, `The next moves of ${counted(answer.left_out, "more game")} are not counted: there are too many.`)] : [];
  const title = answer.board && !answer.pattern ? `What was played next: ${answer.board}` : "What was played next";
  $("replies").replaceChildren(el("h2", {}, title), found, ...left);
}

/// Columns of the next moves, as `sgfq find --summary -f csv` names them.
const COLUMNS = ["color", "next", "count", "share", "black_wins", "white_wins", "black_share", "black_low", "black_high", "first_year", "last_year"];

/// Saves the table of next moves.
export function saveTable() {
  const cell = (value) => (/[",\r\n]/.test(`${value ?? ""}`) ? `"${`${value}`.replaceAll('"', '""')}"` : `${value ?? ""}`);
  const rows = [COLUMNS, ...(shown.answer?.replies ?? []).map((reply) => COLUMNS.map((name) => reply[name]))];
  save("next.csv", new Blob([rows.map((row) => `${row.map(cell).join(",")}\n`).join("")], { type: "text/csv" }));
}

/// The list of games.
async function games(from = 0) {
  const asked = question();
  // Those of the board that is shown.
  const board = asked.board ?? (asked.pattern ? undefined : shown.answer?.board);
  const list = await ask("games", { ...asked, board, from, count: 100 });
  if (!isCurrent(asked)) return;
  const player = (name, rank) => `${name || "?"}${rank ? ` ${rank}` : ""}`;
  const file = (row) => row.name.split(/[/\\!]/).pop();
  const rows = list.rows.map((row) => {
    const open = () => go({ game: `${row.id}`, move: `${row.move}`, path: "", board: board ?? "" });
    const name = row.pb || row.pw ? `${player(row.pb, row.br)} – ${player(row.pw, row.wr)}` : file(row);
    return el("tr", { class: "link", click: open }, el("td", { class: "name", title: name }, el("button", { "data-id": row.id }, name)), el("td", {}, row.re),
      el("td", { class: "date" }, row.dt), el("td", { class: "event", title: row.name }, row.ev || file(row)), el("td", { class: "number" }, `${row.move}`), el("td", { class: "move" }, row.next));
  });
  if (from === 0) {
    const found = rows.length ? [table("list", ["game", "result", "date", "event", "move", "next"], [4], rows)] : [];
    $("games").replaceChildren(el("h2", {}, counted(list.total, "game")), ...found);
  } else {
    $("list").tBodies[0].append(...rows);
  }
  $("games").querySelector("button.more")?.remove();
  const count = from + rows.length;
  if (count < list.total && rows.length) {
    $("games").append(el("button", { class: "more", click: () => games(count).catch((err) => fault(err.message)) }, "More"));
  }
  if (asked.all) shown.command = list.command;
}
