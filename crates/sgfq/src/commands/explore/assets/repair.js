// What a repair changes in a game.

import { html, useState, withCode } from "./html.js";
import { diffArrays } from "./vendor/diff.js";
import { useAnswer } from "./answers.js";
import { download } from "./save.js";
import { Fault } from "./fault.js";

/** @import { Component } from "./html.js" */
/** @import { RepairedFinding } from "./protocol.d.ts" */

/// Units of the comparison: a value, a mark, a line.
/** @type {(text: string) => string[]} */
const pieces = (text) => text.split(/(?<=\])|(?<=\n)|(?=[;()])/);

/// Characters on each side of a change.
const AROUND = 60;

/// Maximum milliseconds for a comparison. If a game of many megabytes takes longer, the page shows both texts.
const TIME = 2000;

/** @type {Component<{ before: string, after: string }>} */
function Comparison({ before, after }) {
  /** @type {{ added?: boolean, removed?: boolean, value: string[] }[]} */
  const changes = diffArrays(pieces(before), pieces(after), { timeout: TIME }) ?? [
    { removed: true, value: [before] },
    { added: true, value: [after] },
  ];
  return html`<pre class="changes">${changes.map(({ added, removed, value }, at) => {
    const text = value.join("");
    if (added) return html`<ins>${text}</ins>`;
    if (removed) return html`<del>${text}</del>`;
    const [head, tail] = [at ? text.slice(0, AROUND) : "", at + 1 < changes.length ? text.slice(-AROUND) : ""];
    return head.length + tail.length < text.length ? `${head} … ${tail}` : text;
  })}</pre>`;
}

/** @type {Component<{ finding: RepairedFinding }>} */
function Finding({ finding }) {
  const result = finding.left ? "Not repaired" : "Repaired";
  const place = finding.path && html`<span class="dim"> at node ${finding.path}</span>`;
  return html`${result}${place}: ${withCode(finding.message)} (<code>${finding.code}</code>)`;
}

/// What `sgfq fix` would do to a game.
/** @type {Component<{ id: number }>} */
export function Repair({ id }) {
  const [isOpen, setIsOpen] = useState(false);
  const { answer, error, isStale } = useAnswer("repair", isOpen ? { id } : undefined);
  const found = isStale ? undefined : answer;
  const toggle = (/** @type {{ currentTarget: HTMLDetailsElement }} */ event) => setIsOpen(event.currentTarget.open);
  return html`<details id="repair" onToggle=${toggle}>
    <summary>Repairs by sgfq fix</summary>
    <${Fault} id="repair-fault" error=${error} />
    ${
      found &&
      html`<ul>${found.findings.map((finding) => html`<li><${Finding} finding=${finding} /></li>`)}</ul>
      ${found.findings.length === 0 && html`<p>No repairs needed.</p>`}
      ${
        found.changed &&
        html`<h3>Changes</h3><${Comparison} before=${found.before} after=${found.after} />
        <button onClick=${() => download("export", { id, repaired: true }, "repaired.sgf")}>Download repaired</button>`
      }`
    }</details>`;
}
