// The variation tree of a game, drawn. Only the part around the current node, or the one that the user scrolls to, has elements.

import { Fragment, classes, html, markCurrent, scrollSoon, useLayoutEffect, useMemo, useRef, useState } from "./html.js";
import { classOf } from "./format.js";
import { href } from "./state.js";

/** @import { Component, Ref } from "./html.js" */
/** @import { DrawnNode, TreeReply } from "./protocol.d.ts" */

/// Columns and rows: the first ones, and the ones after the last.
/** @typedef {{ left: number, top: number, right: number, low: number }} Area */

/// Flags of a node.
const [COMMENT, GOOD, BAD] = [1, 8, 16];

/// Distance of nodes, and the radius of a node.
const [ACROSS, DOWN, RADIUS] = [26, 24, 8];

/// Columns and rows on each side of a place that have elements, and those after which the elements change.
const [AROUND_ACROSS, AROUND_DOWN, OFTEN] = [24, 13, 8];

/// The area of these nodes.
/** @type {(nodes: DrawnNode[]) => Area} */
export function areaOf(nodes) {
  const [columns, rows] = [nodes.map((node) => node[1]), nodes.map((node) => node[2])];
  const [left, top] = [Math.min(...columns), Math.min(...rows)];
  return { left, top, right: Math.max(...columns) + 1, low: Math.max(...rows) + 1 };
}

/// The area around a place. It is the same for most of its neighbors.
/** @type {(column: number, row: number) => Area} */
export function areaAround(column, row) {
  const [x, y] = [column, row].map((place) => OFTEN * Math.floor(place / OFTEN));
  return { left: x - AROUND_ACROSS, top: y - AROUND_DOWN, right: x + OFTEN + AROUND_ACROSS, low: y + OFTEN + AROUND_DOWN };
}

/// Whether an area has the part of another one that is in the third.
/** @type {(area: Area, other: Area, all: Area) => boolean} */
export const hasArea = (area, other, all) =>
  area.left <= Math.max(other.left, all.left) &&
  area.top <= Math.max(other.top, all.top) &&
  area.right >= Math.min(other.right, all.right) &&
  area.low >= Math.min(other.low, all.low);

/** @type {(area: Area, node: DrawnNode) => boolean} */
const isIn = ({ left, top, right, low }, [, column, row]) => column >= left && column < right && row >= top && row < low;

/// The variation tree: columns are moves, rows are variations.
/** @type {Component<{ tree: TreeReply, path: string }>} */
export function Tree({ tree, path }) {
  const { nodes, is_cut: isCut } = tree;
  /** @type {Ref} */
  const place = useRef();
  // Links keep the rest of the address.
  const key = [href({ path: "", tried: [] }), isCut, ...nodes.map(([at, , , , , flags]) => `${at}${flags}`)].join(" ");
  const all = useMemo(() => areaOf(nodes), [key]);
  const [scrolled, setScrolled] = useState({ path, key: "", area: all });
  const x = (/** @type {number} */ column) => (column - all.left + 0.5) * ACROSS;
  const y = (/** @type {number} */ row) => (row - all.top + 0.7) * DOWN;
  const at = nodes.find((node) => node[0] === path);
  const isScrolled = scrolled.path === path && scrolled.key === key;
  const area = isScrolled ? scrolled.area : areaAround(at?.[1] ?? all.left, at?.[2] ?? all.top);
  const drawn = [key, ...Object.values(area)].join(" ");
  useLayoutEffect(() => {
    const list = place.current;
    const links = [...list.querySelectorAll(".node")];
    markCurrent(
      list,
      links.find((link) => link.getAttribute("data-path") === path),
    );
  }, [path, drawn]);
  useLayoutEffect(() => {
    const list = place.current;
    if (!at) return undefined;
    return scrollSoon(list, () => ({
      left: Math.round(x(at[1]) - list.clientWidth / 2),
      top: Math.round(y(at[2]) - list.clientHeight / 2),
    }));
  }, [path, key]);
  const scroll = () => {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = place.current;
    const [column, row] = [all.left + scrollLeft / ACROSS, all.top + scrollTop / DOWN];
    const [columns, rows] = [clientWidth / ACROSS, clientHeight / DOWN];
    if (hasArea(area, { left: column, top: row, right: column + columns, low: row + rows }, all)) return;
    setScrolled({ path, key, area: areaAround(column + columns / 2, row + rows / 2) });
  };
  const branches = useMemo(() => branchesOf(tree, x, y), [key]);
  const dots = useMemo(
    () => html`<${Fragment}>${nodes.filter((node) => isIn(area, node)).map((node) => dotOf(node, x, y))}<//>`,
    [drawn],
  );
  return html`<div class="tree" ref=${place} role="group" aria-label="Variation tree" onScroll=${scroll}><svg
    width=${(all.right - all.left) * ACROSS} height=${(all.low - all.top + 0.4) * DOWN}><path class="branch" d=${branches} />${dots}${
      at && html`<circle class="around" cx=${x(at[1])} cy=${y(at[2])} r=${RADIUS + 4} />`
    }</svg>${isCut && html`<p class="dim">The tree shows the nodes around the current one.</p>`}</div>`;
}

/** @typedef {(place: number) => number} Scale */

/// The lines between nodes.
/** @type {(tree: TreeReply, x: Scale, y: Scale) => string} */
function branchesOf({ nodes, branches }, x, y) {
  const lines = nodes.map(([, column, row, isBranch]) => {
    if (!column) return "";
    const [from, to, level] = [x(column - 1), x(column), y(row)];
    return isBranch ? `M${from} ${level - DOWN / 2}L${from + DOWN / 2} ${level}H${to}` : `M${from} ${level}H${to}`;
  });
  const downs = branches.map(([column, row, last]) => `M${x(column)} ${y(row)}V${y(last) - DOWN / 2}`);
  return [...lines, ...downs].join("");
}

/// A node as a link.
/** @type {(node: DrawnNode, x: Scale, y: Scale) => unknown} */
function dotOf([path, column, row, , color, flags], x, y) {
  const name = classes({ node: true, [classOf(color)]: color, good: flags & GOOD, bad: flags & BAD });
  const [across, down] = [x(column), y(row)];
  return html`<a key=${path} data-path=${path} href=${href({ path, tried: [] })} tabindex="-1" class=${name}
    aria-label=${`Node ${path}`}><circle cx=${across} cy=${down} r=${color ? RADIUS : RADIUS / 2} />
    ${(flags & COMMENT) > 0 && html`<circle class="note" cx=${across + RADIUS} cy=${down - RADIUS} r="3" />`}</a>`;
}
