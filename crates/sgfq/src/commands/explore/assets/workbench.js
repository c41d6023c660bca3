// The view of a board: controls below it, and the moves that lead to it.

import { classes, html, useEffect, useMemo, useRef, useState } from "./html.js";
import { COLORS, classOf, number } from "./format.js";
import { placesOf } from "./board.js";
import { CopyMenu } from "./copy.js";
import { Move } from "./next_moves.js";
import { condition, go, href, state } from "./state.js";
import { filterAt, isSetup, moveCount, setupCount, setupName, startAt, startsOf } from "./start.js";

/** @import { Component, Ref } from "./html.js" */
/** @import { Captures, Color, Point, Points, PositionRequest, Ready } from "./protocol.d.ts" */
/** @import { Start } from "./start.js" */

/// Changes the value of a field.
/** @typedef {{ currentTarget: HTMLInputElement | HTMLSelectElement }} FieldEvent */

/// The part of a position that says why a move is refused.
/** @typedef {{ impossible?: string | null, illegal?: string | null }} Tried */

/// A refused move: the place of its point, or none, and the reason.
/** @typedef {{ place?: string, text: string }} Refusal */

/// Boards that a list shows without a field that narrows it.
const BOARDS = 12;

/// A start without a filter.
/** @type {Start} */
const NO_START = { name: "", board: "", where: "" };

/// The choice of a board and of the stones with which it begins.
/** @type {Component<{ status: Ready, shown: string, counts: Map<string, number> }>} */
function BoardChoice({ status, shown, counts }) {
  const [words, setWords] = useState("");
  const starts = useMemo(() => startsOf(status), [status]);
  // A shape is on all boards of a game.
  /** @type {Start[]} */
  const all = state.pattern
    ? [...new Set([...counts.keys(), ...status.boards])].map((board) => ({
        name: board,
        board,
        games: counts.get(board),
        words: [],
        where: "",
      }))
    : starts;
  if (all.length < 2) return null;
  const own = startAt(all, shown, state.moves, state.where);
  const isOwn = !own || (!own.words?.length && setupCount(state.moves) > 0);
  const at = isOwn ? `${shown}, own setup` : own.name;
  const isFound = (/** @type {string} */ name) =>
    words
      .toLowerCase()
      .split(" ")
      .every((word) => name.toLowerCase().includes(word));
  const found = all.filter(({ name }) => name === at || isFound(name));
  const show = (/** @type {Start} */ to) =>
    go(
      {
        board: to.board,
        moves: to.words,
        where: filterAt(state.where, isOwn ? undefined : own, to),
        pattern: "",
        at: "",
        list: "",
      },
      true,
      [],
    );
  // The server counts the games of a start once, without filters. The filter of the start itself is no other filter.
  const isFiltered =
    !state.pattern && condition({ ...state, where: filterAt(state.where, isOwn ? undefined : own, NO_START) }) !== "";
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const first = found.find((to) => to.name !== at && to.words && isFound(to.name));
    if (event.key !== "Enter" || !words || !first) return;
    event.preventDefault();
    show(first);
  };
  const choose = (/** @type {FieldEvent} */ event) => {
    const to = all.find(({ name }) => name === event.currentTarget.value);
    if (to) show(to);
  };
  const type = (/** @type {FieldEvent} */ event) => setWords(event.currentTarget.value);
  return html`<select id="boards" aria-label="Board" onChange=${choose}>${isOwn && html`<option key=${at} value=${at} selected>${at}</option>`}
    ${found.map(
      ({ name, games, words: to }) => html`<option key=${name} value=${name} selected=${name === at}
      disabled=${!to}>${games === undefined ? name : `${name} (${number(games)})`}</option>`,
    )}</select>
    ${
      all.length > BOARDS &&
      html`<input id="board-name" type="search" aria-label="Find a board"
      placeholder="Find a board" value=${words}
      onInput=${type} onKeyDown=${onKeyDown} autocomplete="off" spellcheck=${false} />`
    }
    ${isFiltered && html`<span id="unfiltered" class="dim">numbers without filters</span>`}`;
}

/**
 * The controls below a board.
 * @type {Component<{
 *   step: (by: number) => void, canBack: boolean, canForward: boolean, onMove: (word: string) => void, isSelecting: boolean,
 *   onSelect?: (() => void) | false, isSettingUp?: boolean, onSetUp?: (() => void) | false, goOn?: string | false,
 *   copied?: PositionRequest, status?: Ready, shown: string, counts: Map<string, number>,
 * }>}
 */
export function Tools({
  step,
  canBack,
  canForward,
  onMove,
  isSelecting,
  onSelect,
  isSettingUp,
  onSetUp,
  goOn,
  copied,
  status,
  shown,
  counts,
}) {
  /** @type {Ref<HTMLInputElement>} */
  const field = useRef();
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault();
    const move = field.current.value.trim();
    field.current.value = "";
    if (move) onMove(move);
  };
  return html`<div id="tools" class="bar" role="group" aria-label="Board controls">
    <span class="joined"><button id="start" title="Start (Home)" aria-label="To the start" disabled=${!canBack}
      onClick=${() => step(-Infinity)}>|◀</button>
      <button id="back" title="Back (←)" aria-label="One move back" disabled=${!canBack} onClick=${() => step(-1)}>◀</button>
      <button id="forward" title="Forward (→)" aria-label="One move forward" disabled=${!canForward}
        onClick=${() => step(1)}>▶</button>
      <button id="end" title="End (End)" aria-label="To the end" disabled=${!canForward}
        onClick=${() => step(Infinity)}>▶|</button></span>
    <form class="joined" onSubmit=${enter}><input id="move" ref=${field} size="5" aria-label="Enter a move"
      placeholder="Move" autocomplete="off"
      spellcheck=${false} /><button>Play</button></form>
    ${onSelect && html`<button id="select" aria-pressed=${`${isSelecting}`} onClick=${onSelect}>Select shape</button>`}
    ${onSetUp && html`<button id="set-up" aria-pressed=${`${isSettingUp}`} onClick=${onSetUp}>Set up</button>`}
    ${goOn && html`<a id="go-on" class="button" href=${goOn}>Continue from here</a>`}
    <${CopyMenu} asked=${copied} />
    ${status && html`<${BoardChoice} ...${{ status, shown, counts }} />`}
  </div>`;
}

/// The choice between main lines and all lines, in links.
function Lines() {
  const link = (/** @type {boolean} */ variations, /** @type {string} */ name) => html`<a href=${href({ variations })}
    aria-current=${state.variations === variations ? "true" : undefined}>${name}</a>`;
  return html`<span class="joined switch" role="group" aria-label="Lines">${link(false, "Main lines")}${link(
    true,
    "All lines",
  )}</span>`;
}

/// Whose turn it is, and the captured stones.
/** @type {Component<{ toPlay?: Color | null, captures?: Captures | null, hasLines: boolean, children?: unknown }>} */
export function Turn({ toPlay, captures, hasLines, children }) {
  const taken = captures && (captures.B || captures.W) ? `Captures: Black ${captures.B ?? 0}, White ${captures.W ?? 0}` : "";
  return html`<p id="turn">${
    toPlay &&
    html`<i class=${`stone ${classOf(toPlay)}`} />
    <b>${COLORS[toPlay] ?? `Color ${toPlay}`} to play</b>`
  }
    <span class="dim">${taken}</span>${children}${hasLines && html`<${Lines} />`}</p>`;
}

/// Moves that lead to a position, each a link.
/** @type {Component<{ moves: string[], linkTo: (count: number) => string, empty: string }>} */
export function Line({ moves, linkTo, empty }) {
  /** @type {Ref} */
  const list = useRef();
  // Not with scrollIntoView: Tab would go on from there.
  useEffect(() => {
    if (list.current) list.current.scrollLeft = list.current.scrollWidth;
  }, [moves.length]);
  if (!moves.length) return html`<p id="moves" class="dim">${empty}</p>`;
  const text = (/** @type {string} */ move, /** @type {number} */ at) =>
    isSetup(move)
      ? html`<i class=${`stone ${/^A[BW]/.test(move) ? classOf(move[1]) : "none"}`}
    />${setupName(move)}`
      : html`<span class="dim">${moveCount(moves.slice(0, at + 1))}.</span> <${Move} move=${move} />`;
  return html`<ol id="moves" ref=${list} aria-label="Moves">${moves.map(
    (move, at) => html`<li key=${at}>
    <a href=${linkTo(at + 1)} class=${classes({ at: at + 1 === moves.length })}>${text(move, at)}</a></li>`,
  )}</ol>`;
}

/// A refused move: shown at its point, or without a point as a text. It goes away after a while.
/** @type {(points?: Points) => [Refusal | undefined, refuse: (word: string, text: string) => undefined, forget: () => void]} */
export function useRefusal(points) {
  const [refusal, setRefusal] = useState(/** @type {Refusal | undefined} */ (undefined));
  useEffect(() => {
    if (!refusal) return undefined;
    const timer = setTimeout(() => setRefusal(undefined), 4000);
    return () => clearTimeout(timer);
  }, [refusal]);
  const refuse = (/** @type {string} */ word, /** @type {string} */ sentence) => {
    const found = [...placesOf(points)].find(([, [name, shown]]) =>
      [name, shown].some((each) => each.toLowerCase() === word.toLowerCase()),
    );
    setRefusal({ place: found?.[0], text: sentence.replace(/^[BW1-4] /, "") });
    return undefined;
  };
  return [refusal, refuse, () => setRefusal(undefined)];
}

/// Why a position does not allow its last move, if that is new.
/** @type {(before: Tried | undefined, after: Tried) => string | undefined} */
export const refusalOf = (before, after) =>
  after.impossible
    ? `${after.impossible} is not a move on this board`
    : after.illegal && !before?.illegal
      ? after.illegal
      : undefined;

/// The color that moves: the one that the answer names, or else not the color of the last move.
/** @type {(toPlay?: Color | null, last?: string | null) => Color} */
export const turnOf = (toPlay, last) => toPlay ?? (last?.startsWith("B") ? "W" : "B");

/// The point of a word as requests write it: `pd` for `Q16`. Other words stay.
/** @type {(points: Points | undefined, word: string) => string} */
export function writtenPoint(points, word) {
  const isMeant = (/** @type {Point} */ point) => point[1].toLowerCase() === word.toLowerCase();
  return points?.all.find(isMeant)?.[0] ?? word;
}
