// Findings in the games that the filters select, by code.

import { Heads, classes, html, useEffect, withCode } from "./html.js";
import { useAnswer } from "./answers.js";
import { SaveList } from "./copy.js";
import { counted, fileOf, number, shortName } from "./format.js";
import { condition, href } from "./state.js";
import { download } from "./save.js";
import { Fault } from "./fault.js";

/** @import { Component } from "./html.js" */
/** @import { ViewComponent } from "./page.js" */
/** @import { CodeReply, FindingExample } from "./protocol.d.ts" */

/** @type {[head: string, name: string][]} */
const HEADS = [
  ["Severity", ""],
  ["Findings", "number"],
  ["Games", "number"],
  ["Code", ""],
];
const SIGNS = { error: "✕", warning: "!", note: "i" };

/// The link of an example leads to its node. If its path was shortened, the link leads to the game. What is after the last
/// game of a file has no link.
/** @type {Component<{ example: FindingExample, code: string, inputs: string[] }>} */
function Example({ example, code, inputs }) {
  if (example.id === null) return html`<li>${shortName(example.game, inputs)} ${withCode(example.message)}</li>`;
  const to = href({
    list: "findings",
    code,
    game: `${example.id}`,
    path: example.path.includes("…") ? "" : example.path,
    move: "",
    tried: [],
  });
  return html`<li><a href=${to}
    title=${example.game}>${`${fileOf(example.game)} ${example.path}`.trim()}</a> ${withCode(example.message)}</li>`;
}

/** @type {Component<{ explain: CodeReply }>} */
function Explanation({ explain }) {
  return html`<div class="explain"><p><b>${withCode(explain.title)}</b></p>
    <p>${withCode(explain.text)}</p>${explain.advice && html`<p>${withCode(explain.advice)}</p>`}</div>`;
}

/** @type {ViewComponent} */
export function Findings({ status, onShown }) {
  const asked = { where: condition() };
  const { answer, error, isStale, retry } = useAnswer("findings", asked);
  useEffect(() => onShown({ command: answer?.command }), [answer]);
  const rows = (answer?.rows ?? []).map(
    (row) => html`<tr key=${`${row.severity} ${row.code}`}>
    <td><span class=${`severity ${row.severity}`}><span aria-hidden="true">${SIGNS[row.severity]}</span> ${row.severity}</span></td>
    <td class="number">${number(row.count)}</td><td class="number">${
      row.games > 0
        ? html`<a class="listed"
      href=${href({ list: "games", code: row.code, search: "" })} title="List these games">${number(row.games)}</a>`
        : "0"
    }</td>
    <th scope="row"><details><summary><code>${row.code}</code></summary><${Explanation} explain=${row.explain} />
      <h3>Examples</h3><ul>${row.examples.map(
        (example) => html`<${Example} example=${example}
        code=${row.code} inputs=${status.inputs} />`,
      )}</ul>
      ${row.games > 0 && html`<${SaveList} asked=${{ all: true, ...asked, code: row.code }} />`}</details></th></tr>`,
  );
  const title = !answer ? "Findings" : rows.length ? counted(rows.length, "code") : "No findings";
  const repaired = () => download("export", { all: true, ...asked, repaired: true }, "repaired.sgf");
  return html`<section id="findings" class=${classes({ panel: true, stale: isStale })} aria-labelledby="findings-title">
    <div class="bar"><h2 id="findings-title">${title}</h2>${
      rows.length > 0 &&
      html`<button id="repaired"
      onClick=${repaired}>
      ${asked.where ? "Download these, repaired" : "Download all, repaired"}</button>`
    }</div><${Fault}
        error=${error} onRetry=${retry} />
    ${rows.length > 0 && html`<table><${Heads} all=${HEADS} /><tbody>${rows}</tbody></table>`}
    <p class="dim">These are the findings of <code>sgfq check</code>. <code>sgfq fix</code> repairs them where the repair is
      certain.</p>
      </section>`;
}
