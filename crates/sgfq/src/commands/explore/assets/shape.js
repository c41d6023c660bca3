// A shape: a rectangle of the board whose pattern is searched.

import { classes, html, useEffect, useState } from "./html.js";
import { placeOf } from "./board.js";
import { state } from "./state.js";

/** @import { Component } from "./html.js" */
/** @import { Point } from "./protocol.d.ts" */

/// A rectangle of the board.
/** @typedef {{ left: number, top: number, width: number, height: number }} Region */

/// A rectangle with the signs of its cells, and the places whose signs differ from the board.
/** @typedef {Region & { cells: string[], changed?: Set<string> }} Shape */

/// The pattern of a search: changes of the state.
/** @typedef {{ pattern: string, at: string, mover: string }} Search */

/// The shape that the user draws.
/**
 * @typedef {{ draft?: Shape, setDraft: (next?: Shape | ((before?: Shape) => Shape | undefined)) => void, isOn: boolean,
 *   setIsOn: (isOn: boolean) => void, brush: string, setBrush: (brush: string) => void, mover: string,
 *   setMover: (mover: string) => void, text: string }} DrawnShape
 */

/** @type {(line: string) => boolean} */
const isEdge = (line) => /^[-+|]+$/.test(line) && line.includes("-");

/// Reads the rows of a pattern: its cells, and the edges of the board that it touches.
/** @type {(text: string) => { cells: string[], edges: Record<string, boolean>, width: number, height: number }} */
function parsePattern(text) {
  const lines = text
    .split(/[\n/]/)
    .map((line) => line.trim())
    .filter(Boolean);
  const rows = lines.filter((line) => !isEdge(line));
  const cells = rows.map((line) => line.replace(/[| ]/g, ""));
  const edges = {
    top: isEdge(lines[0] ?? ""),
    low: isEdge(lines.at(-1) ?? ""),
    left: rows[0]?.startsWith("|"),
    right: rows[0]?.endsWith("|"),
  };
  return { cells, edges, width: Math.max(0, ...cells.map((line) => line.length)), height: cells.length };
}

/// A pattern on a board with these rows: at a corner `at` such as `12,0`, or at its edges.
/** @type {(text: string, at: string, rows: string[]) => Shape | undefined} */
export function shapeOf(text, at, rows) {
  const { cells, edges, width, height } = parsePattern(text);
  const [columns, lines] = [rows[0]?.length ?? 0, rows.length];
  if (!width || width > columns || height > lines) return undefined;
  const [left, top] = /^\d+,\d+$/.test(at)
    ? at.split(",").map(Number)
    : [
        edges.left ? 0 : edges.right ? columns - width : Math.floor((columns - width) / 2),
        edges.top ? 0 : edges.low ? lines - height : Math.floor((lines - height) / 2),
      ];
  return { left: Math.min(left, columns - width), top: Math.min(top, lines - height), width, height, cells };
}

/// The rows of a pattern, with the edges that its rectangle touches.
/** @type {(shape: Shape, rows: string[]) => string} */
export function patternOf(shape, rows) {
  const [columns, lines] = [rows[0].length, rows.length];
  const [isLeft, isRight] = [shape.left === 0, shape.left + shape.width === columns];
  const all = shape.cells.map((line) => `${isLeft ? "|" : ""}${line}${isRight ? "|" : ""}`);
  const edge = "-".repeat(shape.width);
  if (shape.top === 0) all.unshift(edge);
  if (shape.top + shape.height === lines) all.push(edge);
  return all.join("\n");
}

/// The sign of a cell of the board in a pattern.
/** @type {(rows: string[], column: number, row: number) => string} */
const signOf = (rows, column, row) => {
  const sign = rows[row]?.[column];
  return sign === "X" || sign === "O" ? sign : ".";
};

/// The rectangle with cells. It keeps its earlier cells, and takes the others from the board.
/** @type {(region: Region, before: Shape | undefined, rows: string[]) => Shape} */
export function withCells(region, before, rows) {
  const cell = (/** @type {number} */ column, /** @type {number} */ row) => {
    const [x, y] = [column - (before?.left ?? 0), row - (before?.top ?? 0)];
    const place = placeOf(column, row);
    return (before?.changed?.has(place) && before.cells[y]?.[x]) || signOf(rows, column, row);
  };
  const cells = Array.from({ length: region.height }, (_, y) =>
    Array.from({ length: region.width }, (__, x) => cell(region.left + x, region.top + y)).join(""),
  );
  return marked({ ...region, cells }, rows);
}

/// Changes of the state that search for the corner of a board at a point.
/** @type {(rows: string[], point: [column: number, row: number]) => Search} */
export function cornerAt(rows, [column, row]) {
  const [columns, lines] = [rows[0].length, rows.length];
  const [width, height] = [columns, lines].map((count) => Math.max(1, Math.ceil(count / 2) - 1));
  const [left, top] = [column < columns / 2 ? 0 : columns - width, row < lines / 2 ? 0 : lines - height];
  const shape = withCells({ left, top, width, height }, undefined, rows);
  return { pattern: patternOf(shape, rows), at: placeOf(left, top), mover: "" };
}

/// The shape with the places whose cells differ from the board.
/** @type {(shape: Shape, rows: string[]) => Shape} */
export function marked(shape, rows) {
  /** @type {Set<string>} */
  const changed = new Set();
  shape.cells.forEach((line, y) =>
    [...line].forEach((sign, x) => {
      if (sign !== signOf(rows, shape.left + x, shape.top + y)) changed.add(placeOf(shape.left + x, shape.top + y));
    }),
  );
  return { ...shape, changed };
}

/// The shape with another sign on a cell. Only one cell is the next move.
/** @type {(shape: Shape, column: number, row: number, sign: string, rows: string[]) => Shape} */
export function painted(shape, column, row, sign, rows) {
  const cells = shape.cells.map((line, y) =>
    [...line]
      .map((each, x) => {
        if (shape.left + x === column && shape.top + y === row) return sign;
        return sign === "*" && each === "*" ? "." : each;
      })
      .join(""),
  );
  return marked({ ...shape, cells }, rows);
}

/// The shape that the user draws on a board with these rows. It starts as the searched shape.
/** @type {(rows?: string[], searched?: string) => DrawnShape} */
export function useShape(rows, searched = "") {
  const [draft, setDraft] = useState(/** @type {Shape | undefined} */ (undefined));
  const [isOn, setIsOn] = useState(searched !== "");
  const [brush, setBrush] = useState("");
  const [mover, setMover] = useState(state.mover);
  const key = `${searched} ${state.at} ${rows?.join("")}`;
  useEffect(() => {
    const shape = searched && rows ? shapeOf(searched, state.at, rows) : undefined;
    setDraft(shape && rows && marked(shape, rows));
    setMover(state.mover);
    setIsOn(searched !== "");
  }, [key]);
  const text = draft && rows ? patternOf(draft, rows) : searched;
  return { draft, setDraft, isOn, setIsOn, brush, setBrush, mover, setMover, text };
}

/// Handlers of a board for a shape: drags change the shape, and clicks inside it play moves.
/** @type {(shape: DrawnShape, rows: string[]) => { shape?: Shape, brush: string, onShape: (region: Region) => void, onPaint: (point: Point, sign?: string) => void }} */
export const shapeActs = (shape, rows) => ({
  shape: shape.draft,
  brush: shape.brush,
  onShape: (region) => shape.setDraft(withCells(region, shape.draft, rows)),
  onPaint: (point, sign = shape.brush) => shape.setDraft((draft) => draft && painted(draft, point[4], point[5], sign, rows)),
});

/// Signs that a drag paints, with their names. Without a sign, drags move the rectangle.
const BRUSHES = [
  ["", "Move"],
  ["X", "Black"],
  ["O", "White"],
  [".", "Empty"],
  ["?", "Any"],
  ["*", "Next"],
];

/// The tools below the board while a shape is selected. `onSearch` gets the pattern, its place and who moves next.
/** @type {Component<{ shape: DrawnShape, rows: string[], isSearched?: boolean, onSearch: (search: Search) => void, onLeave: () => void }>} */
export function ShapeTools({ shape, rows, isSearched, onSearch, onLeave }) {
  const { text, brush, draft, mover } = shape;
  const search = () => onSearch({ pattern: text, at: draft ? placeOf(draft.left, draft.top) : "", mover });
  const read = (/** @type {{ currentTarget: HTMLTextAreaElement }} */ event) => {
    const entered = event.currentTarget.value;
    const next = shapeOf(entered, "", rows);
    // If no board can contain the pattern, the server returns the reason.
    if (next) shape.setDraft(marked(next, rows));
    else onSearch({ pattern: entered, at: "", mover });
  };
  const choose = (/** @type {{ currentTarget: HTMLSelectElement }} */ event) => shape.setMover(event.currentTarget.value);
  const hint = text
    ? "Drag the rectangle or its handles. Brushes change its points."
    : "Drag over the board, or press Shift and an arrow key.";
  return html`<div id="shape" class="panel tools-panel" role="group" aria-label="Shape">
    <div class="bar">${BRUSHES.map(
      ([sign, name]) => html`<button key=${name} class=${classes({ brush: true })}
      aria-pressed=${`${brush === sign}`}
      disabled=${!text} onClick=${() => shape.setBrush(sign)}>${
        sign === "X" ? html`<i class="stone b" />` : sign === "O" ? html`<i class="stone w" />` : ""
      }${name}</button>`,
    )}
      <label class="inline">Next move <select id="mover" value=${mover}
        onChange=${choose}>
        <option value="">Either</option><option value="B">Black</option><option value="W">White</option></select></label>
          </div>
    <div class="bar"><button id="search-shape" class="primary" disabled=${!text || isSearched}
      onClick=${search}>Search shape</button>
      <button id="whole" onClick=${onLeave}>Whole board</button>
      <span class="dim">${isSearched ? "The results have this shape." : hint}</span></div>
    <details><summary>Edit as text</summary><p class="dim"><code>X O</code> stones, <code>.</code> empty, <code>?</code> any,
      <code>*</code> empty and played next. Rows of <code>-</code> and <code>|</code> are edges.</p>
      <textarea id="pattern" rows=${Math.min(10, Math.max(4, text.split("\n").length))} spellcheck=${false}
        aria-label="Pattern"
        value=${text} onChange=${read} /></details>
  </div>`;
}
