// The report of `sgfq stats --html` within the page.

import { classes, html, useEffect, useLayoutEffect, useRef } from "./html.js";
import { useAnswer } from "./answers.js";
import { condition } from "./state.js";
import { save } from "./save.js";
import { Fault } from "./fault.js";
// @ts-ignore: the server makes this module of the scripts of `sgfq stats --html`.
import drawCharts from "./charts.js";

/** @import { Ref } from "./html.js" */
/** @import { ViewComponent } from "./page.js" */

/// The elements of a report. The policy of the page allows no styles and no scripts of a text: styles are set by script, and
/// the charts are drawn by the module of the page.
/** @type {(text: string) => Element} */
function elementsOf(text) {
  const plain = text.replace(/<style[^]*?<\/style>/, "").replaceAll(' style="', ' data-style="');
  const page = new DOMParser().parseFromString(plain, "text/html");
  page.querySelectorAll("noscript, body > script:not([type])").forEach((part) => part.remove());
  drawCharts(page);
  page.querySelectorAll("template, script").forEach((part) => part.remove());
  // The report is a part of this page, which has one main element.
  for (const main of page.querySelectorAll("main")) {
    const part = page.createElement("div");
    part.append(...main.childNodes);
    main.replaceWith(part);
  }
  return page.body;
}

/// Links of the report lead to its sections. They are not states of this page.
/** @type {(root: ShadowRoot) => ShadowRoot} */
function withLinks(root) {
  root.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a[href^='#']");
    if (!(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    root.getElementById(link.hash.slice(1))?.scrollIntoView();
  });
  return root;
}

/** @type {ViewComponent} */
export function Report({ onShown }) {
  const { answer, error, isStale, retry } = useAnswer("stats", { where: condition() }, { read: (response) => response.text() });
  /** @type {Ref} */
  const place = useRef();
  useEffect(() => onShown({}), []);
  useLayoutEffect(() => {
    if (!answer) return;
    const root = place.current.shadowRoot ?? withLinks(place.current.attachShadow({ mode: "open" }));
    const sheets = ["./stats.css", "./board.css"].map((sheet) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = sheet;
      return link;
    });
    root.replaceChildren(...sheets, document.adoptNode(elementsOf(answer)));
    const styled = /** @type {NodeListOf<HTMLElement | SVGElement>} */ (root.querySelectorAll("[data-style]"));
    for (const each of styled) each.style.cssText = each.dataset.style ?? "";
  }, [answer]);
  const keep = () => save("stats.html", new Blob([answer ?? ""], { type: "text/html" }));
  return html`<section id="charts" class=${classes({ stale: isStale })} aria-label="Charts"><div class="bar">
      <button id="keep" disabled=${!answer} onClick=${keep}>Save this report</button></div>
    <${Fault} error=${error} onRetry=${retry} /><div class="report" ref=${place} /></section>`;
}
