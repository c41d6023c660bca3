// The curve of a game: win rate, score and time over the moves of its record, as pictures, a list of drops and a table.

import { html, useMemo, useState } from "./html.js";
import { number, partsOf } from "./format.js";
import { go, href } from "./state.js";
import { Move } from "./next_moves.js";

/** @import { Component } from "./html.js" */
/** @import { ClockReply, EngineLineReply, EngineStep, EvaluationReply, GameReply, LineNode } from "./protocol.d.ts" */

/** @typedef {number | null | undefined} Value */

/// The part of a step that has values.
/** @typedef {{ evaluation?: Partial<EvaluationReply>, clock?: Partial<ClockReply> }} Stated */

/// A fact of a step.
/** @typedef {"winrate" | "lead" | "visits" | "cost" | "points" | "left" | "used"} Fact */

/// A picture: its name, the values at its top and bottom, whether it has values, and its path.
/** @typedef {{ id: string, name: string, top: string, low: string, has: boolean, d: string }} Graph */

/// Number of drops in the list.
const DROPS = 5;

/// Number of moves that Page Up and Page Down go.
const PAGE = 10;

/** @type {(value: Value) => value is number} */
const isKnown = (value) => value !== null && value !== undefined;

/// The steps whose moves cost their players most, the worst first.
/** @type {<Step extends { evaluation?: { cost?: Value } }>(line: Step[]) => Step[]} */
export function dropsOf(line) {
  const costOf = (/** @type {{ evaluation?: { cost?: Value } }} */ { evaluation }) => evaluation?.cost ?? 0;
  const costly = line.filter((step) => costOf(step) > 0);
  return costly.sort((one, other) => costOf(other) - costOf(one)).slice(0, DROPS);
}

/// A path through the values at 0, 1, 2 … A missing value is a gap, and a value between two gaps is a dot.
/** @type {(values: Value[]) => string} */
export function pathOf(values) {
  const at = (/** @type {number} */ index) => isKnown(values[index]);
  return values
    .map((value, index) => {
      if (!at(index)) return "";
      if (at(index - 1)) return `L${index} ${value}`;
      return `M${index} ${value}${at(index + 1) ? "" : "h.01"}`;
    })
    .join("");
}

/** @type {(share: number) => string} */
const rate = (share) => `${(100 * share).toFixed(1)} %`;
/** @type {(points: number) => string} */
const lead = (points) => (points === 0 ? "even" : `${points > 0 ? "B" : "W"}+${Math.abs(points).toFixed(1)}`);

/// Seconds as `1:02:05`, `2:05` or `4.5 s`.
/** @type {(seconds: number) => string} */
export function duration(seconds) {
  if (seconds < 60) return `${Math.round(seconds * 10) / 10} s`;
  const [hours, minutes, rest] = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(Math.floor);
  const two = (/** @type {number} */ part) => `${part}`.padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/// The facts of a step, as texts by their names.
/** @type {(step: Stated) => Record<Fact, string>} */
function factsOf(step) {
  const { evaluation = {}, clock = {} } = step;
  const shown = (/** @type {Value} */ value, /** @type {(value: number) => string} */ write) =>
    isKnown(value) ? write(value) : "";
  const overtime = shown(clock.overtime_moves, (count) => ` (${count} in overtime)`);
  return {
    winrate: shown(evaluation.winrate, rate),
    lead: shown(evaluation.score_lead, lead),
    visits: shown(evaluation.visits, number),
    cost: shown(evaluation.cost, rate),
    points: shown(evaluation.score_cost, (points) => points.toFixed(1)),
    left: shown(clock.time_left, duration) + overtime,
    used: shown(clock.time_used, duration),
  };
}

/// A step as a sentence.
/** @type {(step: LineNode) => string} */
function sentenceOf(step) {
  const { winrate, lead: score, visits, left, used } = factsOf(step);
  const parts = [
    step.number ? `Move ${step.number}, ${step.move}` : "Start",
    winrate && `Black ${winrate}`,
    score,
    visits && `${visits} visits`,
    used && `took ${used}`,
    left && `${left} left`,
  ];
  return parts.filter(Boolean).join(" · ");
}

/// Values of a picture, from 0 at the top to 100: Black is above the middle, White below.
/** @type {(line: LineNode[]) => Graph[]} */
function picturesOf(line) {
  const largest = (/** @type {Value[]} */ values, /** @type {number} */ least) =>
    Math.max(least, ...values.filter(isKnown).map(Math.abs));
  const scaled = (/** @type {Value[]} */ values, /** @type {number} */ most) =>
    values.map((value) => (isKnown(value) ? Number((50 - (50 * value) / most).toFixed(2)) : undefined));
  const rates = line.map((step) => step.evaluation?.winrate);
  const leads = line.map((step) => step.evaluation?.score_lead);
  const times = line.map((step) => step.clock?.time_used);
  const [points, seconds] = [largest(leads, 5), largest(times, 1)];
  const bars = scaled(
    times.map((time, at) => (isKnown(time) && partsOf(line[at].move).color === "W" ? -time : time)),
    seconds,
  );
  return [
    {
      id: "winrate",
      name: "Black’s win rate",
      top: "100 %",
      low: "0 %",
      has: rates.some(isKnown),
      d: pathOf(rates.map((value) => (isKnown(value) ? Number((100 - 100 * value).toFixed(2)) : undefined))),
    },
    {
      id: "lead",
      name: "Score lead",
      top: `B+${Math.round(points)}`,
      low: `W+${Math.round(points)}`,
      has: leads.some(isKnown),
      d: pathOf(scaled(leads, points)),
    },
    {
      id: "time",
      name: "Time for each move: Black above, White below",
      top: duration(seconds),
      low: duration(seconds),
      has: times.some(isKnown),
      d: bars.map((value, at) => (isKnown(value) ? `M${at} 50V${value}` : "")).join(""),
    },
  ].filter(({ has }) => has);
}

/** @type {Component<{ picture: Graph, end: number, drops: LineNode[], line: LineNode[] }>} */
function Picture({ picture, end, drops, line }) {
  const marks = picture.id === "winrate" ? drops : [];
  return html`<figure class=${`curve ${picture.id}`}><figcaption><b>${picture.name}</b> <span
    class="dim">${picture.top} – ${picture.low}</span></figcaption><div class="plot">
    <svg viewBox=${`0 0 ${end} 100`} preserveAspectRatio="none" aria-hidden="true"><path class="middle" d=${`M0 50H${end}`} />
      <path class="values" d=${picture.d} /></svg>
    ${marks.map(
      (step, at) =>
        html`<b key=${step.path} class="drop" style=${{
          left: `${(100 * line.indexOf(step)) / end}%`,
          top: `${100 - 100 * (step.evaluation?.winrate ?? 0.5)}%`,
        }}>${at + 1}</b>`,
    )}</div></figure>`;
}

/** @type {[name: Fact, head: string][]} */
const COLUMNS = [
  ["winrate", "Black wins"],
  ["lead", "Lead"],
  ["cost", "Cost"],
  ["points", "Points"],
  ["visits", "Visits"],
  ["used", "Time"],
  ["left", "Left"],
];

/// The values of the pictures as a table.
/** @type {Component<{ line: LineNode[] }>} */
function Values({ line }) {
  const rows = line.map((step) => ({ step, facts: factsOf(step) })).filter(({ step }) => step.evaluation || step.clock);
  const columns = COLUMNS.filter(([name]) => rows.some(({ facts }) => facts[name]));
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Move</th>${columns.map(
    ([name, head]) => html`<th key=${name} scope="col" class="number">${head}</th>`,
  )}</tr></thead><tbody>${rows.map(
    ({ step, facts }) =>
      html`<tr key=${step.path}><th scope="row"><a href=${href({ path: step.path, tried: [] })}>${
        step.number ? `${step.number}. ${step.move}` : "Start"
      }</a></th>${columns.map(
        ([name]) => html`<td key=${name}
      class="number">${facts[name]}</td>`,
      )}</tr>`,
  )}</tbody></table></div>`;
}

/** @type {Component<{ drops: LineNode[], line: LineNode[] }>} */
function Drops({ drops, line }) {
  if (drops.length) {
    return html`<h3>Largest drops</h3><ol id="drops">${drops.map((step) => {
      const { cost, points } = factsOf(step);
      return html`<li key=${step.path}><a href=${href({ path: step.path, tried: [] })}>Move ${step.number},
        ${" "}<${Move} move=${step.move} /></a> lost ${cost}${points && ` and ${points} points`}</li>`;
    })}</ol>`;
  }
  const [evaluated, judged] = [
    line.filter((step) => step.evaluation),
    line.some(({ evaluation }) => isKnown(evaluation?.cost)),
  ];
  return (
    evaluated.length > 1 &&
    !judged &&
    html`<p class="dim">No move has a cost, because no engine evaluated the
    position before and after it.</p>`
  );
}

/// The pictures, the drops and the table of a line, if its record has evaluations or clocks.
/** @type {Component<{ node: GameReply }>} */
export function Curve({ node }) {
  const { line, at } = node;
  const [isOpen, setIsOpen] = useState(false);
  const key = [node.id, line.at(-1)?.path, line.length, href({ path: "", tried: [] })].join(" ");
  const end = Math.max(1, line.length - 1);
  const drawn = useMemo(() => {
    const [pictures, drops] = [picturesOf(line), dropsOf(line)];
    return {
      has: line.some((step) => step.evaluation || step.clock),
      drops,
      shown: pictures.map((picture) => html`<${Picture} key=${picture.id} ...${{ picture, end, drops, line }} />`),
    };
  }, [key]);
  const table = useMemo(() => isOpen && html`<${Values} line=${line} />`, [key, isOpen]);
  if (!drawn.has) return null;
  const show = (/** @type {number} */ to) =>
    go({ path: line[Math.max(0, Math.min(end, to, line.length - 1))].path, tried: [] });
  const click = (/** @type {{ currentTarget: Element, clientX: number }} */ event) => {
    const plot = event.currentTarget.querySelector(".plot");
    if (!plot) return;
    const { left, width } = plot.getBoundingClientRect();
    show(Math.max(0, Math.round(((event.clientX - left) / width) * end)));
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    const by = event.key === "PageDown" ? PAGE : event.key === "PageUp" ? -PAGE : 0;
    if (!by) return;
    event.preventDefault();
    show(at + by);
  };
  const toggle = (/** @type {{ currentTarget: HTMLDetailsElement }} */ event) => setIsOpen(event.currentTarget.open);
  return html`<section id="curve" aria-label="Curve of the game">
    ${
      drawn.shown.length > 0 &&
      html`<div class="curves" role="slider" tabindex="0" aria-label="Move on the curve"
      aria-valuemin="0" aria-valuemax=${end} aria-valuenow=${at} aria-valuetext=${sentenceOf(line[at])} onClick=${click}
      onKeyDown=${press} style=${{ "--at": at / end }}>${drawn.shown}</div>`
    }
    <p id="stated" class="dim">${sentenceOf(line[at])}</p>
    <${Drops} drops=${drawn.drops} line=${line} />
    <details onToggle=${toggle}><summary>Values of the moves</summary>${table}</details>
  </section>`;
}

/// The variations that an engine proposes in a node, each move a link.
/** @type {Component<{ lines?: EngineLineReply[], path: string }>} */
export function EngineLines({ lines, path }) {
  if (!lines?.length) return null;
  const linkTo = (/** @type {EngineStep[]} */ steps, /** @type {number} */ count) =>
    steps[count].path
      ? href({ path: steps[count].path, tried: [] })
      : href({ path, tried: steps.slice(0, count + 1).map((step) => step.add ?? "") });
  return html`<section id="engine" aria-label="Lines of the engine"><h3>Lines of the engine</h3><ol>${lines.map(
    (line, index) => {
      const { winrate, lead: score, visits } = factsOf({ evaluation: line });
      const facts = [winrate && `Black ${winrate}`, score, visits && `${visits} visits`].filter(Boolean).join(" · ");
      return html`<li key=${index}><span class="dim">${facts}</span> ${line.steps.map(
        (step, count) => html` <a
      key=${count} href=${linkTo(line.steps, count)}>${
        count
          ? partsOf(step.name).point
          : html`<${Move}
        move=${step.name} />`
      }</a>`,
      )}</li>`;
    },
  )}</ol></section>`;
}
