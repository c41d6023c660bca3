// What a repair changes in a game.

import { html, useState, withCode } from "./html.js";
import { diffArrays } from "./vendor/diff.js";
import { useAnswer } from "./answers.js";
import { download } from "./save.js";
import { Fault } from "./fault.js";

/// Units of the comparison: a value, a mark, a line.
const pieces = (text) => text.split(/(?<=\])|(?<=\n)|(?=[;()])/);

/// Characters on each side of a change.
const AROUND = 60;

/// Maximum milliseconds for a comparison. If a game of many megabytes takes longer, the page shows both texts.
const TIME = 2000;

function Comparison({ before, after }) {
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

function Finding({ finding }) {
  const result = finding.left ? "Not repaired" : "Repaired";
  const place = finding.path && html`<span class="dim"> at node ${finding.path}</span>`;
  return html`${result}${place}: ${withCode(finding.message)} (<code>${finding.code}</code>)`;
}

/// What `sgfq fix` would do to a game.
export function Repair({ id }) {
  const [isOpen, setIsOpen] = useState(false);
  const { answer, error, isStale } = useAnswer("repair", isOpen ? { id } : undefined);
  const found = isStale ? undefined : answer;
  return html`<details id="repair" onToggle=${(event) => setIsOpen(event.target.open)}>
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
