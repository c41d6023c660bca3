// The players of the games that the filters select.

import { Heads, classes, html, useEffect, useState } from "./html.js";
import { useAnswer } from "./answers.js";
import { counted, number, percent } from "./format.js";
import { NO_GAME, NO_SHAPE, condition, exact, href, toPerson } from "./state.js";
import { Fault } from "./fault.js";
import { Ways, widerWays } from "./next_moves.js";

/** @import { Component } from "./html.js" */
/** @import { ViewComponent } from "./page.js" */

/// Milliseconds of rest after which the field searches.
const REST = 250;

/** @type {(all: number[] | null) => string} */
const span = (all) => (all ? [...new Set(all)].join("–") : "");

/// A count that links to the games with one color.
/** @type {Component<{ count: number, color: string, to: string }>} */
function Count({ count, color, to }) {
  const side = color === "B" ? "Black" : "White";
  return html`<td class="number">${count ? html`<a href=${to} title=${`Games as ${side}`}>${number(count)}</a>` : "0"}</td>`;
}

/** @type {ViewComponent} */
export function Players({ status, onShown }) {
  const [words, setWords] = useState("");
  const [search, setSearch] = useState("");
  const { answer, error, isStale, retry } = useAnswer("players", { where: condition(), search: search || undefined });
  useEffect(() => {
    const timer = setTimeout(() => setSearch(words.trim()), REST);
    return () => clearTimeout(timer);
  }, [words]);
  useEffect(() => onShown({ command: answer?.command }), [answer]);
  const shown = answer?.rows ?? [];
  const isPart = answer && shown.length < answer.total;
  const title = answer ? `${isPart ? `${number(shown.length)} of ` : ""}${counted(answer.total, "player")}` : "Players";
  /** @type {[head: string, name: string][]} */
  const numbers = ["Games", "Black", "White", "Won", "Lost", "Share", "Years", "Opponents"].map((head) => [head, "number"]);
  const heads = [["Player", "name"], ...numbers, ["Most frequent", "event"]];
  const rows = shown.map((row) => {
    const to = (/** @type {string} */ color) =>
      href({ player: exact(row.name), color, opponent: "", list: color ? "" : "games", ...NO_SHAPE, ...NO_GAME });
    return html`<tr key=${row.name}><th scope="row" class="name"><a href=${href(toPerson(row.name))}
      title=${row.name}>${row.name}</a></th>
      <td class="number"><a href=${to("")} title="All games">${number(row.games)}</a></td>
      <${Count} count=${row.black} color="B" to=${to("B")} /><${Count} count=${row.white} color="W" to=${to("W")} />
      <td class="number">${number(row.won)}</td><td class="number">${number(row.lost)}</td><td
        class="number">${percent(row.share)}</td>
      <td class="number">${span(row.years)}</td><td class="number">${number(row.opponents)}</td><td class="event"
        title=${row.most_frequent}>${row.most_frequent}</td></tr>`;
  });
  const type = (/** @type {{ currentTarget: HTMLInputElement }} */ event) => setWords(event.currentTarget.value);
  return html`<section id="players" class=${classes({ panel: true, stale: isStale })} aria-labelledby="players-title">
    <div class="bar"><h2 id="players-title">${title}</h2><input id="search" type="search" class="search"
      aria-label="Find a player" placeholder="Find a player  ( / )"
      value=${words} onInput=${type} /></div><${Fault} error=${error} onRetry=${retry} />
    <div class="scroll"><table><${Heads} all=${heads} /><tbody>${rows}</tbody></table></div>
    ${
      answer &&
      !shown.length &&
      html`<p class="empty">No players match.</p>
      <${Ways} all=${widerWays(status)} />`
    }</section>`;
}
