// Shows errors.

import { html, useEffect, useRef } from "./html.js";

/** @import { Component, Ref } from "./html.js" */

/// An error. It scrolls into view when it comes.
/** @type {Component<{ error?: { message: string }, onRetry?: () => void, id?: string }>} */
export function Fault({ error, onRetry, id = "fault" }) {
  /** @type {Ref} */
  const place = useRef();
  useEffect(() => {
    if (!error) return;
    const { top, bottom } = place.current.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) place.current.scrollIntoView({ block: "center" });
  }, [error?.message]);
  return (
    error &&
    html`<p id=${id} ref=${place} class="fault box" role="alert"><span>${error.message}</span>
    ${onRetry && html`<button onClick=${onRetry}>Try again</button>`}</p>`
  );
}
