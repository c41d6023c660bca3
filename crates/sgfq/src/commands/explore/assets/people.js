// A person: results, years, opponents and openings, and a second person beside it with their games against each other.

import { Heads, classes, html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { useAnswer, usePages } from "./answers.js";
import { SaveList } from "./copy.js";
import { COLORS, counted, eventOf, fileOf, interval, number, percent, resultOf } from "./format.js";
import { Fault } from "./fault.js";
import { Ways, widerWays } from "./next_moves.js";
import { draw } from "./picture.js";
import { NO_GAME, NO_PERSON, NO_SHAPE, condition, exact, go, href, state, toPerson } from "./state.js";

/** @import { Shown } from "./answers.js" */
/** @import { Component, Ref } from "./html.js" */
/** @import { ViewComponent } from "./page.js" */
/** @import { GameRowReply, OpeningReply, PartReply, PersonReply, Ready, RecordReply } from "./protocol.d.ts" */
/** @import { Changes } from "./state.js" */

/// Heads of a table: names and classes.
/** @typedef {[head: string, name: string][]} Columns */

/** @typedef {{ from: number, to: number, games: number, won: number }} Bar */

/// Openings of each color, opponents, and games of two persons that are shown at first.
const OPENINGS = 6;
const OPPONENTS = 8;
const GAMES = 12;

/// Bars of years. If there are more years, a bar is several of them.
const BARS = 40;

/** @type {(years: number[] | null) => string} */
const span = (years) => (years ? [...new Set(years)].join("–") : "");

/// Changes of the state that lead to games of persons, in the list of games or at a position.
/** @type {(player: string, opponent?: string, more?: Changes) => Changes} */
const toGames = (player, opponent = "", more = {}) => ({
  ...NO_PERSON,
  ...NO_SHAPE,
  ...NO_GAME,
  list: "games",
  player: exact(player),
  opponent: opponent && exact(opponent),
  color: "",
  ...more,
});

/** @type {Component<{ to: Changes, children?: unknown, label?: string }>} */
const Link = ({ to, children, label = undefined }) => html`<a href=${href(to)} aria-label=${label}>${children}</a>`;

/// The position of an opening, without coordinates.
/** @type {Component<{ svg: string }>} */
function SmallBoard({ svg }) {
  /** @type {Ref} */
  const frame = useRef();
  useLayoutEffect(() => {
    draw(frame.current, svg, false, undefined);
  }, [svg]);
  return html`<span class="small-board" ref=${frame} aria-hidden="true" />`;
}

/// Games, wins and losses in total and by color.
/** @type {Component<{ answer: PersonReply }>} */
function Results({ answer }) {
  const { name, against } = answer;
  /** @type {[title: string, row: RecordReply, color: string][]} */
  const rows = [["All games", answer, ""]];
  for (const part of answer.colors) rows.push([`As ${COLORS[part.name]}`, part, part.name]);
  /** @type {Columns} */
  const heads = [
    ["Games", ""],
    ["Number", "number"],
    ["Won", "number"],
    ["Lost", "number"],
    ["Won of decided", "number"],
  ];
  return html`<table class="record"><${Heads} all=${heads} /><tbody>${rows.map(
    ([title, row, color]) => html`<tr key=${title}>
    <th scope="row">${title}</th>
    <td class="number"><${Link} to=${toGames(name, against ?? "", { color })}
      label=${`${title}: ${counted(row.games, "game")}`}>${number(row.games)}<//></td>
    <td class="number">${number(row.won)}</td><td class="number">${number(row.lost)}</td>
    <td class="number">${interval(row.share, row.low, row.high)}</td></tr>`,
  )}</tbody></table>`;
}

/// Groups of years with their games, from the first year to the last.
/** @type {(byYear: Pick<PartReply, "name" | "games" | "won">[]) => Bar[]} */
export function barsOf(byYear) {
  const years = byYear.map((part) => ({ year: Number(part.name), games: part.games, won: part.won }));
  if (!years.length) return [];
  const [first, last] = [years[0].year, years[years.length - 1].year];
  const width = [1, 2, 5, 10, 20, 50, 100].find((step) => (last - first + 1) / step <= BARS) ?? 500;
  const start = first - (first % width);
  const bars = Array.from({ length: Math.floor((last - start) / width) + 1 }, (_, at) => ({
    from: start + at * width,
    to: start + (at + 1) * width - 1,
    games: 0,
    won: 0,
  }));
  for (const { year, games, won } of years) {
    const bar = bars[Math.floor((year - start) / width)];
    bar.games += games;
    bar.won += won;
  }
  return bars;
}

/// Bars of games by year.
/** @type {Component<{ answer: PersonReply }>} */
function Years({ answer }) {
  const bars = barsOf(answer.by_year);
  if (bars.length < 2) return null;
  const most = Math.max(...bars.map((bar) => bar.games));
  const says = (/** @type {Bar} */ { from, to, games, won }) =>
    `${span([from, to])}: ${counted(games, "game")}, ${number(won)} won`;
  return html`<h3>Years</h3><div class="years"><ol>${bars.map(
    (bar) => html`<li key=${bar.from}
    title=${says(bar)}><i style=${{ height: `${(100 * bar.games) / most}%` }} /><span class="hidden">${says(bar)}</span></li>`,
  )}</ol>
    <p class="dim" aria-hidden="true"><span>${answer.years?.[0]}</span><span>at most ${counted(most, "game")}</span><span>${answer.years?.[1]}</span></p></div>`;
}

/** @type {Component<{ answer: PersonReply }>} */
function Opponents({ answer }) {
  const [isLong, setIsLong] = useState(false);
  const all = answer.opponents;
  const shown = isLong ? all : all.slice(0, OPPONENTS);
  /** @type {Columns} */
  const heads = [
    ["Name", "name"],
    ["Games", "number"],
    ["Won", "number"],
    ["Lost", "number"],
    ["Won of decided", "number"],
  ];
  return html`<h3>${counted(answer.opponents_total, "opponent")}</h3>
    ${
      all.length > 0 &&
      html`<table><${Heads} all=${heads} /><tbody>${shown.map(
        (row) => html`<tr key=${row.name}>
      <th scope="row" class="name"><${Link} to=${{ person: answer.name, against: row.name }}
        label=${`${answer.name} against ${row.name}`}>${row.name}<//></th>
      <td class="number">${number(row.games)}</td><td class="number">${number(row.won)}</td>
      <td class="number">${number(row.lost)}</td><td class="number">${interval(row.share, row.low, row.high)}</td></tr>`,
      )}
    </tbody></table>`
    }
    ${
      shown.length < all.length &&
      html`<button class="more" onClick=${() => setIsLong(true)}>${all.length - shown.length} more opponents</button>`
    }
    ${
      shown.length === all.length &&
      all.length < answer.opponents_total &&
      html`<p><${Link} to=${{ ...toGames(answer.name), list: "players" }}>All opponents<//></p>`
    }`;
}

/// The positions after the first moves, as boards that lead to the games.
/** @type {Component<{ answer: PersonReply, color: string }>} */
function Openings({ answer, color }) {
  const [isLong, setIsLong] = useState(false);
  const all = answer.openings.filter((opening) => opening.color === color);
  const games = answer.colors.find((part) => part.name === color)?.games ?? 0;
  if (!all.length) return null;
  const shown = isLong ? all : all.slice(0, OPENINGS);
  const figure = (/** @type {OpeningReply} */ opening) => {
    const moves = opening.spelled.replace(/[[\]]/g, (sign) => (sign === "[" ? " " : ""));
    const share = percent(opening.games / games);
    const result = opening.share === null ? "no results" : `won ${interval(opening.share, opening.low, opening.high)}`;
    const to = {
      ...toGames(answer.name, answer.against ?? "", { color }),
      list: "",
      board: opening.board,
      moves: opening.moves.split(" ").filter(Boolean),
    };
    return html`<li key=${`${opening.board} ${opening.moves}`}><a href=${href(to)} title=${`${opening.board}: ${moves}`}
      aria-label=${`${opening.board}, ${moves}: ${share}, ${counted(opening.games, "game")}, ${result}`}>${
        opening.svg ? html`<${SmallBoard} svg=${opening.svg} />` : html`<span class="small-text">${moves}</span>`
      }
      <b>${share}</b> <span class="dim">${number(opening.games)}</span><br /><small>${result}</small></a></li>`;
  };
  return html`<h3>Openings as ${COLORS[color]}</h3><ul class="openings">${shown.map(figure)}</ul>
    ${
      shown.length < all.length &&
      html`<button class="more" onClick=${() => setIsLong(true)}>${all.length - shown.length} more openings</button>`
    }`;
}

/// Links that help where a person has no games.
/** @type {Component<{ name: string, status: Ready, isPair?: boolean }>} */
function Nobody({ name, status, isPair = false }) {
  const { answer } = useAnswer("names", { prefix: name.split(/\s+/)[0], count: 5 });
  const names = isPair ? [] : (answer?.rows ?? []).filter((row) => row.name !== name);
  return html`<p class="empty">${isPair ? "They have no games against each other." : `No game names ${name}.`}</p>
    <${Ways} all=${[
      ...widerWays(status),
      ...names.map((row) => [`${row.name} (${number(row.games)})`, toPerson(row.name)]),
      ["All players", { ...NO_PERSON, list: "players" }],
    ]} />`;
}

/** @type {(name: string) => string} */
const quoted = (name) => `'${name.replaceAll("'", "''")}'`;

/// The filter of the games of a person, or of two persons against each other.
/** @type {(name: string, against?: string | null) => string} */
const gamesOf = (name, against) =>
  [condition() && `(${condition()})`, `player = ${quoted(name)}`, against && `opponent = ${quoted(against)}`]
    .filter(Boolean)
    .join(" AND ");

/// What is known of one person.
/** @type {Component<{ name: string, status: Ready, shown: Shown<PersonReply>, level: string }>} */
function Person({ name, status, shown, level }) {
  const { answer, error, isStale, retry } = shown;
  const id = `person-${level}`;
  const spellings = (answer?.spellings ?? []).filter((part) => part.name !== answer?.name);
  return html`<section class=${classes({ panel: true, person: true, stale: isStale })} aria-labelledby=${id}>
    <h2 id=${id}>${answer?.name ?? name}</h2><${Fault} error=${error} onRetry=${retry} />
    ${!answer && !error && html`<p class="empty">Counting games …</p>`}
    ${answer && !answer.games && html`<${Nobody} name=${answer.name} status=${status} />`}
    ${
      answer &&
      answer.games > 0 &&
      html`<div class="bar"><p class="dim">${counted(answer.games, "game")}${
        answer.years ? `, ${span(answer.years)}` : ""
      }</p><${SaveList} asked=${{ all: true, where: gamesOf(answer.name), sort: "dt" }} /></div>
      ${
        spellings.length > 0 &&
        html`<p class="spellings">Also written ${spellings.map(
          (part, at) => html`${at ? ", " : ""}<b>${part.name}</b> (${number(part.games)})`,
        )}</p>`
      }
      <div class="halves"><div><${Results} answer=${answer} /><${Years} answer=${answer} /><${Opponents} answer=${answer} /></div>
      <div><${Openings} answer=${answer} color="B" /><${Openings} answer=${answer} color="W" /></div></div>`
    }
    </section>`;
}

/// The games of two persons against each other.
/** @type {Component<{ shown: Shown<PersonReply>, status: Ready }>} */
function Pair({ shown, status }) {
  const { answer, error, isStale, retry } = shown;
  const asked = answer && answer.games > 0 ? { all: true, where: gamesOf(answer.name, answer.against), sort: "dt" } : undefined;
  const games = usePages("games", asked, { count: GAMES });
  const open = (/** @type {GameRowReply} */ row) =>
    toGames(answer?.name ?? "", answer?.against ?? "", { game: `${row.id}`, sort: "dt" });
  /** @type {Columns} */
  const heads = [
    ["Date", "date"],
    ["Black", "name"],
    ["White", "name"],
    ["Result", "result-text"],
    ["Event", "event"],
  ];
  return html`<section id="pair" class=${classes({ panel: true, stale: isStale })} aria-labelledby="pair-title">
    <h2 id="pair-title">${answer ? `${answer.name} – ${answer.against}: ${counted(answer.games, "game")}` : "Games of both"}</h2>
    <${Fault} error=${error ?? games.error} onRetry=${retry} />
    ${answer && !answer.games && html`<${Nobody} name=${answer.name} status=${status} isPair=${true} />`}
    ${
      answer &&
      answer.games > 0 &&
      html`<p>${answer.name} won <b>${number(answer.won)}</b>, ${answer.against} won <b>${number(answer.lost)}</b>${
        answer.games > answer.won + answer.lost ? `, ${number(answer.games - answer.won - answer.lost)} without a winner` : ""
      }${answer.years ? `; ${span(answer.years)}` : ""}.</p>
      <div class="halves"><div><${Results} answer=${answer} /><${Years} answer=${answer} /></div>
      <div><div class="bar"><h3>Games</h3><${SaveList} asked=${asked} /></div><div class="scroll"><table id="pair-games"><${Heads} all=${heads} /><tbody>${games.rows.map(
        (row) => html`<tr key=${row.id}>
        <td class="date">${row.dt}</td><td class="name"><${Link} to=${open(row)}>${row.pb || fileOf(row.name)}<//></td>
        <td class="name">${row.pw}</td><td class="result-text">${resultOf(row.re)}</td>
        <td class="event" title=${eventOf(row.ev)}>${eventOf(row.ev)}</td></tr>`,
      )}</tbody></table></div>
      ${
        games.more &&
        html`<button class="more" onClick=${games.more}>More games (${number(
          (games.answer?.total ?? 0) - games.rows.length,
        )} left)</button>`
      }</div></div>`
    }</section>`;
}

/// The field that puts a second person beside the first.
function Against() {
  const [text, setText] = useState("");
  const { answer } = useAnswer("names", text.length > 1 ? { prefix: text, count: 12 } : undefined);
  const type = (/** @type {{ currentTarget: HTMLInputElement }} */ event) => setText(event.currentTarget.value);
  const compare = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (text.trim()) go({ against: text.trim() });
  };
  const { person, against } = state;
  return html`<form class="bar" role="search" onSubmit=${compare}><label for="search">Against</label>
    <input id="search" list="opponents" value=${text} onInput=${type}
      placeholder="a second name" autocomplete="off" spellcheck=${false} />
    <datalist id="opponents">${answer?.rows.map((row) => html`<option value=${row.name}>${number(row.games)}</option>`)}</datalist>
    <button>Compare</button>
    ${
      against &&
      html`<a class="button" href=${href({ person: against, against: person })}>Swap</a>
      <a class="button" href=${href({ against: "" })}>Only ${person}</a>`
    }
    <a class="button" href=${href({ ...NO_PERSON, list: "players" })}>All players</a></form>`;
}

/// A person, and maybe another one.
/** @type {ViewComponent} */
export function PersonView({ status, onShown }) {
  const { person, against } = state;
  const more = { where: condition(), variations: state.variations || undefined };
  const one = useAnswer("person", { person, ...more });
  const other = useAnswer("person", against ? { person: against, ...more } : undefined);
  // The server then finds these games among the games of the person.
  const pair = useAnswer("person", against && one.answer && !one.isStale ? { person, against, ...more } : undefined);
  const main = against ? pair.answer : one.answer;
  useEffect(() => onShown({ command: main?.command }), [main]);
  return html`<div id="people" class=${classes({ people: true, two: against })}><div class="panel"><${Against} key=${`${person} ${against}`} /></div>
    ${against && html`<${Pair} shown=${{ ...pair, isStale: pair.isStale || one.isStale }} status=${status} />`}
    <div class="cards"><${Person} name=${person} status=${status} shown=${one} level="1" />
      ${against && html`<${Person} name=${against} status=${status} shown=${other} level="2" />`}</div></div>`;
}
