// Stones that the user sets up on the board of a position.

import { html, useState } from "./html.js";
import { classOf } from "./format.js";
import { NO_SHAPE, go, state } from "./state.js";
import { withStone, withTurn } from "./start.js";

/** @import { Component } from "./html.js" */
/** @import { Point, Points } from "./protocol.d.ts" */

/// The brush of a position: its property, or none.
/** @typedef {{ brush: string, setBrush: (brush: string) => void, isOn: boolean }} Brush */

/// Brushes: their property and name.
const BRUSHES = [
  ["AB", "Black"],
  ["AW", "White"],
  ["AE", "Remove"],
];

/// The brush of a position, if the user sets stones up.
export function useBrush() {
  const [brush, setBrush] = useState("");
  return { brush, setBrush, isOn: brush !== "" };
}

/// A handler of the points of a board with a brush.
/** @type {(brush: Brush) => { onPoint: (point: Point, hasStone: boolean) => void }} */
export const brushActs = ({ brush }) => ({
  onPoint: (point, hasStone) => go({ moves: withStone(state.moves, brush, point[0], hasStone), ...NO_SHAPE }),
});

/// A handler of typed points, for users without a pointer.
/** @type {(brush: Brush, points: Points | undefined, refuse: (word: string, text: string) => void) => (word: string) => void} */
export const brushTyped =
  ({ brush }, points, refuse) =>
  (word) => {
    const found = points?.all.find(([name, shown]) => [name, shown].some((each) => each.toLowerCase() === word.toLowerCase()));
    if (!found) return refuse(word, `${word} is not a point of this board`);
    return go({ moves: withStone(state.moves, brush, found[0], true), ...NO_SHAPE });
  };

/// The tools beside the board while the user sets stones up.
/** @type {Component<Brush>} */
export function SetupTools({ brush, setBrush }) {
  const last = state.moves.at(-1) ?? "";
  const turn = last.startsWith("PL[") ? last.slice(3, -1) : "";
  const choose = (/** @type {{ currentTarget: HTMLSelectElement }} */ event) =>
    go({ moves: withTurn(state.moves, event.currentTarget.value), ...NO_SHAPE });
  return html`<div id="setup" class="panel tools-panel" role="group" aria-label="Set up stones">
    <div class="bar">${BRUSHES.map(
      ([ident, name]) => html`<button key=${ident} class="brush"
      aria-pressed=${`${brush === ident}`} onClick=${() => setBrush(ident)}>${
        ident !== "AE" &&
        html`<i
        class=${`stone ${classOf(ident[1])}`} />`
      }${name}</button>`,
    )}
      <label class="inline">Next move <select id="setup-turn" value=${turn}
        onChange=${choose}>
        <option value="">Either</option><option value="B">Black</option><option value="W">White</option></select></label>
      <button id="setup-done" class="primary" onClick=${() => setBrush("")}>Done</button></div>
    <p class="dim">Click points of the board. The results follow the stones.</p></div>`;
}
