// A game against the archive: a strip shows how many other games have each of its positions, until no game has it.

import { classes, html } from "./html.js";
import { run, useAnswer } from "./answers.js";
import { counted, number, textOf } from "./format.js";
import { NO_GAME, NO_OWN, NO_SHAPE, change, chosen, go, href, session, state } from "./state.js";
import { Fault } from "./fault.js";
import { requestsOf } from "./notes.js";
import { notice } from "./save.js";
import { addGuess, clearGuesses, scoreOf } from "./solved.js";
import { isSetup, moveCount, setupCount } from "./start.js";

/** @import { Component } from "./html.js" */
/** @import { RoadReply, RoadStep } from "./protocol.d.ts" */
/** @import { OwnGame } from "./state.js" */

/// Number of games from which a position counts as common.
const COMMON = 10;

/// Number of steps that the strip shows after the last position of the archive.
const AFTER = 3;

/// Where a game left the archive, as a sentence.
/** @type {(steps: RoadStep[]) => string} */
export function leftAt(steps) {
  const moves = steps.filter((step) => step.add);
  const last = (/** @type {number} */ least) => moves.findLastIndex((step) => step.games >= least);
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

/// The switch that says which positions are equal.
function Equality() {
  const link = (/** @type {string} */ name, /** @type {boolean} */ exact, /** @type {boolean} */ swap) =>
    html`<a href=${href({ exact, swap })} aria-current=${
      state.exact === exact && state.swap === swap ? "true" : undefined
    }>${name}</a>`;
  return html`<p class="bar dim">Equal positions: <span class="joined switch" role="group"
    aria-label="Equal positions">${link("Exact", true, false)}${link("Up to symmetry", false, false)}${link(
      "And color",
      false,
      true,
    )}</span></p>`;
}

/// The steps of a game as a strip. `linkTo` returns the address of a step, from 0 for the first move.
/** @type {Component<{ steps: RoadStep[], at?: number, linkTo: (index: number, step: RoadStep) => string }>} */
function Strip({ steps, at, linkTo }) {
  const moves = steps.filter((step) => step.add);
  const shown = moves.slice(0, moves.findLastIndex((step) => step.games > 0) + 1 + AFTER);
  return html`<${Equality} /><p class="dim">${leftAt(steps)}</p><ol class="road"
    aria-label="Games with each position">${shown.map((step, index) => {
      const kind = step.games >= COMMON ? "common" : step.games > 0 ? "rare" : "nobody";
      const says = `Move ${index + 1}, ${step.name}: ${step.games ? counted(step.games, "other game") : "no other game"}`;
      return html`<li key=${index} class=${classes({ [kind]: true, at: index === at })}><a href=${linkTo(index, step)}
      title=${says} aria-label=${says} aria-current=${index === at ? "step" : undefined}><span
        class="dim">${index + 1}</span> <b>${step.games ? number(step.games) : "–"}</b></a></li>`;
    })}</ol>`;
}

/// The strip of an opened game of the archive, if the user asks for it.
/** @type {Component<{ id: number, path?: string }>} */
export function GameRoad({ id, path }) {
  const isOn = session.isCompared;
  const { answer, error, isStale, retry } = useAnswer("road", isOn ? { id, ...chosen() } : undefined);
  const steps = answer?.steps ?? [];
  const at = steps.filter((step) => step.add).findIndex((step) => step.path === path);
  const linkTo = (/** @type {number} */ _, /** @type {RoadStep} */ step) => href({ path: step.path, tried: [] });
  return html`<section id="road" aria-label="Compare with the archive"><button id="compare" aria-pressed=${`${isOn}`}
    onClick=${() => change({ isCompared: !isOn })}>Compare with the archive</button>
    <${Fault} error=${isOn ? error : undefined} onRetry=${retry} />
    ${
      isOn &&
      answer &&
      html`<div class=${classes({ stale: isStale })}><${Strip} steps=${steps} at=${at}
      linkTo=${linkTo} /></div>`
    }</section>`;
}

/// The setup and moves of a game up to a move, from 0 for none; without `count`, of the whole game.
/** @type {(road: RoadReply, count?: number) => string[]} */
export function wordsOf(road, count = Infinity) {
  const moves = road.steps.filter((step) => step.add);
  const end = count < moves.length ? road.steps.indexOf(moves[count]) : road.steps.length;
  return road.steps
    .slice(0, end)
    .flatMap(({ setup, add }) => [setup, add].filter(Boolean).join(" ").split(" "))
    .filter(Boolean);
}

/// Compares the user's own game with the archive, and goes to the last position that the archive has.
/** @type {(text: string, name: string) => Promise<void>} */
export async function compareOwn(text, name) {
  try {
    const road = await run("road", { sgf: text, ...chosen() }).answer;
    const last = road.steps.filter((step) => step.add).findLastIndex((step) => step.games > 0) + 1;
    const [words, moves] = [wordsOf(road), wordsOf(road, last)];
    const [asked] = requestsOf([{ board: road.board, words: words.join(" ") }]);
    // A record with analysis is long, and its moves are enough from here on. The archive may not have its board.
    const short = await run("lines", asked, (response) => response.text()).answer.catch(() => text);
    session.own = { name, text: short, words, board: road.board, isGuessed: false };
    return go({ ...NO_GAME, ...NO_SHAPE, list: "", board: road.board, moves }, true, words.slice(moves.length));
  } catch (err) {
    return notice(textOf(err));
  }
}

/// Whether the position is one of the user's own game.
/** @type {(own?: OwnGame, moves?: string[]) => boolean} */
export const isOnOwn = (own = session.own, moves = state.moves) => moves.every((word, at) => word === own.words[at]);

/// The user's own game as a line, and whether the user left it.
export const ownLine = (own = session.own) => (own.text ? { board: own.board, words: own.words.join(" ") } : undefined);
export const hasLeftOwn = (own = session.own, moves = state.moves) => own.text !== "" && !isOnOwn(own, moves);

/// Whether the user guesses the next move of their own game.
/** @type {(own?: OwnGame, moves?: string[]) => boolean} */
export const isGuessing = (own = session.own, moves = state.moves) =>
  own.isGuessed && isOnOwn(own, moves) && moves.length < own.words.length;

/// Goes to the next move of the user's own game, and counts the guess.
/** @type {(isRight: boolean) => void} */
function showNext(isRight) {
  const { name, words } = session.own;
  const next = words[state.moves.length];
  if (!isSetup(next)) addGuess(name, `${state.moves.length}`, isRight);
  go({ moves: [...state.moves, next], ...NO_SHAPE }, true, []);
}

/// Plays a guess, if it is the next move of the user's own game. Returns why it is refused.
/** @type {(move: string) => string | undefined} */
export function guessOwn(move) {
  const { name, words } = session.own;
  const isRight = move === words[state.moves.length];
  if (isRight) showNext(true);
  else addGuess(name, `${state.moves.length}`, false);
  return isRight ? undefined : "The game has another move";
}

/// The strip of the user's own game, on the board of a position.
export function OwnRoad() {
  const { own } = session;
  const { answer, error, isStale, retry } = useAnswer("road", own.text ? { sgf: own.text, ...chosen() } : undefined);
  if (!own.text) return null;
  const { name, words, isGuessed } = own;
  const at = isOnOwn() ? moveCount(state.moves) - 1 : undefined;
  const close = () => change({ own: NO_OWN });
  const guess = () => {
    clearGuesses(name);
    change({ own: { ...own, isGuessed: !isGuessed } });
    if (!isGuessed) go({ moves: words.slice(0, setupCount(words)), ...NO_SHAPE }, true, []);
  };
  const says = isGuessing()
    ? "Guess the next move."
    : isOnOwn()
      ? "The game ends here."
      : "This is not a position of your game.";
  return html`<section id="own-road" class=${classes({ panel: true, stale: isStale })} aria-label="My game"><div
    class="bar"><h2>${name}</h2><button id="guess-own" aria-pressed=${`${isGuessed}`} onClick=${guess}>Guess the next
      move</button><button id="close-own" onClick=${close}>Close</button></div>
    <${Fault} error=${error} onRetry=${retry} />
    ${
      isGuessed &&
      html`<p id="judged" class="note" role="status"><span>${says} ${scoreOf(name)}</span>
      ${isGuessing() && html`<button id="reveal" onClick=${() => showNext(false)}>Show the move</button>`}</p>`
    }
    ${
      !isGuessed &&
      answer &&
      html`<${Strip} steps=${answer.steps} at=${at}
      linkTo=${(/** @type {number} */ index) => href({ moves: wordsOf(answer, index + 1), ...NO_SHAPE })} />`
    }</section>`;
}

/// Asks for a file with the user's own game.
export function chooseOwn() {
  const field = document.createElement("input");
  [field.type, field.accept] = ["file", ".sgf"];
  field.onchange = async () => {
    const [file] = field.files ?? [];
    if (file) compareOwn(await file.text(), file.name);
  };
  field.click();
}

/// Compares a game that the user drops on the board. A page without a server adds other files to its archive.
/** @type {(event: DragEvent) => void} */
export function dropOwn(event) {
  const [file, ...others] = event.dataTransfer?.files ?? [];
  const isBoard = event.target instanceof Element && event.target.closest("#board");
  if (!isBoard || !event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  // Files have no names before the drop.
  if (event.type === "dragover") return;
  if (!file || others.length || !/\.sgf$/i.test(file.name)) {
    notice("Drop one SGF file on the board to compare it with the archive.");
    return;
  }
  event.stopPropagation();
  document.body.classList.remove("over");
  file.text().then((text) => compareOwn(text, file.name));
}

/// Compares a pasted game, unless a field takes the text.
/** @type {(event: ClipboardEvent) => void} */
export function pasteOwn(event) {
  const text = event.clipboardData?.getData("text/plain").trim() ?? "";
  if (!text.startsWith("(;") || (event.target instanceof Element && event.target.closest("input, textarea, dialog"))) return;
  event.preventDefault();
  compareOwn(text, "Pasted game");
}
