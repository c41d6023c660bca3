// A game against the archive: a strip shows how many other games have each of its positions, until no game has it.

import { classes, html, useState } from "./html.js";
import { answerTo, useAnswer } from "./answers.js";
import { counted, number } from "./format.js";
import { NO_GAME, NO_SHAPE, chosen, go, href, state } from "./state.js";
import { Fault } from "./fault.js";
import { notice } from "./save.js";
import { moveCount } from "./start.js";

/// Number of games from which a position counts as common.
const COMMON = 10;

/// Number of steps that the strip shows after the last position of the archive.
const AFTER = 3;

/// The user's own game, and whether the strip of opened games is on.
const own = { name: "", road: undefined };
let isOn = false;

/// Where a game left the archive, as a sentence.
export function leftAt(steps) {
  const moves = steps.filter((step) => step.add);
  const last = (least) => moves.findLastIndex((step) => step.games >= least);
  const [common, rare] = [last(COMMON), last(1)];
  if (rare < 0) return "No other game has a position of this game.";
  const parts = [];
  if (common >= 0) parts.push(`common until move ${common + 1} (${counted(moves[common].games, "game")})`);
  if (rare > common) parts.push(`rare until move ${rare + 1} (${counted(moves[rare].games, "game")})`);
  const next = moves[rare + 1];
  const end = next ? `; no other game has move ${rare + 2}, ${next.name}.` : ", its last move.";
  const text = parts.join(", ") + end;
  return text[0].toUpperCase() + text.slice(1);
}

/// The steps of a game as a strip. `linkTo` returns the address of a step, from 0 for the first move.
function Strip({ steps, at, linkTo }) {
  const moves = steps.filter((step) => step.add);
  const shown = moves.slice(0, moves.findLastIndex((step) => step.games > 0) + 1 + AFTER);
  return html`<p class="dim">${leftAt(steps)}</p><ol class="road" aria-label="Games with each position">${shown.map((step,
    index) => {
    const kind = step.games >= COMMON ? "common" : step.games > 0 ? "rare" : "nobody";
    const says = `Move ${index + 1}, ${step.name}: ${step.games ? counted(step.games, "other game") : "no other game"}`;
    return html`<li key=${index} class=${classes({ [kind]: true, at: index === at })}><a href=${linkTo(index, step)}
      title=${says} aria-label=${says} aria-current=${index === at ? "step" : undefined}><span
        class="dim">${index + 1}</span> <b>${step.games ? number(step.games) : "–"}</b></a></li>`;
  })}</ol>`;
}

/// The strip of an opened game of the archive, if the user asks for it.
export function GameRoad({ id, path }) {
  const [, update] = useState(0);
  const { answer, error, isStale, retry } = useAnswer("road", isOn ? { id, ...chosen() } : undefined);
  const toggle = () => {
    isOn = !isOn;
    update((count) => count + 1);
  };
  const steps = answer?.steps ?? [];
  const at = steps.filter((step) => step.add).findIndex((step) => step.path === path);
  return html`<section id="road" aria-label="Compare with the archive"><button id="compare" aria-pressed=${`${isOn}`}
    onClick=${toggle}>Compare with the archive</button>
    <${Fault} error=${isOn ? error : undefined} onRetry=${retry} />
    ${isOn && answer && html`<div class=${classes({ stale: isStale })}><${Strip} steps=${steps} at=${at}
      linkTo=${(_, step) => href({ path: step.path, tried: [] })} /></div>`}</section>`;
}

/// The setup and moves of a game up to a move, from 0 for none; without `count`, of the whole game.
function wordsOf(road, count = Infinity) {
  const moves = road.steps.filter((step) => step.add);
  const end = count < moves.length ? road.steps.indexOf(moves[count]) : road.steps.length;
  return road.steps.slice(0, end).flatMap(({ setup, add }) => [setup, add].filter(Boolean).join(" ").split(" ")).filter(Boolean);
}

/// Compares the user's own game with the archive, and goes to the last position that the archive has.
export async function compareOwn(text, name) {
  try {
    const road = await answerTo("road", { sgf: text, ...chosen() });
    const last = road.steps.filter((step) => step.add).findLastIndex((step) => step.games > 0) + 1;
    [own.name, own.road] = [name, road];
    const moves = wordsOf(road, last);
    return go({ ...NO_GAME, ...NO_SHAPE, list: "", board: road.board, moves }, true, wordsOf(road).slice(moves.length));
  } catch (err) {
    return notice(err.message);
  }
}

/// The strip of the user's own game, on the board of a position.
export function OwnRoad() {
  const [, update] = useState(0);
  if (!own.road) return null;
  const moves = wordsOf(own.road);
  const isOnLine = state.moves.every((move, index) => move === moves[index]);
  const at = isOnLine ? moveCount(state.moves) - 1 : undefined;
  const close = () => {
    own.road = undefined;
    update((count) => count + 1);
  };
  return html`<section id="own-road" class="panel" aria-label="My game"><div class="bar"><h2>${own.name}</h2>
    <button id="close-own" onClick=${close}>Close</button></div>
    <${Strip} steps=${own.road.steps} at=${at}
      linkTo=${(index) => href({ moves: wordsOf(own.road, index + 1), ...NO_SHAPE })} /></section>`;
}

/// Asks for a file with the user's own game.
export function chooseOwn() {
  const field = document.createElement("input");
  [field.type, field.accept] = ["file", ".sgf"];
  field.onchange = async () => {
    const [file] = field.files;
    if (file) compareOwn(await file.text(), file.name);
  };
  field.click();
}

/// A pasted game is compared, unless a field takes the text.
addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text/plain").trim() ?? "";
  if (!text.startsWith("(;") || (event.target instanceof Element && event.target.closest("input, textarea, dialog"))) return;
  event.preventDefault();
  compareOwn(text, "Pasted game");
});
