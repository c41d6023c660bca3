// The page of `sgfq explore`. It holds what is shown as one state, which is in its address, and asks the server for the rest.

import { $, busily, fault, notice, number, save } from "./elements.js";
import { Refused, ask, download, losses } from "./ask.js";
import { ahead, filters, go, onChange, question, readAddress, shown, state } from "./state.js";
import { pictureFile } from "./board.js";
import { listBoards, play, position, saveTable } from "./position.js";
import { beside, game, leave, stepInGame } from "./game.js";
import { lists } from "./lists.js";

const FIELDS = ["player", "color", "from", "to", "winner", "rank", "komi", "where", "mover"];
let boards = [];

/// Keys that the next Tab goes on from: what was made anew has lost its place.
function refocus(region, game) {
  if (!region || document.activeElement !== document.body) return;
  const target = state.game
    ? (region === "game" && document.querySelector("#game .line .at")) || $("leave")
    : document.querySelector(`#list [data-id="${game}"]`) ?? document.querySelector(`#${region} tbody button`) ?? document.querySelector("#next button, #list button");
  target?.focus({ preventScroll: Boolean(state.game) });
}

onChange(() => busily(async () => {
  const [region, before] = [document.activeElement?.closest("#replies, #games, #game, #players, #findings")?.id, shown.node?.id];
  const isInGame = state.game !== "";
  const list = isInGame ? undefined : state.list;
  for (const id of ["filters", "patterns", "enter"]) $(id).hidden = isInGame;
  $("replies").hidden = list !== "";
  $("games").hidden = list !== "" && list !== "games";
  for (const id of Object.keys(lists)) $(id).hidden = list !== id;
  $("tabs").hidden = isInGame;
  for (const tab of $("tabs").children) tab.ariaPressed = `${tab.dataset.list === state.list}`;
  $("board").hidden = list === "games";
  $("game").hidden = $("end").hidden = !isInGame;
  $("csv").hidden = $("tree").hidden = list !== "";
  $("tree").disabled = state.pattern !== "";
  $("download").textContent = isInGame ? "Game as SGF" : "Games as SGF";
  for (const id of FIELDS) $(id).value = state[id];
  $("swap").checked = state.swap;
  if (state.pattern) $("pattern").value = state.pattern;
  try {
    fault("");
    await (isInGame ? game() : position(boards));
    if (list in lists) await lists[list]();
    if (!$("command").hidden) $("command").textContent = shown.command;
    refocus(region, before);
  } catch (err) {
    if (!(err instanceof Refused)) throw err;
    fault(err.message);
  }
}));

/// Goes along the line of a game, or through the moves of the position.
function step(by) {
  if (state.game) {
    stepInGame(by);
  } else if (by < 0 && state.moves.length) {
    const kept = by === -Infinity ? 0 : state.moves.length + by;
    ahead.moves = [...state.moves.slice(kept), ...ahead.moves];
    go({ moves: state.moves.slice(0, kept), pattern: "" });
  } else if (by > 0 && ahead.moves.length) {
    const taken = ahead.moves.slice(0, by === Infinity ? ahead.moves.length : by);
    ahead.moves = ahead.moves.slice(taken.length);
    go({ moves: [...state.moves, ...taken], pattern: "" });
  }
}

async function start() {
  for (;;) {
    let status;
    try {
      status = await ask("status");
    } catch (err) {
      notice(err.message);
      return;
    }
    $("title").textContent = (status.inputs ?? []).map((name) => name.split(/[/\\]/).pop()).join(", ") || "sgfq explore";
    document.title = `${$("title").textContent} · sgfq explore`;
    if (status.state === "failed") {
      notice(status.message);
      return;
    }
    if (status.state === "ready") {
      boards = status.boards;
      const partial = status.partial ? `; some inputs could not be read, ${losses}` : "";
      $("about").textContent = `${number(status.games)} games, ${number(status.positions)} positions${partial}`;
      readAddress();
      // Problems begin with stones on the board: there is no position from which to see them.
      const hasNoStart = !location.hash.slice(1) && (await ask("position", question())).games < status.games / 2;
      notice("");
      $("main").hidden = false;
      await go(hasNoStart ? { list: "games" } : {}, false);
      return;
    }
    notice(`Reading games: ${number(status.games)} …`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

$("filters").addEventListener("submit", (event) => {
  event.preventDefault();
  const fields = Object.fromEntries(FIELDS.map((id) => [id, $(id).value.trim()]));
  for (const [id, [form, expected]] of Object.entries(filters)) {
    if (fields[id] && !form.test(fields[id])) {
      fault(`expected ${expected}, found ${fields[id]}`);
      $(id).focus();
      return;
    }
  }
  go({ ...fields, swap: $("swap").checked, board: $("boards").value });
});
const showBoard = (board) => { ahead.moves = []; go({ board, moves: [], pattern: "", list: "" }); };
$("boards").addEventListener("change", () => showBoard($("boards").value));
$("board-name").addEventListener("input", () => listBoards(boards));
// Enter shows the first one that was found.
$("board-name").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const shownNow = state.board || shown.answer?.board;
  const found = listBoards(boards).find((name) => name !== shownNow);
  if (found && $("board-name").value) showBoard(found);
});
for (const tab of $("tabs").children) tab.addEventListener("click", () => go({ list: tab.dataset.list }));
$("clear").addEventListener("click", () => go({ ...Object.fromEntries(FIELDS.map((id) => [id, ""])), swap: false }));
$("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  const move = $("move").value.trim();
  $("move").value = "";
  if (move) play(move).catch((err) => fault(err.message));
});
$("start").addEventListener("click", () => step(-Infinity));
$("back").addEventListener("click", () => step(-1));
$("forward").addEventListener("click", () => step(1));
$("end").addEventListener("click", () => step(Infinity));
$("select").addEventListener("click", () => {
  const isOn = $("select").ariaPressed !== "true";
  $("select").ariaPressed = `${isOn}`;
  $("board").classList.toggle("selecting", isOn);
  if (isOn && state.pattern) go({ pattern: "" });
});
$("search").addEventListener("click", () => {
  notice("");
  go({ pattern: $("pattern").value.trimEnd(), mover: $("mover").value, list: "" });
});
$("whole").addEventListener("click", () => go({ pattern: "" }));
$("copy").addEventListener("click", async () => {
  $("command").textContent = shown.command;
  $("command").hidden = false;
  try {
    await navigator.clipboard.writeText(shown.command);
    notice("The command is copied.");
  } catch {
    notice("The command is below.");
  }
});

$("download").addEventListener("click", () => download("export", state.game ? { id: Number(state.game) } : { ...question(), board: state.board || shown.answer?.board }, state.game ? "game.sgf" : "games.sgf"));
$("tree").addEventListener("click", () => download("tree", { ...question(), board: state.board || shown.answer?.board }, "tree.sgf"));
$("csv").addEventListener("click", saveTable);
$("picture").addEventListener("click", async () => {
  const file = await pictureFile();
  if (file) save("board.svg", file);
});
addEventListener("popstate", () => { readAddress(); go({}, false); });
addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-Infinity), End: () => step(Infinity), ArrowDown: state.game && beside, Escape: () => state.game && leave() }[event.key];
  if (!act || $("main").hidden) return;
  event.preventDefault();
  act();
});
start();
