// The template function of the page. Texts of games only ever become text nodes or attributes.

import { h } from "./vendor/preact.js";
import htm from "./vendor/htm.js";

export { Fragment, render } from "./vendor/preact.js";
export { useEffect, useErrorBoundary, useLayoutEffect, useMemo, useRef, useState } from "./vendor/hooks.js";

export const html = htm.bind(h);

/// Class names: the words whose condition holds.
export const classes = (all) =>
  Object.keys(all)
    .filter((name) => all[name])
    .join(" ");

/// A text in which backticks mark code.
export const withCode = (text) => text.split("`").map((part, at) => (at % 2 ? html`<code>${part}</code>` : part));

/// A text that only screen readers read.
export const unseen = (text) => html`<span class="hidden">${text}</span>`;

/// The head of a table: names of columns with their classes.
export const Heads = ({ all }) =>
  html`<thead><tr>${all.map(
    ([head, name]) => html`<th scope="col"
  class=${name}>${head}</th>`,
  )}</tr></thead>`;

/// Marks the link of a list that is current in place of the one before, so that a step does not render the list again.
export function markCurrent(list, link, more = {}) {
  const mark = (of, isCurrent) => {
    of.classList.toggle("at", isCurrent);
    for (const [name, [on, off]] of Object.entries(more)) {
      const value = isCurrent ? on : off;
      if (value === undefined) of.removeAttribute(name);
      else of.setAttribute(name, value);
    }
  };
  const before = list.querySelector(".at");
  if (before === link) return;
  if (before) mark(before, false);
  if (link) mark(link, true);
}

/// Scrolls an element before the next frame, which measures it anyway. `placeOf` returns the offset from its top and left.
export function scrollSoon(element, placeOf) {
  const frame = requestAnimationFrame(() => {
    const { top, left = element.scrollLeft } = placeOf();
    if (element.scrollTop !== top || element.scrollLeft !== left) element.scrollTo({ top, left });
  });
  return () => cancelAnimationFrame(frame);
}
