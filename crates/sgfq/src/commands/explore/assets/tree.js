// The variation tree of a game, drawn.

import { Fragment, classes, html, markCurrent, scrollSoon, useLayoutEffect, useMemo, useRef } from "./html.js";
import { classOf } from "./format.js";
import { href } from "./state.js";

/** @import { Component, Ref } from "./html.js" */
/** @import { DrawnNode } from "./protocol.d.ts" */

/** @typedef {(node: DrawnNode) => number} Place */

/// Flags of a node.
const [COMMENT, GOOD, BAD] = [1, 8, 16];

/// Distance of nodes, and the radius of a node.
const [ACROSS, DOWN, RADIUS] = [26, 24, 8];

/// The variation tree: columns are moves, rows are variations.
/** @type {Component<{ nodes: DrawnNode[], path: string, isCut: boolean }>} */
export function Tree({ nodes, path, isCut }) {
  /** @type {Ref} */
  const place = useRef();
  // Links keep the rest of the address.
  const key = [href({ path: "", tried: [] }), isCut, ...nodes.map(([at, , , , , , flags]) => `${at}${flags}`)].join(" ");
  const columns = useMemo(() => {
    const first = Math.min(...nodes.map((node) => node[2]));
    return {
      first,
      width: Math.max(...nodes.map((node) => node[2])) - first + 1,
      height: Math.max(...nodes.map((node) => node[3])) + 1,
    };
  }, [key]);
  /** @type {Place} */
  const x = (node) => (node[2] - columns.first + 0.5) * ACROSS;
  /** @type {Place} */
  const y = (node) => (node[3] + 0.7) * DOWN;
  const at = nodes.find((node) => node[0] === path);
  useLayoutEffect(() => {
    const list = place.current;
    markCurrent(list, at && list.querySelectorAll(".node")[nodes.indexOf(at)]);
    if (!at) return undefined;
    return scrollSoon(list, () => ({
      left: Math.round(x(at) - list.clientWidth / 2),
      top: Math.round(y(at) - list.clientHeight / 2),
    }));
  }, [path, key]);
  const drawn = useMemo(() => drawTree(nodes, x, y), [key]);
  return html`<div class="tree" ref=${place} role="group" aria-label="Variation tree"><svg
    width=${columns.width * ACROSS} height=${(columns.height + 0.4) * DOWN}>${drawn}${
      at &&
      html`<circle
      class="around" cx=${x(at)} cy=${y(at)} r=${RADIUS + 4} />`
    }</svg>${
      isCut &&
      html`<p
      class="dim">The tree shows the nodes around the current one.</p>`
    }</div>`;
}

/// The branches and nodes of a tree.
/** @type {(nodes: DrawnNode[], x: Place, y: Place) => unknown} */
function drawTree(nodes, x, y) {
  const lines = nodes
    .map((node) => {
      const parent = nodes[node[1] ?? -1];
      if (!parent) return "";
      const [x1, y1, x2, y2] = [x(parent), y(parent), x(node), y(node)];
      return y1 === y2 ? `M${x1} ${y1}H${x2}` : `M${x1} ${y1}V${y2 - DOWN / 2}L${Math.min(x1 + DOWN / 2, x2)} ${y2}H${x2}`;
    })
    .join("");
  const dots = nodes.map((node) => {
    const [at, , , , color, , flags] = node;
    const name = classes({ node: true, [classOf(color)]: color, good: flags & GOOD, bad: flags & BAD });
    return html`<a key=${at} href=${href({ path: at, tried: [] })} tabindex="-1" class=${name} aria-label=${`Node ${at}`}>
      <circle cx=${x(node)} cy=${y(node)} r=${color ? RADIUS : RADIUS / 2} />
      ${(flags & COMMENT) > 0 && html`<circle class="note" cx=${x(node) + RADIUS} cy=${y(node) - RADIUS} r="3" />`}</a>`;
  });
  return html`<${Fragment}><path class="branch" d=${lines} />${dots}<//>`;
}
