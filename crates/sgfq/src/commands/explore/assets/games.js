// Lists of games: beside a position, and all games of the archive.

import { Heads, classes, html, useEffect, useRef, useState, withCode } from "./html.js";
import { usePages, useAnswer } from "./answers.js";
import { counted, eventOf, fileOf, folderOf, number, player, resultOf, shortName, titleOf } from "./format.js";
import { go, href, question, state } from "./state.js";
import { Board } from "./board.js";
import { SaveList } from "./copy.js";
import { Move, Ways, widerWays } from "./next_moves.js";
import { Fault } from "./fault.js";
import { solved } from "./solved.js";

/** @import { Component, Ref } from "./html.js" */
/** @import { ViewComponent } from "./page.js" */
/** @import { GameRowReply, GamesRequest } from "./protocol.d.ts" */

/// The address of a game of a list, at the node that matched.
/** @type {(row: GameRowReply, board?: string) => string} */
const linkTo = (row, board) =>
  href({ game: `${row.id}`, move: `${row.move}`, path: row.path ?? "", tried: [], ...(board ? { board } : {}) });

/// The games of a position: short rows.
/** @type {Component<{ board?: string, asked: GamesRequest }>} */
export function PositionGames({ board, asked }) {
  const question = { ...asked, board: asked.board ?? board };
  const { answer, rows, isStale, more } = usePages("games", question, { isPatient: true });
  const list = rows.map(
    (row) => html`<tr key=${row.id}>
    <td class="name"><a href=${linkTo(row, board)} data-id=${row.id} title=${row.name}>${titleOf(row)}</a></td>
    <td class="result-text">${resultOf(row.re)}</td><td class="date">${row.dt}</td><td class="event"
      title=${row.name}>${eventOf(row.ev) || fileOf(row.name)}</td>
    <td class="move">${row.next !== "end" && html`<span class="dim">${row.move + 1}.</span> `}<${Move}
      move=${row.next === "end" && !row.move && Number(row.moves) ? "setup" : row.next} /></td></tr>`,
  );
  /** @type {[head: string, name: string][]} */
  const heads = [
    ["Game", "name"],
    ["Result", "result-text"],
    ["Date", "date"],
    ["Event", "event"],
    ["Next", "move"],
  ];
  return html`<section id="games" class=${classes({ panel: true, stale: isStale })} aria-labelledby="games-title">
    <div class="bar"><h2 id="games-title">${answer ? counted(answer.total, "game") : "Games"}</h2>
      ${rows.length > 0 && html`<${SaveList} asked=${question} />`}</div>
    ${rows.length > 0 && html`<table id="list"><${Heads} all=${heads} /><tbody>${list}</tbody></table>`}
    ${more && html`<button class="more" onClick=${more}>More games</button>`}
  </section>`;
}

/** @typedef {[key: string, head: string, kind: string, cell: (row: GameRowReply) => string]} Column */

/// Columns of all games: sort key, head, class and cell.
/** @type {Column[]} */
const COLUMNS = [
  ["pb", "Black", "name", (row) => player(row.pb, "")],
  ["br", "Rank", "rank", (row) => row.br],
  ["pw", "White", "name", (row) => player(row.pw, "")],
  ["wr", "Rank", "rank", (row) => row.wr],
  ["re", "Result", "result-text", (row) => resultOf(row.re)],
  ["dt", "Date", "date", (row) => row.dt],
  ["ev", "Event", "event", (row) => eventOf(row.ev) || folderOf(row.name)],
  ["km", "Komi", "number komi", (row) => row.km],
  ["moves", "Moves", "number moves-count", (row) => row.moves],
];

/** @type {Component<{ column: Column }>} */
function Head({ column }) {
  const [key, name, kind] = column;
  const isSorted = state.sort === key;
  const sorted = isSorted ? (state.descending ? "descending" : "ascending") : undefined;
  const to = href({ sort: key, descending: isSorted ? !state.descending : false });
  return html`<th scope="col" class=${kind} aria-sort=${sorted}><a href=${to} title=${`Sort by ${name}`}>${name}<span
    aria-hidden="true">${isSorted ? (state.descending ? " ▼" : " ▲") : ""}</span></a></th>`;
}

/// A preview of a game shows its opening. Short games are problems, whose moves would give the answer away.
const [LONG, OPENING] = [60, 30];

/// The board of the game under the pointer.
/** @type {Component<{ row?: GameRowReply, inputs: string[] }>} */
function Preview({ row, inputs }) {
  const [late, setLate] = useState(row);
  useEffect(() => {
    const timer = setTimeout(() => setLate(row), 120);
    return () => clearTimeout(timer);
  }, [row]);
  const path = late?.path;
  const { answer, isStale } = useAnswer(
    "game",
    late && { id: late.id, ...(path ? { path } : { move: late.move || (Number(late.moves) > LONG ? OPENING : 0) }) },
  );
  if (!late || !row) return null;
  return html`<aside id="preview" class="panel" aria-hidden="true">
    ${
      answer?.no_board
        ? html`<p class="empty">${answer.no_board}</p>`
        : answer &&
          html`<${Board} svg=${answer.svg}
      points=${answer.points} label="" isStale=${isStale} hasCoordinates=${false} />`
    }
    <p><b>${titleOf(late)}</b></p><p class="dim">${[late.re, late.dt, eventOf(late.ev)].filter(Boolean).join(" · ")}</p>
    ${late.excerpt && html`<p class="excerpt"><${Excerpt} row=${late} /></p>`}
    <p class="dim path">${shortName(late.name, inputs)}</p></aside>`;
}

/// The message of a finding, or the text with the searched words, which are marked.
/** @type {Component<{ row: GameRowReply }>} */
function Excerpt({ row: { excerpt = "" } }) {
  if (state.code) return withCode(excerpt);
  const words = state.search
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const parts = words.length ? excerpt.split(new RegExp(`(${words.join("|")})`, "iu")) : [excerpt];
  return parts.map((part, at) => (at % 2 ? html`<mark>${part}</mark>` : part));
}

/// All games that the filters select, in a table. A click on a head sorts it.
/** @type {ViewComponent} */
export function AllGames({ status }) {
  const asked = question();
  const { answer, rows, error, isStale, retry, more } = usePages("games", asked);
  const [row, setRow] = useState(/** @type {GameRowReply | undefined} */ (undefined));
  /** @type {Ref<HTMLInputElement>} */
  const field = useRef();
  const known = solved();
  const search = (/** @type {Event} */ event) => {
    event.preventDefault();
    go({ search: field.current.value.trim(), sort: state.sort });
  };
  const cellOf = (/** @type {GameRowReply} */ each, /** @type {Column} */ [key, , kind, cell]) => {
    const hasNames = each.pb || each.pw;
    const link =
      key === "pb" &&
      html`<a href=${linkTo(each)} data-id=${each.id} title=${each.name}
      aria-label=${titleOf(each)}>${hasNames ? cell(each) : fileOf(each.name)}</a>
      ${known.has(each.name) && html`<span class="solved" title="Solved">✓</span>`}`;
    // A file name takes the columns of the players.
    return html`<td class=${classes({ [kind]: true, file: link && !hasNames })}>${
      link || (key === "pw" && !hasNames ? "" : cell(each))
    }</td>`;
  };
  const list = rows.map((each) => {
    const point = () => setRow(each);
    return [
      html`<tr key=${each.id} onMouseEnter=${point} onFocusIn=${point}>${COLUMNS.map((column) => cellOf(each, column))}</tr>`,
      each.excerpt &&
        html`<tr key=${`${each.id} text`} class="under" onMouseEnter=${point}><td class="excerpt"
      colspan=${COLUMNS.length}><${Excerpt} row=${each} /></td></tr>`,
    ];
  });
  const total = answer ? counted(answer.total, "game") : "Games";
  const hasQuery = state.search || state.code;
  return html`<div class="wide-view"><section id="games" class=${classes({ panel: true, stale: isStale })}
    aria-labelledby="games-title">
    <div class="bar"><h2 id="games-title">${total}${state.code && html` with <code>${state.code}</code>`}</h2>
      <form class="search" role="search" onSubmit=${search}><input id="search" type="search" ref=${field}
        key=${state.search} value=${state.search} aria-label="Search names and texts"
        placeholder="Names, events, comments  ( / )" /><button>Search</button></form>
      ${hasQuery && html`<a href=${href({ search: "", code: "" })}>Show all games</a>`}
      ${rows.length > 0 && html`<${SaveList} asked=${asked} />`}</div>
    <${Fault} error=${error} onRetry=${retry} />
    ${
      rows.length > 0
        ? html`<table id="list" class="all"><thead><tr>${COLUMNS.map(
            (column) => html`<${Head}
      column=${column} />`,
          )}</tr></thead>
      <tbody>${list}</tbody></table>`
        : answer &&
          html`<p
        class="empty">No games match.</p><${Ways} all=${[
          ["Show all games", hasQuery && { search: "", code: "" }],
          ...widerWays(status),
        ]} />`
    }
    ${more && html`<button class="more" onClick=${more}>More games (${number((answer?.total ?? 0) - rows.length)} left)</button>`}
    </section><${Preview} row=${row ?? rows[0]}
      inputs=${status.inputs} /></div>`;
}
