// The template function of the page. Texts of games only ever become text nodes or attributes.

import { h } from "./vendor/preact.js";
import htm from "./vendor/htm.js";
import * as hooks from "./vendor/hooks.js";

export { Fragment, render } from "./vendor/preact.js";
export { useErrorBoundary } from "./vendor/hooks.js";

/**
 * A component: a function from properties to a view.
 * @template Props
 * @typedef {(props: Props) => unknown} Component
 */

/**
 * An element that a view refers to. It exists while the view is shown.
 * @template {Element} [Shown=HTMLElement]
 * @typedef {{ current: Shown }} Ref
 */

/** @typedef {(work: () => unknown, inputs?: unknown[]) => void} Effect */

/** @type {(parts: TemplateStringsArray, ...values: unknown[]) => unknown} */
export const html = htm.bind(h);

/** @type {Effect} */
export const useEffect = hooks.useEffect;
/** @type {Effect} */
export const useLayoutEffect = hooks.useLayoutEffect;
/** @type {<T>(work: () => T, inputs: unknown[]) => T} */
export const useMemo = hooks.useMemo;
/** @type {<T>(initial?: T) => { current: T }} */
export const useRef = hooks.useRef;
/** @type {<T>(initial: T | (() => T)) => [T, (next: T | ((before: T) => T)) => void]} */
export const useState = hooks.useState;

/// Class names: the words whose condition holds.
/** @type {(all: Record<string, unknown>) => string} */
export const classes = (all) =>
  Object.keys(all)
    .filter((name) => all[name])
    .join(" ");

/// A text in which backticks mark code.
/** @type {(text: string) => unknown[]} */
export const withCode = (text) => text.split("`").map((part, at) => (at % 2 ? html`<code>${part}</code>` : part));

/// A text that only screen readers read.
/** @type {(text: string) => unknown} */
export const unseen = (text) => html`<span class="hidden">${text}</span>`;

/// The head of a table: names of columns with their classes.
/** @type {Component<{ all: [head: unknown, name: string][] }>} */
export const Heads = ({ all }) =>
  html`<thead><tr>${all.map(
    ([head, name]) => html`<th scope="col"
  class=${name}>${head}</th>`,
  )}</tr></thead>`;

/// A box with a text that may be longer than the box. Then the box takes the focus, so that keys scroll it.
/** @type {Component<{ children?: unknown, id?: string, class: string }>} */
export function TextBox({ children, ...attributes }) {
  /** @type {Ref} */
  const place = useRef();
  useEffect(() => {
    const { scrollHeight, clientHeight } = place.current;
    if (scrollHeight > clientHeight) place.current.tabIndex = 0;
    else place.current.removeAttribute("tabindex");
  });
  return html`<div ref=${place} ...${attributes}>${children}</div>`;
}

/// Marks the link of a list that is current in place of the one before, so that a step does not render the list again.
/** @type {(list: Element, link?: Element, more?: Record<string, [on: string, off?: string]>) => void} */
export function markCurrent(list, link, more = {}) {
  const mark = (/** @type {Element} */ of, /** @type {boolean} */ isCurrent) => {
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
/** @type {(element: Element, placeOf: () => { top: number, left?: number }) => () => void} */
export function scrollSoon(element, placeOf) {
  const frame = requestAnimationFrame(() => {
    const { top, left = element.scrollLeft } = placeOf();
    if (element.scrollTop !== top || element.scrollLeft !== left) element.scrollTo({ top, left });
  });
  return () => cancelAnimationFrame(frame);
}
