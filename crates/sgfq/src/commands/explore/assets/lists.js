// What is shown of the whole archive: players, findings, and charts.

import { $, busily, el, fault, number, percent, save, table } from "./elements.js";
import { ask, download } from "./ask.js";
import { ahead, condition, go, shown, state } from "./state.js";
import drawCharts from "./charts.js";

/// The players of all games that the filters leave.
export async function players() {
  const asked = { where: condition() };
  const list = await ask("players", asked);
  if (asked.where !== condition() || state.list !== "players") return;
  shown.command = list.command;
  const rows = list.rows.map((row) => {
    const open = (color) => () => go({ player: `"${row.name}"`, color, list: "" });
    const under = el("tr", { class: "under", hidden: true }, el("td", { colspan: 11 }));
    const unfold = (event) => busily(async () => {
      under.hidden = !under.hidden;
      event.target.ariaExpanded = `${!under.hidden}`;
      if (!under.hidden) under.firstChild.replaceChildren(await openings(row.name));
    }).catch((err) => fault(err.message));
    const of = (color, count) => el("td", { class: "number" }, count ? el("button", { title: `the games with ${color === "B" ? "Black" : "White"}`, click: open(color) }, number(count)) : "0");
    const cells = [row.won, row.lost, percent(row.share), row.years ? [...new Set(row.years)].join("–") : "", row.opponents];
    return [el("tr", {}, el("td", { class: "name", title: row.name }, el("button", { click: open("") }, row.name)), el("td", { class: "number" }, number(row.games)), of("B", row.black), of("W", row.white),
      ...cells.map((cell) => el("td", { class: "number" }, typeof cell === "number" ? number(cell) : cell)), el("td", { class: "event", title: row.most_frequent }, row.most_frequent),
      el("td", {}, el("button", { class: "unfold", "aria-expanded": "false", "aria-label": `openings of ${row.name}`, click: unfold }, "openings"))), under];
  });
  const names = ["player", "games", "black", "white", "won", "lost", "share", "years", "opponents", "most frequent", ""];
  const title = rows.length >= 300 ? "The 300 players with the most games" : `${rows.length} players`;
  $("players").replaceChildren(el("h2", {}, title), table(undefined, names, [1, 2, 3, 4, 5, 6, 7, 8], rows.flat()));
}

/// Moves of an opening.
const DEPTH = 4;

/// The openings that a player has most often: first moves that are the same when the board is turned.
async function openings(player) {
  const list = await ask("openings", { player, depth: DEPTH, where: condition() });
  shown.command = list.command;
  const rows = list.rows.map((row) => {
    const open = (color) => () => { ahead.moves = []; go({ player: `"${player}"`, color, board: row.board, moves: row.moves.split(" "), pattern: "", list: "" }); };
    const of = (color, count) => el("td", { class: "number" }, count ? el("button", { title: `the games with ${color === "B" ? "Black" : "White"}`, click: open(color) }, number(count)) : "0");
    const interval = row.share === null ? "" : `${percent(row.share)} (${Math.round(100 * row.low)}–${Math.round(100 * row.high)})`;
    return el("tr", {}, el("td", {}, row.moves ? el("button", { click: open("") }, row.spelled.replace(/\[|\]/g, (sign) => (sign === "[" ? " " : ""))) : "no move"), el("td", {}, row.board), el("td", { class: "number" }, number(row.games)),
      of("B", row.black), of("W", row.white), el("td", { class: "number" }, interval), el("td", { class: "number" }, row.years ? [...new Set(row.years)].join("–") : ""));
  });
  const names = [`first ${DEPTH} moves`, "board", "games", "black", "white", "won", "years"];
  return rows.length ? table(undefined, names, [2, 3, 4, 5, 6], rows) : el("p", { class: "dim" }, "No game of this player begins with an empty board.");
}

/// What is wrong with the games that the filters leave.
export async function findings() {
  const asked = { where: condition() };
  const list = await ask("findings", asked);
  if (asked.where !== condition() || state.list !== "findings") return;
  shown.command = list.command;
  const rows = list.rows.map((row) => {
    const examples = row.examples.map((example) => {
      const open = () => go({ game: `${example.id}`, path: example.path.includes("…") ? "" : example.path, move: "" });
      const file = example.game.split(/[/\\!]/).pop();
      return el("li", {}, el("button", { title: example.game, click: open }, `${file} ${example.path}`.trim()), ` ${example.message}`);
    });
    return [el("tr", {}, el("td", {}, row.severity), el("td", { class: "code" }, row.code), el("td", { class: "number" }, number(row.count)), el("td", { class: "number" }, number(row.games))),
      el("tr", { class: "under" }, el("td", { colspan: 4 }, el("details", {}, el("summary", {}, "examples"), el("ul", {}, ...examples))))];
  });
  const all = { all: true, ...asked };
  const buttons = [el("button", { id: "repaired", click: () => download("export", { ...all, repaired: true }, "repaired.sgf") }, asked.where ? "Download these games repaired" : "Download all games repaired"),
    el("span", { class: "dim" }, "as sgfq fix writes them, in one file")];
  $("findings").replaceChildren(el("h2", {}, rows.length ? "Findings, by code" : "Nothing was found"),
    ...(rows.length ? [el("div", { class: "bar" }, ...buttons), table(undefined, ["severity", "code", "findings", "games"], [2, 3], rows.flat())] : []),
    el("p", { class: "dim" }, "sgfq explain CODE explains a finding; sgfq fix repairs what is sure."));
}

/// The page of `sgfq stats --html`, within this one.
export async function charts() {
  const asked = { where: condition() };
  const text = await ask("stats", asked, (response) => response.text());
  if (asked.where !== condition() || state.list !== "charts") return;
  // Sizes of letters are set by script, and styles are those of this page: none of a text is allowed. Nothing of the text runs.
  const plain = text.replace(/<style[^]*?<\/style>/, "").replaceAll(' style="', ' data-style="');
  const page = new DOMParser().parseFromString(plain, "text/html");
  page.querySelectorAll("noscript, body > script:not([type])").forEach((part) => part.remove());
  drawCharts(page);
  const frame = el("div", { class: "report" });
  const root = frame.attachShadow({ mode: "open" });
  const sheets = ["./stats.css", "./board.css"].map((href) => el("link", { rel: "stylesheet", href }));
  page.querySelectorAll("template, script").forEach((part) => part.remove());
  root.append(...sheets, document.adoptNode(page.body));
  for (const each of root.querySelectorAll("[data-style]")) each.style.cssText = each.dataset.style;
  // Its places are no states of this page.
  root.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (!link) return;
    event.preventDefault();
    root.getElementById(link.hash.slice(1))?.scrollIntoView();
  });
  const keep = el("button", { id: "keep", click: () => save("stats.html", new Blob([text], { type: "text/html" })) }, "Save this page");
  $("charts").replaceChildren(el("div", { class: "bar" }, keep), frame);
}

/// The lists by their names.
export const lists = { players, findings, charts };
