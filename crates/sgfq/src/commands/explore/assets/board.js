// A board: the picture from the answer, and the marks that the page draws over it.

import { classes, html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./html.js";
import { draw } from "./picture.js";

/** @import { Component, Ref } from "./html.js" */
/** @import { Drawn } from "./picture.js" */
/** @import { Color, MarkReply, NextMoveReply, Point, Points } from "./protocol.d.ts" */
/** @import { Region, Shape } from "./shape.js" */
/** @import { Refusal as Refused } from "./workbench.js" */

/// A next move with the letter of its row, and whether the record marks its point.
/** @typedef {NextMoveReply & { label: string, isMarked: boolean }} LetteredReply */

/// A next move on the board: its place, the size of its circle, and its tint.
/** @typedef {{ reply: LetteredReply, place: string, size: number, tint: "good" | "bad" | "even" }} Candidate */

/// Left, top, width and height of a view.
/** @typedef {[left: number, top: number, width: number, height: number]} View */

/// A shape that is shown. The user cannot change a fixed one.
/** @typedef {Region & Partial<Shape> & { isFixed?: boolean }} ShownShape */

/** @typedef {Map<string, Point>} Places */

/// What a user does on a board.
/**
 * @typedef {{
 *   onPoint?: (point: Point, hasStone: boolean) => unknown, shape?: ShownShape, brush?: string,
 *   onShape?: (region: Region) => void, onPaint?: (point: Point, sign?: string) => void,
 * }} Acts
 */

const SVG = "http://www.w3.org/2000/svg";

/// The part of a picture that contains its points, with or without room for coordinates.
/** @type {(svg: string | undefined, points: Points | undefined, hasCoordinates: boolean) => View} */
export function viewOf(svg, points, hasCoordinates) {
  const [, , width, height] = /viewBox="([^"]+)"/
    .exec(svg ?? "")?.[1]
    .split(" ")
    .map(Number) ?? [0, 0, 420, 420];
  if (hasCoordinates || !points?.all.length) return [0, 0, width, height];
  const [xs, ys] = [points.all.map((point) => point[2]), points.all.map((point) => point[3])];
  const [left, top, room] = [Math.min(...xs), Math.min(...ys), points.radius * 1.3];
  return [left - room, top - room, Math.max(...xs) - left + 2 * room, Math.max(...ys) - top + 2 * room];
}

/// The style of a view with a board: the shape of the picture decides its height.
/** @type {(svg: string | undefined, points: Points | undefined, hasCoordinates: boolean) => Record<string, string>} */
export function ratioOf(svg, points, hasCoordinates) {
  const [, , width, height] = viewOf(svg, points, hasCoordinates);
  return { "--ratio": `${(width / height).toFixed(3)}` };
}

/// Places of a board by column and row.
/** @type {(column: number, row: number) => string} */
export const placeOf = (column, row) => `${column},${row}`;
/** @type {(points?: Points) => Places} */
export function placesOf(points) {
  return new Map((points?.all ?? []).map((point) => [placeOf(point[4], point[5]), point]));
}

/// Classes of marks on the stones of a picture, by the places of the stones.
/** @type {(svg?: string) => Map<string, string>} */
function stonesOf(svg) {
  const circles = (svg ?? "").matchAll(/<circle class="(black|white)" cx="([^"]+)" cy="([^"]+)"/g);
  return new Map([...circles].map(([, color, x, y]) => [`${x} ${y}`, color === "black" ? "on-b" : "on-w"]));
}

/// Candidates that a board shows, and their letters. `O` looks like a stone.
const CANDIDATES = 12;
const LETTERS = [..."ABCDEFGHIJKLMNPQRSTUVWXYZ"];

/// Signs of the record's marks in a table.
/** @type {Record<string, string>} */
const SIGNS = { circle: "○", square: "□", triangle: "△", cross: "×", selected: "◇" };

/// The next moves with their letters. A point with a label or a mark of the record keeps it, and no other point gets that
/// letter, because comments name it.
/** @type {(replies: NextMoveReply[], marks?: MarkReply[]) => LetteredReply[]} */
export function lettered(replies, marks = []) {
  const owned = new Map(marks.map((mark) => [placeOf(mark.column, mark.row), mark.label ?? SIGNS[mark.mark ?? ""] ?? ""]));
  const used = new Set([...owned.values()].map((label) => label.toUpperCase()));
  const free = LETTERS.filter((letter) => !used.has(letter));
  /** @type {Map<string, string>} */
  const given = new Map();
  return replies.map((reply) => {
    if (!reply.field) return { ...reply, label: "", isMarked: false };
    const place = placeOf(...reply.field);
    const isMarked = owned.has(place);
    if (!isMarked && !given.has(place)) given.set(place, free.shift() ?? "");
    return { ...reply, label: owned.get(place) ?? given.get(place) ?? "", isMarked };
  });
}

/// The tint of a next move: even, unless its interval excludes the mean of the archive.
/** @type {(reply: LetteredReply, mean?: number | null) => Candidate["tint"]} */
function tintOf({ color, black_low: low, black_high: high }, mean) {
  if (typeof low !== "number" || typeof high !== "number" || typeof mean !== "number") return "even";
  if (low <= mean && mean <= high) return "even";
  return low > mean === (color === "B") ? "good" : "bad";
}

/// The next moves that the board shows: at most a dozen, the frequent ones first, with the size and tint of their circles.
/// The replies have their letters.
/** @type {(replies: LetteredReply[], mean?: number | null) => Candidate[]} */
export function candidatesOf(replies, mean) {
  // Both colors may play a point: the more frequent one counts.
  /** @type {Map<string, LetteredReply>} */
  const all = new Map();
  for (const reply of replies) {
    const place = reply.field && placeOf(...reply.field);
    if (place && !all.has(place)) all.set(place, reply);
  }
  const shown = [...all].slice(0, CANDIDATES);
  const most = Math.max(...shown.map(([, reply]) => reply.share));
  return shown.map(([place, reply]) => {
    const size = 0.62 + 0.3 * Math.sqrt(reply.share / most);
    return { reply, place, size, tint: tintOf(reply, mean) };
  });
}

/// The candidate at a point.
/** @type {(candidates: Candidate[], point: Point) => Candidate | undefined} */
export const candidateAt = (candidates, point) => candidates.find(({ place }) => place === placeOf(point[4], point[5]));

/** @type {Component<{ all: Candidate[], places: Places, radius: number, hovered?: string }>} */
function Candidates({ all, places, radius, hovered }) {
  return all.map(({ reply, place, size, tint }) => {
    const point = places.get(place);
    if (!point) return null;
    const [x, y, r] = [point[2], point[3], radius * size];
    const name = classes({ candidate: true, [tint]: true, ring: reply.isMarked, hovered: hovered === place });
    const letter =
      !reply.isMarked &&
      html`<text class="mid" x=${x} y=${y + r * 0.37}
      style=${{ fontSize: `${r * 1.06}px` }}>${reply.label}</text>`;
    return html`<g class=${name} key=${place}><circle class="size" cx=${x} cy=${y} r=${r} />${letter}</g>`;
  });
}

/// Numbers of moves on their stones.
/** @type {Component<{ numbers: number[][], places: Places, radius: number, stones: Map<string, string> }>} */
function MoveNumbers({ numbers, places, radius, stones }) {
  const latest = Math.max(...numbers.map(([, , ply]) => ply));
  return numbers.map(([column, row, ply]) => {
    const point = places.get(placeOf(column, row));
    const size = radius * (ply > 99 ? 0.78 : 0.92);
    if (!point) return null;
    const name = `ply mid ${ply === latest ? "latest" : ""} ${stones.get(`${point[2]} ${point[3]}`) ?? ""}`;
    return html`<text class=${name} key=${ply} x=${point[2]} y=${point[3] + size * 0.36}
      style=${{ fontSize: `${size}px` }}>${ply}</text>`;
  });
}

/// Classes of the stones of a shape by their signs.
/** @type {Record<string, string>} */
const STONES = { X: "black", O: "white", x: "black half", o: "white half" };

const SIDES = ["nw", "n", "ne", "w", "e", "sw", "s", "se"];

/// The rectangle of a shape, with its cells where they differ from the board, and handles that resize it.
/** @type {Component<{ shape: ShownShape, places: Places, radius: number, size: number }>} */
function ShapeFrame({ shape, places, radius, size }) {
  const [first, last] = [
    places.get(placeOf(shape.left, shape.top)),
    places.get(placeOf(shape.left + shape.width - 1, shape.top + shape.height - 1)),
  ];
  if (!first || !last) return null;
  // On a rotated board, the last place may be left of the first one, or above it.
  const [x, y] = [Math.min(first[2], last[2]) - radius, Math.min(first[3], last[3]) - radius];
  const [width, height] = [Math.abs(last[2] - first[2]) + 2 * radius, Math.abs(last[3] - first[3]) + 2 * radius];
  const cells =
    shape.cells?.flatMap((line, row) =>
      [...line].map((sign, column) => {
        const place = placeOf(shape.left + column, shape.top + row);
        const point = places.get(place);
        if (!point || !shape.changed?.has(place)) return null;
        const stone = STONES[sign];
        return html`<g key=${place}><rect class="patch" x=${point[2] - radius} y=${point[3] - radius} width=${2 * radius}
      height=${2 * radius} />
      ${
        stone
          ? html`<circle class=${stone} cx=${point[2]} cy=${point[3]} r=${radius * 0.96} />`
          : html`<text class="sign mid" x=${point[2]} y=${point[3] + radius * 0.4} style=${{ fontSize: `${radius * 1.1}px` }}>
          ${sign === "." ? "·" : sign}</text>`
      }</g>`;
      }),
    ) ?? [];
  const corners = [...places.values()];
  const [start, end] = [corners[0], corners[corners.length - 1]];
  const [left, right] = [start[2] - radius, end[2] + radius];
  const [top, low] = [start[3] - radius, end[3] + radius];
  const outside = `M${left} ${top}H${right}V${low}H${left}ZM${x} ${y}v${height}h${width}v${-height}Z`;
  const handle = (/** @type {string} */ side) => {
    const across = side.includes("w") ? x : side.includes("e") ? x + width : x + width / 2;
    const down = side.includes("n") ? y : side.includes("s") ? y + height : y + height / 2;
    return html`<rect class="handle" key=${side} data-side=${side} x=${across - size} y=${down - size} width=${2 * size}
      height=${2 * size} />`;
  };
  return html`<g class="shape">${!shape.isFixed && html`<path class="shade" d=${outside} fill-rule="evenodd" />`}${cells}
    <rect class="frame-line" x=${x} y=${y} width=${width} height=${height} />${shape.isFixed ? null : SIDES.map(handle)}</g>`;
}

/// The rectangle after a drag.
/** @type {(shape: ShownShape, side: string, from: Point, to: Point, columns: number, rows: number) => ShownShape} */
function dragged(shape, side, from, to, columns, rows) {
  const [across, down] = [to[4] - from[4], to[5] - from[5]];
  if (side === "move") {
    const left = Math.max(0, Math.min(columns - shape.width, shape.left + across));
    const top = Math.max(0, Math.min(rows - shape.height, shape.top + down));
    return { ...shape, left, top };
  }
  const ends = [shape.left, shape.top, shape.left + shape.width - 1, shape.top + shape.height - 1];
  if (side.includes("w")) ends[0] = Math.min(to[4], ends[2]);
  if (side.includes("e")) ends[2] = Math.max(to[4], ends[0]);
  if (side.includes("n")) ends[1] = Math.min(to[5], ends[3]);
  if (side.includes("s")) ends[3] = Math.max(to[5], ends[1]);
  return { ...shape, left: ends[0], top: ends[1], width: ends[2] - ends[0] + 1, height: ends[3] - ends[1] + 1 };
}

/** @type {(one: Point, other: Point) => Region} */
const between = (one, other) => ({
  left: Math.min(one[4], other[4]),
  top: Math.min(one[5], other[5]),
  width: Math.abs(one[4] - other[4]) + 1,
  height: Math.abs(one[5] - other[5]) + 1,
});

/// Columns and rows to which arrow keys lead.
/** @type {Record<string, [columns: number, rows: number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/// Milliseconds after which a scrolled page is at rest, and pixels of the wheel for a step.
const [REST, NOTCH] = [200, 50];

/// A handler of the wheel: it steps through the moves while the page is at rest. Touch pads send many small turns.
/** @type {(onStep?: (by: number) => void) => ((event: WheelEvent) => void) | undefined} */
function useWheel(onStep) {
  const turned = useRef(0);
  const scrolled = useRef(0);
  useEffect(() => {
    const scroll = () => {
      scrolled.current = Date.now();
    };
    addEventListener("scroll", scroll, { passive: true });
    return () => removeEventListener("scroll", scroll);
  }, []);
  if (!onStep) return undefined;
  return (event) => {
    if (event.ctrlKey || event.shiftKey || !event.deltaY || Date.now() - scrolled.current < REST) return;
    event.preventDefault();
    const by = Math.sign(event.deltaY);
    const turn = event.deltaMode ? NOTCH : Math.min(NOTCH, Math.abs(event.deltaY));
    turned.current = (turned.current * by > 0 ? turned.current : 0) + by * turn;
    if (Math.abs(turned.current) < NOTCH) return;
    turned.current = 0;
    onStep(by);
  };
}

/**
 * A board. `onPoint` gets the point of a click and whether a stone is there, `onHover` the place of the pointer, and `onStep`
 * the direction of the wheel. With `onShape`, drags select a part.
 * @type {Component<Acts & {
 *   svg?: string, points?: Points, label: string, candidates?: Candidate[], hovered?: string, ghost?: Color,
 *   last?: [column: number, row: number] | null, numbers?: number[][], refusal?: Refused, isStale?: boolean,
 *   hasCoordinates?: boolean, onHover?: (place?: string) => void, onStep?: (by: number) => void,
 * }>}
 */
export function Board({
  svg,
  points,
  label,
  candidates = [],
  hovered,
  ghost,
  last,
  numbers = [],
  refusal,
  shape,
  isStale = false,
  hasCoordinates = true,
  brush,
  onPoint,
  onHover,
  onShape,
  onPaint,
  onStep,
}) {
  /** @type {Ref} */
  const frame = useRef();
  /** @type {Ref<SVGSVGElement>} */
  const overlay = useRef();
  const places = useMemo(() => placesOf(points), [points]);
  const view = useMemo(() => viewOf(svg, points, hasCoordinates), [svg, points, hasCoordinates]);
  const [drag, setDrag] = useState(/** @type {{ side: string, from: Point, base?: ShownShape } | undefined} */ (undefined));
  const onWheel = useWheel(onStep);
  // The point that the keys selected, and the corner at which their rectangle begins.
  const [keyed, setKeyed] = useState(/** @type {{ at: string, start: Point } | undefined} */ (undefined));
  const stones = useMemo(() => stonesOf(svg), [svg]);
  /** @type {{ current: Drawn | undefined }} */
  const drawn = useRef();
  useLayoutEffect(() => {
    // The page draws the mark of the last move itself.
    drawn.current = draw(frame.current, svg, !last, drawn.current);
    frame.current.firstElementChild?.setAttribute("viewBox", view.join(" "));
  }, [svg, view.join(" "), Boolean(last)]);
  useEffect(() => setDrag(undefined), [points]);
  const radius = points?.radius ?? 10;
  // The nearest point. A moving finger stays on the point at which it began.
  const spot = (/** @type {MouseEvent} */ event) => {
    const matrix = overlay.current?.getScreenCTM();
    if (!matrix || !points?.all.length) return undefined;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const away = (/** @type {Point} */ [, , x, y]) => (x - at.x) ** 2 + (y - at.y) ** 2;
    const best = points.all.reduce((one, point) => (away(point) < away(one) ? point : one));
    return { point: best, isNear: away(best) <= (radius * 1.35) ** 2 };
  };
  const columns = Math.max(0, ...(points?.all ?? []).map((point) => point[4])) + 1;
  const rows = Math.max(0, ...(points?.all ?? []).map((point) => point[5])) + 1;
  const hasStone = (/** @type {Point} */ point) => stones.has(`${point[2]} ${point[3]}`);
  const isInside = (/** @type {Point} */ point) =>
    shape &&
    point[4] >= shape.left &&
    point[4] < shape.left + shape.width &&
    point[5] >= shape.top &&
    point[5] < shape.top + shape.height;
  const down = (/** @type {PointerEvent} */ event) => {
    const found = spot(event);
    if (!onShape || !found) return;
    event.preventDefault();
    overlay.current.setPointerCapture(event.pointerId);
    const side =
      /** @type {SVGElement} */ (event.target).dataset.side ?? (isInside(found.point) ? (brush ? "paint" : "move") : "new");
    if (side === "paint") onPaint?.(found.point);
    setDrag({ side, from: found.point, base: shape });
  };
  const move = (/** @type {PointerEvent} */ event) => {
    const found = spot(event);
    if (!drag) return onHover?.(found?.isNear ? placeOf(found.point[4], found.point[5]) : undefined);
    if (!found) return undefined;
    if (drag.side === "paint") return isInside(found.point) && onPaint?.(found.point);
    if (drag.side === "new" || !drag.base) return onShape?.(between(drag.from, found.point));
    return onShape?.(dragged(drag.base, drag.side, drag.from, found.point, columns, rows));
  };
  const up = (/** @type {PointerEvent} */ event) => {
    const found = spot(event);
    if (!drag) return;
    setDrag(undefined);
    if (drag.side === "move" && found && found.point === drag.from) onPoint?.(found.point, hasStone(found.point));
  };
  const click = (/** @type {MouseEvent} */ event) => {
    const found = spot(event);
    if (!onShape && found?.isNear) onPoint?.(found.point, hasStone(found.point));
  };
  useEffect(() => {
    setKeyed(undefined);
    if (onShape) overlay.current.focus({ preventScroll: true });
  }, [Boolean(onShape)]);
  const press = (/** @type {KeyboardEvent} */ event) => {
    const by = ARROWS[event.key];
    const sign = ["X", "O", ".", "?", "*"].find((each) => each === event.key.toUpperCase());
    const at = places.get(keyed?.at ?? placeOf(shape?.left ?? 0, shape?.top ?? 0));
    if (!onShape || !at || event.ctrlKey || event.metaKey || event.altKey) return;
    if (by) {
      const [x, y] = [at[2] + 2 * radius * by[0], at[3] + 2 * radius * by[1]];
      const to = points?.all.find((point) => Math.hypot(point[2] - x, point[3] - y) < radius) ?? at;
      const start = event.shiftKey ? (keyed?.start ?? at) : to;
      setKeyed({ at: placeOf(to[4], to[5]), start });
      if (event.shiftKey) onShape(between(start, to));
    } else if (sign && isInside(at)) onPaint?.(at, sign);
    else if (event.key === "Enter" && isInside(at)) onPoint?.(at, hasStone(at));
    else return;
    event.preventDefault();
  };
  const cursor = onShape && keyed && places.get(keyed.at);
  // Boards of pieces have fields, and no stone shows a move there.
  const over = hovered && !svg?.includes('class="field"') ? places.get(hovered) : undefined;
  // Pieces are named by their points.
  const names = !over && hovered?.includes(",") ? hovered.split(",") : [];
  const piece = (points?.all ?? []).filter((point) => names.includes(point[1]));
  const refused = places.get(refusal?.place ?? "");
  const ring = last && places.get(placeOf(...last));
  return html`<div class=${classes({
    board_frame: true,
    stale: isStale,
    selecting: onShape,
    bare: !hasCoordinates,
    numbered: numbers.length,
  })}
      style=${{ "--ratio": `${(view[2] / view[3]).toFixed(3)}` }}>
    <div class="picture" ref=${frame} />
    <svg ref=${overlay} class="board overlay" viewBox=${view.join(" ")} role=${onShape ? "application" : "img"}
      aria-label=${onShape ? `${label}. Arrows move, Shift and arrows select, X O . ? * change a point.` : label}
      tabindex=${onShape ? 0 : undefined} onKeyDown=${press}
      onPointerDown=${down} onPointerMove=${move} onPointerUp=${up} onPointerCancel=${() => setDrag(undefined)}
      onPointerLeave=${() => !drag && onHover?.(undefined)} onClick=${click} onWheel=${onWheel}>
      <rect class="catch" x=${view[0]} y=${view[1]} width=${view[2]} height=${view[3]} />
      ${shape && html`<${ShapeFrame} ...${{ shape, places, radius }} size=${Math.min(4.5, radius * 0.45)} />`}
      <${Candidates} all=${candidates} ...${{ places, radius, hovered }} />
      ${
        over &&
        ghost &&
        !hasStone(over) &&
        html`<circle class=${`ghost ${ghost === "B" ? "black" : "white"}`} cx=${over[2]} cy=${over[3]} r=${radius * 0.94} />`
      }
      ${piece.map((point) => html`<circle class="ghost piece" cx=${point[2]} cy=${point[3]} r=${radius * 0.6} />`)}
      <${MoveNumbers} ...${{ numbers, places, radius, stones }} />
      ${
        ring &&
        !numbers.length &&
        html`<circle class=${`last_ring ${stones.get(`${ring[2]} ${ring[3]}`) ?? ""}`} cx=${ring[2]} cy=${ring[3]} r=${radius * 0.46} />`
      }
      ${cursor && html`<circle class="cursor" cx=${cursor[2]} cy=${cursor[3]} r=${radius * 0.8} />`}
      ${refused && html`<${Refusal} point=${refused} text=${refusal?.text} ...${{ radius, view }} />`}
    </svg></div>`;
}

/// The reason why a move is refused, beside its point.
/** @type {Component<{ point: Point, text: string, radius: number, view: View }>} */
function Refusal({ point, text, radius, view }) {
  const [width, height] = [Math.min(view[2] - 12, text.length * 6 + 16), 22];
  const x = Math.max(view[0] + 4, Math.min(view[0] + view[2] - width - 4, point[2] - width / 2));
  const y = point[3] > view[1] + 2 * radius + height ? point[3] - radius - height - 4 : point[3] + radius + 4;
  return html`<g class="refusal"><circle cx=${point[2]} cy=${point[3]} r=${radius * 0.95} />
    <rect x=${x} y=${y} width=${width} height=${height} rx="5" /><text class="mid" x=${x + width / 2}
      y=${y + 15}>${text}</text></g>`;
}

/// The picture of the board as a separate file.
export async function pictureFile() {
  const [picture, overlay] = document.querySelectorAll("#board svg");
  if (!picture) return undefined;
  const copy = /** @type {Element} */ (picture.cloneNode(true));
  const over = /** @type {Element} */ (overlay.cloneNode(true));
  over.querySelectorAll(".catch, .ghost, .handle, .cursor, .refusal").forEach((part) => part.remove());
  copy.append(...over.childNodes);
  const style = document.createElementNS(SVG, "style");
  const sheets = await Promise.all(["./board.css", "./overlay.css"].map(async (sheet) => (await fetch(sheet)).text()));
  const letters = "text { font: 12px sans-serif; } .mid { text-anchor: middle; } .end { text-anchor: end; }";
  style.textContent = `${sheets.join("\n")} ${letters}`;
  copy.prepend(style);
  copy.removeAttribute("aria-hidden");
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
}
