// The view of a board: controls below it, and the moves that lead to it.

import { classes, html, useEffect, useMemo, useRef, useState } from "./html.js";
import { COLORS, classOf, number } from "./format.js";
import { placesOf } from "./board.js";
import { CopyMenu } from "./copy.js";
import { Move } from "./next_moves.js";
import { go, href, state } from "./state.js";
import { filterAt, isSetup, moveCount, setupCount, setupName, startAt, startsOf } from "./start.js";

/// Boards that a list shows without a field that narrows it.
const BOARDS = 12;

/// The choice of a board and of the stones with which it begins.
function BoardChoice({ status, shown, counts }) {
  const [words, setWords] = useState("");
  const starts = useMemo(() => startsOf(status), [status]);
  // A shape is on all boards of a game.
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
  const isOwn = !own || (!own.words.length && setupCount(state.moves) > 0);
  const at = isOwn ? `${shown}, own setup` : own.name;
  const isFound = (name) =>
    words
      .toLowerCase()
      .split(" ")
      .every((word) => name.toLowerCase().includes(word));
  const found = all.filter(({ name }) => name === at || isFound(name));
  const show = (to) =>
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
  const onKeyDown = (event) => {
    const first = found.find((to) => to.name !== at && to.words && isFound(to.name));
    if (event.key !== "Enter" || !words || !first) return;
    event.preventDefault();
    show(first);
  };
  return html`<select id="boards" aria-label="Board" onChange=${(event) =>
    show(
      all.find(({ name }) => name === event.target.value),
    )}>${isOwn && html`<option key=${at} value=${at} selected>${at}</option>`}
    ${found.map(
      ({ name, games, words: to }) => html`<option key=${name} value=${name} selected=${name === at}
      disabled=${!to}>${games === undefined ? name : `${name} (${number(games)})`}</option>`,
    )}</select>
    ${
      all.length > BOARDS &&
      html`<input id="board-name" type="search" aria-label="Find a board"
      placeholder="Find a board" value=${words}
      onInput=${(event) => setWords(event.target.value)} onKeyDown=${onKeyDown} autocomplete="off" spellcheck=${false} />`
    }`;
}

/// The controls below a board.
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
  const field = useRef();
  const enter = (event) => {
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
  const link = (variations, name) => html`<a href=${href({ variations })}
    aria-current=${state.variations === variations ? "true" : undefined}>${name}</a>`;
  return html`<span class="joined switch" role="group" aria-label="Lines">${link(false, "Main lines")}${link(
    true,
    "All lines",
  )}</span>`;
}

/// Whose turn it is, and the captured stones.
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
export function Line({ moves, linkTo, empty }) {
  const list = useRef();
  // Not with scrollIntoView: Tab would go on from there.
  useEffect(() => {
    if (list.current) list.current.scrollLeft = list.current.scrollWidth;
  }, [moves.length]);
  if (!moves.length) return html`<p id="moves" class="dim">${empty}</p>`;
  const text = (move, at) =>
    isSetup(move)
      ? html`<i class=${`stone ${{ AB: "b", AW: "w" }[move.slice(0, 2)] ?? "none"}`}
    />${setupName(move)}`
      : html`<span class="dim">${moveCount(moves.slice(0, at + 1))}.</span> <${Move} move=${move} />`;
  return html`<ol id="moves" ref=${list} aria-label="Moves">${moves.map(
    (move, at) => html`<li key=${at}>
    <a href=${linkTo(at + 1)} class=${classes({ at: at + 1 === moves.length })}>${text(move, at)}</a></li>`,
  )}</ol>`;
}

/// A refused move: shown at its point, or without a point as a text. It goes away after a while.
export function useRefusal(points) {
  const [refusal, setRefusal] = useState();
  useEffect(() => {
    if (!refusal) return undefined;
    const timer = setTimeout(() => setRefusal(undefined), 4000);
    return () => clearTimeout(timer);
  }, [refusal]);
  const refuse = (word, sentence) => {
    const found = [...placesOf(points)].find(([, [name, shown]]) =>
      [name, shown].some((each) => each.toLowerCase() === word.toLowerCase()),
    );
    setRefusal({ place: found?.[0], text: sentence.replace(/^[BW1-4] /, "") });
  };
  return [refusal, refuse, () => setRefusal(undefined)];
}

/// Why a position does not allow its last move, if that is new.
export const refusalOf = (before, after) =>
  after.impossible
    ? `${after.impossible} is not a move on this board`
    : after.illegal && !before?.illegal
      ? after.illegal
      : undefined;

/// The color that moves: the one that the answer names, or else not the color of the last move.
export const turnOf = (toPlay, last) => toPlay ?? (last?.startsWith("B") ? "W" : "B");

/// The point of a word as requests write it: `pd` for `Q16`. Other words stay.
export function writtenPoint(points, word) {
  const isMeant = (point) => point[1].toLowerCase() === word.toLowerCase();
  return points?.all.find(isMeant)?.[0] ?? word;
}
