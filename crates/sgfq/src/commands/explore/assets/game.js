// A game: its board, its moves with their variations, its comments, and what a repair would change.

import { $, counted, el, fault, notice, number } from "./elements.js";
import { ask, download } from "./ask.js";
import { go, question, shown, state } from "./state.js";
import { draw, listen } from "./board.js";
import { comparison } from "./changes.js";

const COLORS = { B: "Black", W: "White" };

/// The node of the game to which a point of the board leads, if it is a move of the tree; to the answer to it, where what follows
/// is hidden.
async function answer([, point]) {
  const { line, at } = shown.node;
  const next = line[at + 1];
  const all = next ? [next, ...(next.others ?? [])] : [];
  const found = all.find((step) => step.move?.split(" ").pop().toLowerCase() === point.toLowerCase());
  if (!found) return notice(all.length ? `${point} is not in the tree.` : "The line ends here.");
  notice(state.hide ? `${found.move} is in the tree.` : "");
  await go({ path: found.path });
  const reply = shown.node?.line[shown.node.at + 1];
  if (state.hide && reply?.move) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (state.path === found.path) await go({ path: reply.path });
  } else if (state.hide && !reply) {
    notice(`${found.move} is in the tree, and the line ends here.`);
  }
  return undefined;
}

/// Shows what a repair would do to the game.
async function repair(place) {
  const found = await ask("repair", { id: Number(state.game) });
  const rows = found.findings.map((finding) => el("li", {}, `${finding.left ? "left" : "repaired"}: ${finding.path} ${finding.code}: ${finding.message}`));
  const save = el("button", { click: () => download("export", { id: Number(state.game), repaired: true }, "repaired.sgf") }, "Download repaired");
  const texts = found.changed ? [el("h3", {}, "Changes"), comparison(found.before, found.after), save] : [];
  place.replaceChildren(el("ul", {}, ...rows), el("p", {}, rows.length ? "" : "Nothing is to be repaired."), ...texts);
}

/// A game, at a node.
export async function game() {
  const place = { id: Number(state.game), path: state.path || undefined, move: state.path ? undefined : Number(state.move || 0) };
  const node = await ask("game", { ...question(), ...place });
  if (`${node.id}` !== state.game) return;
  [shown.node, shown.answer, shown.command] = [node, undefined, node.command];
  listen(draw(node.svg), node.points, undefined, (point) => answer(point).catch((err) => fault(err.message)));
  if (node.no_board) $("board").append(el("p", { class: "dim" }, node.no_board));
  const line = node.line.slice(0, state.hide ? node.at + 1 : undefined).map((step, at) => {
    const open = (path) => () => go({ path });
    const text = step.move ?? (at ? "·" : "start");
    const button = el("button", { class: `${at === node.at ? "at" : ""} ${step.comment ? "noted" : ""}`, "aria-current": at === node.at ? "step" : undefined, click: open(step.path) }, text);
    if (!step.others?.length || (state.hide && at === node.at)) return [button];
    const others = step.others.map((other) => el("button", { click: open(other.path) }, other.move ?? "·"));
    return [button, el("span", { class: "others" }, " or ", ...others)];
  });
  const info = node.info.flatMap(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]);
  const list = el("div", { class: "line", role: "group", "aria-label": "Moves" }, ...line.flat());
  const repairs = el("details", { id: "repair" }, el("summary", {}, "What sgfq fix would do"), el("div", {}));
  const hide = el("input", { type: "checkbox", id: "hide", change: (event) => go({ hide: event.target.checked }) });
  hide.checked = state.hide;
  const named = Object.fromEntries(node.info);
  const file = node.file.split(/[/\\!]/).pop();
  const title = named.Black || named.White ? `${named.Black ?? "?"} – ${named.White ?? "?"}` : named.Name ?? file;
  const { list: inList } = node;
  const beside = (id, text, to) => el("button", { id, disabled: !to, click: () => go({ game: `${to.id}`, move: `${to.move}`, path: "" }) }, text);
  const along = inList ? [beside("before", "Previous", inList.before), beside("after", "Next", inList.after), el("span", { class: "dim" }, `${number(inList.number)} of ${number(inList.total)}`)] : [];
  $("game").replaceChildren(el("div", { class: "bar" }, el("button", { id: "leave", click: leave }, "← Back to the list"), ...along),
    el("h2", {}, title), el("p", { class: "dim" }, node.file), el("dl", {}, ...info),
    el("h2", {}, counted(node.nodes, "node")), el("label", {}, hide, " hide what follows, and answer on the board"), list, repairs);
  repairs.addEventListener("toggle", () => repairs.open && repair(repairs.lastChild).catch((err) => fault(err.message)), { once: true });
  const at = list.querySelector(".at");
  if (at) list.scrollTop = at.offsetTop - list.offsetTop - list.clientHeight / 2;
  const turn = node.turn ? `${COLORS[node.turn] ?? `Player ${node.turn}`} to play` : "";
  const played = node.played ? `Move ${node.move}: ${node.played}` : `Move ${node.move ?? 0}`;
  $("moves").textContent = [played, node.name, turn].filter(Boolean).join(" · ");
  $("comment").textContent = node.comment ?? "";
  $("comment").hidden = !node.comment;
  $("back").disabled = $("start").disabled = node.at === 0;
  $("forward").disabled = $("end").disabled = state.hide || node.at + 1 >= node.line.length;
}

/// Back to the list from which the game was opened.
export function leave() {
  return go({ game: "", path: "", move: "" });
}

/// Goes along the line of the game.
export function stepInGame(by) {
  const { line, at } = shown.node ?? {};
  if (!line || (state.hide && by > 0)) return;
  const to = Math.max(0, Math.min(line.length - 1, at + by));
  if (to !== at) go({ path: line[to].path });
}

/// To the node beside this one.
export function beside() {
  const others = shown.node?.line?.[shown.node.at]?.others;
  if (state.game && others?.length) go({ path: others[0].path });
}
