// The players of the games that the filters select, and their openings.

import { Heads, classes, html, unseen, useEffect, useState } from "./html.js";
import { useAnswer } from "./answers.js";
import { counted, interval, number, percent } from "./format.js";
import { NO_GAME, NO_SHAPE, chosen, condition, href } from "./state.js";
import { Fault } from "./fault.js";
import { Ways, widerWays } from "./next_moves.js";

/// Moves of an opening.
const DEPTH = 4;

/// Milliseconds of rest after which the field searches.
const REST = 250;

const span = (all) => (all ? [...new Set(all)].join("–") : "");

/// A count that links to the games with one color.
function Count({ count, color, to }) {
  const side = color === "B" ? "Black" : "White";
  return html`<td class="number">${count ? html`<a href=${to} title=${`Games as ${side}`}>${number(count)}</a>` : "0"}</td>`;
}

/// The most frequent openings of a player. Rotated and mirrored boards count as equal.
function Openings({ player, onShown }) {
  const { answer, error, isStale } = useAnswer("openings", { player, depth: DEPTH, ...chosen() });
  useEffect(() => answer && onShown({ command: answer.command }), [answer]);
  if (error || !answer || isStale) return error ? html`<${Fault} error=${error} />` : html`<p
    class="dim">Counting openings …</p>`;
  if (!answer.rows.length) return html`<p class="empty">No game of this player begins with an empty board.</p>`;
  const numbers = ["Games", "Black", "White", "Won", "Years"].map((head) => [head, "number"]);
  return html`<table><${Heads} all=${[[`First ${DEPTH} moves`, ""], ["Board", ""], ...numbers]} />
    <tbody>${answer.rows.map((row) => {
      const to = (color) => href({ player: `"${player}"`, color, board: row.board,
        moves: row.moves.split(" ").filter(Boolean), list: "", ...NO_SHAPE, ...NO_GAME });
      const spelled = row.spelled.replace(/[[\]]/g, (sign) => (sign === "[" ? " " : ""));
      return html`<tr><th scope="row">${row.moves ? html`<a href=${to("")}>${spelled}</a>` : "no move"}</th>
        <td>${row.board}</td><td class="number">${number(row.games)}</td>
        <${Count} count=${row.black} color="B" to=${to("B")} /><${Count} count=${row.white} color="W" to=${to("W")} />
        <td class="number">${interval(row.share, row.low, row.high)}</td><td class="number">${span(row.years)}</td></tr>`;
    })}</tbody></table>`;
}

export function Players({ status, onShown }) {
  const [words, setWords] = useState("");
  const [search, setSearch] = useState("");
  const { answer, error, isStale, retry } = useAnswer("players", { where: condition(), search: search || undefined });
  useEffect(() => {
    const timer = setTimeout(() => setSearch(words.trim()), REST);
    return () => clearTimeout(timer);
  }, [words]);
  const [opened, setOpened] = useState("");
  useEffect(() => onShown({ command: answer?.command }), [answer]);
  const shown = answer?.rows ?? [];
  const isPart = answer && shown.length < answer.total;
  const title = answer ? `${isPart ? `${number(shown.length)} of ` : ""}${counted(answer.total, "player")}` : "Players";
  const numbers = ["Games", "Black", "White", "Won", "Lost", "Share", "Years", "Opponents"].map((head) => [head, "number"]);
  const heads = [["Player", "name"], ...numbers, ["Most frequent", "event"], [unseen("Openings"), ""]];
  const rows = shown.map((row) => {
    const to = (color) => href({ player: `"${row.name}"`, color, list: "", ...NO_SHAPE, ...NO_GAME });
    const isOpen = opened === row.name;
    return [html`<tr key=${row.name}><th scope="row" class="name"><a href=${to("")} title=${row.name}>${row.name}</a></th>
      <td class="number">${number(row.games)}</td>
      <${Count} count=${row.black} color="B" to=${to("B")} /><${Count} count=${row.white} color="W" to=${to("W")} />
      <td class="number">${number(row.won)}</td><td class="number">${number(row.lost)}</td><td
        class="number">${percent(row.share)}</td>
      <td class="number">${span(row.years)}</td><td class="number">${number(row.opponents)}</td><td class="event"
        title=${row.most_frequent}>${row.most_frequent}</td>
      <td><button class="unfold" aria-expanded=${`${isOpen}`} aria-label=${`Openings of ${row.name}`}
        onClick=${() => setOpened(isOpen ? "" : row.name)}>Openings</button></td></tr>`,
    isOpen && html`<tr key=${`${row.name} openings`} class="under"><td colspan="11"><${Openings} player=${row.name}
      onShown=${onShown} /></td></tr>`];
  });
  return html`<section id="players" class=${classes({ panel: true, stale: isStale })} aria-labelledby="players-title">
    <div class="bar"><h2 id="players-title">${title}</h2><input id="search" type="search" class="search"
      aria-label="Find a player" placeholder="Find a player  ( / )"
      value=${words} onInput=${(event) => setWords(event.target.value)} /></div><${Fault} error=${error} onRetry=${retry} />
    <div class="scroll"><table><${Heads} all=${heads} /><tbody>${rows}</tbody></table></div>
    ${answer && !shown.length && html`<p class="empty">No players match.</p>
      <${Ways} all=${widerWays(status)} />`}</section>`;
}
