// What the games say about a position: comments, names, labels and judgments, beside the next moves.

import { TextBox, classes, html, useState } from "./html.js";
import { usePages } from "./answers.js";
import { SaveList } from "./copy.js";
import { counted, titleOf } from "./format.js";
import { NO_GAME, href } from "./state.js";
import { notice } from "./save.js";

/** @import { Pages } from "./answers.js" */
/** @import { Component } from "./html.js" */
/** @import { LabelPoint, QuestionRequest, SaidReply, SaidRow } from "./protocol.d.ts" */

/** @typedef {Pages<"said"> & { asked?: QuestionRequest, isLongest: boolean, setIsLongest: (isLongest: boolean) => void }} Remarks */

/// The address after a move, if the page can play it.
/** @typedef {(move: { add: string | null, next: string }) => string | undefined | false} LinkTo */

/// Number of remarks per request.
const ROWS = 10;

/// A text as a value of a property. In a pair, `:` separates the parts.
/** @type {(text: string, isPair?: boolean) => string} */
export const escaped = (text, isPair = false) => text.replace(isPair ? /[\]\\:]/g : /[\]\\]/g, "\\$&");

/// A remark as properties of a node, on the board of the page.
/** @type {(row: SaidRow) => string} */
export function asProperties(row) {
  const words = [row.name, row.judgments.join(", "), row.comment].filter(Boolean).join("\n");
  const from = `(${titleOf({ ...row, name: row.game })}${row.dt ? `, ${row.dt}` : ""})`;
  const labels = row.labels.map(({ sgf, label }) => `[${sgf}:${escaped(label, true)}]`).join("");
  return `C[${escaped(words ? `${words}\n${from}` : from)}]${labels ? `LB${labels}` : ""}`;
}

/// The parts of a comment: texts, and labels that the author wrote in quotes or brackets, each with its point.
/** @type {(comment: string, labels: LabelPoint[]) => (string | LabelPoint)[]} */
export function labeledParts(comment, labels) {
  const known = new Map(labels.map((label) => [label.label, label]));
  /** @type {(string | LabelPoint)[]} */
  const parts = [];
  let end = 0;
  for (const found of comment.matchAll(/(['"‘’“”(「])\s?([^\s'"‘’“”()「」*]{1,3})\s?\*?['"‘’“”)」]/g)) {
    const label = known.get(found[2]);
    if (!label) continue;
    const at = found.index + found[0].length;
    parts.push(comment.slice(end, at), label);
    end = at;
  }
  return [...parts, comment.slice(end)];
}

/// Judgments of the next moves as texts, by their `add`: `mistake (BM), 2`.
/** @type {(answer?: SaidReply) => Map<string, string>} */
export function judgedMoves(answer) {
  const texts = new Map();
  for (const { add, judgment, count } of answer?.judged ?? []) {
    const text = count > 1 ? `${judgment}, ${count}` : judgment;
    texts.set(add, texts.has(add) ? `${texts.get(add)}; ${text}` : text);
  }
  return texts;
}

/// The remarks about the position of a question, and the order of the list.
/** @type {(asked?: QuestionRequest) => Remarks} */
export function useSaid(asked) {
  const [isLongest, setIsLongest] = useState(false);
  const pages = usePages("said", asked && { ...asked, longest: isLongest || undefined }, { count: ROWS, isPatient: true });
  return { ...pages, asked, isLongest, setIsLongest };
}

/** @type {(row: SaidRow) => Promise<void>} */
async function copy(row) {
  try {
    await navigator.clipboard.writeText(asProperties(row));
    notice("Copied as a comment.");
  } catch {
    notice("The browser does not allow the page to copy.");
  }
}

/** @type {Component<{ row: SaidRow, turn: string, linkTo: LinkTo }>} */
function Remark({ row, turn, linkTo }) {
  const link = (/** @type {LabelPoint} */ { label, point, sgf }, /** @type {boolean} */ isShort) => {
    const to = linkTo({ add: `${turn}[${sgf}]`, next: point });
    const text = isShort ? point : html`<b>${label}</b> ${point}`;
    return to ? html`<a key=${label} class="label" href=${to}>${text}</a>` : html`<span class="label">${text}</span>`;
  };
  const parts = labeledParts(row.comment ?? "", row.labels);
  const notes = [
    row.dt,
    row.is_exchanged && "colors swapped",
    row.symmetry !== "identity" && row.comment && "points as in the game",
  ]
    .filter(Boolean)
    .join(" · ");
  return html`<li>
    <p class="head"><b title=${row.game}>${titleOf({ ...row, name: row.game })}</b> <span class="dim">${notes}</span></p>
    ${row.judgments.length > 0 && html`<p class="judgment">${row.judgments.join(", ")}</p>`}
    ${
      (row.name || row.comment) &&
      html`<${TextBox} class="words">${row.name && html`<b>${row.name}</b>${"\n"}`}${parts.map((part) =>
        typeof part === "string" ? part : html` ${link(part, true)}`,
      )}<//>`
    }
    <p class="bar">${row.labels.map((label) => link(label, false))}
      <a class="button" href=${href({ ...NO_GAME, game: `${row.id}`, path: row.node })}>Open</a>
      <button onClick=${() => copy(row)}>Copy as comment</button></p></li>`;
}

/// The remarks beside the next moves. `own` is the node that is shown already; `linkTo` returns the address after a move.
/** @type {Component<{ said: Remarks, turn: string, linkTo: LinkTo, own?: { id: number, path?: string } }>} */
export function Said({ said, turn, linkTo, own }) {
  const { answer, rows, isLongest, setIsLongest, isStale, more } = said;
  const shown = rows.filter((row) => !(row.id === own?.id && row.node === own?.path));
  if (!answer || shown.length === 0) return null;
  const others = answer.total - (rows.length - shown.length);
  const order = (
    /** @type {boolean} */ longest,
    /** @type {string} */ name,
  ) => html`<button aria-pressed=${`${isLongest === longest}`}
    onClick=${() => setIsLongest(longest)}>${name}</button>`;
  return html`<section id="said" class=${classes({ panel: true, stale: isStale })} aria-labelledby="said-title">
    <div class="bar"><h2 id="said-title">What was said here</h2><span class="dim">${counted(others, "remark")}</span>
      ${others > 1 && html`<span class="joined">${order(false, "Newest")}${order(true, "Longest")}</span>`}
      <${SaveList} asked=${{ ...said.asked, said: true }} file="said.sgf" /></div>
    <ol>${shown.map((row) => html`<${Remark} key=${`${row.id} ${row.node}`} ...${{ row, turn, linkTo }} />`)}</ol>
    ${more && html`<button class="more" onClick=${more}>More remarks</button>`}
    ${
      answer.read < answer.games &&
      html`<p class="dim">From the newest ${answer.read} of ${counted(answer.games, "game")} that say something here.</p>`
    }
  </section>`;
}
