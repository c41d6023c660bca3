// The table of next moves.

import { Heads, classes, html, unseen, useState } from "./html.js";
import { classOf, counted, interval, number, partsOf, percent, years } from "./format.js";
import { placeOf } from "./board.js";
import { NO_FILTERS, condition, href, state } from "./state.js";

/** @import { Component } from "./html.js" */
/** @import { LetteredReply } from "./board.js" */
/** @import { Ready } from "./protocol.d.ts" */
/** @import { Changes } from "./state.js" */

/// A link that helps: its name, and its changes of the state if it applies.
/** @typedef {[name: string, changes?: Changes | false | "" | null]} Way */

/// Number of rows shown at first, because many moves occur only once.
const ROWS = 12;

/// Parts of a bar: games that Black won, and games that White won.
/** @type {Component<{ black: number, white: number, count: number }>} */
export function Wins({ black, white, count }) {
  const decided = black + white;
  const title = decided ? `Black won ${number(black)}, White won ${number(white)} of ${counted(count, "game")}` : "no results";
  return html`<span class="wins" title=${title}>${
    decided > 0 &&
    html`<i class="b"
    style=${{ width: `${(100 * black) / decided}%` }} />
    <i class="w" style=${{ width: `${(100 * white) / decided}%` }} />`
  }</span>`;
}

/// A move with the stone of its color.
/** @type {Component<{ move?: string | null }>} */
export function Move({ move }) {
  const { color, point } = partsOf(move);
  const [first, ...rest] = point.split(",");
  const shown =
    rest.length < 2
      ? point
      : html`<span title=${point}>${first} <small
    class="dim">+${rest.length}</small></span>`;
  return html`${color && html`<i class=${`stone ${classOf(color)}`} />`}<span class="hidden">${color ?? ""} </span>${shown}`;
}

/// Links that help where no game matches: their names and changes of the state.
/** @type {Component<{ all: Way[] }>} */
export function Ways({ all }) {
  const shown = all.filter(([, changes]) => changes);
  return (
    shown.length > 0 &&
    html`<p class="ways">${shown.map(
      ([name, changes]) => html`<a key=${name} class="button"
    href=${href(changes || {})}>${name}</a>`,
    )}</p>`
  );
}

/// Where no game matches: remove the filters, or search all lines.
/** @type {(status: Ready) => Way[]} */
export const widerWays = (status) => [
  ["Remove the filters", condition() && NO_FILTERS],
  ["Search all lines", status.variations && !state.variations && { variations: true }],
];

/// Next moves. `linkTo` returns the address after a move; `onHover` gets the point of the row under the pointer.
/**
 * @type {Component<{
 *   answer?: { replies?: LetteredReply[], left_out?: number }, linkTo: (reply: LetteredReply) => string | undefined | false | null,
 *   hovered?: string, onHover?: (place?: string) => void, isStale: boolean, title: string, empty: string, ways?: Way[],
 *   judged?: Map<string, string>, isStart?: boolean,
 * }>}
 */
export function NextMoves({ answer, linkTo, hovered, onHover, isStale, title, empty, ways = [], judged = new Map(), isStart }) {
  const [isLong, setIsLong] = useState(false);
  const all = answer?.replies ?? [];
  const shown = isLong || all.length <= ROWS + 3 ? all : all.slice(0, ROWS);
  const rows = shown.map((reply) => {
    // Games that set stones up after their first node do not end there.
    const name = isStart && reply.next === "end" ? "end or setup" : `${reply.color ?? ""} ${reply.next}`.trim();
    const place = reply.field ? placeOf(...reply.field) : reply.next;
    const to = linkTo(reply);
    const hover = { onMouseEnter: () => onHover?.(place), onMouseLeave: () => onHover?.(undefined) };
    const says = `${name}, ${counted(reply.count, "game")}, ${percent(reply.share)}`;
    return html`<tr key=${name} ...${hover} class=${classes({ hovered: place && place === hovered })}>
      <td class=${classes({ letter: true, own: reply.isMarked })} title=${reply.label}>${reply.label}</td>
      <th scope="row" class="move">${
        to
          ? html`<a href=${to} aria-label=${says} onFocus=${() => onHover?.(place)}
        onBlur=${() => onHover?.(undefined)}><${Move} move=${name} /></a>`
          : html`<${Move} move=${name} />`
      }
        ${reply.add && judged.has(reply.add) && html`<span class="judgment">${judged.get(reply.add)}</span>`}</th>
      <td class="number">${number(reply.count)}</td>
      <td class="number part"><span class="meter"><i style=${{ width: `${100 * reply.share}%` }} /></span>
        <b>${percent(reply.share)}</b></td>
      <td class="result"><${Wins} black=${reply.black_wins} white=${reply.white_wins} count=${reply.count} /></td>
      <td class="number rate">${interval(reply.black_share, reply.black_low, reply.black_high)}</td>
      <td class="number span">${years(reply.first_year, reply.last_year)}</td></tr>`;
  });
  /** @type {[head: unknown, name: string][]} */
  const heads = [
    [unseen("Letter"), "letter"],
    ["Move", "move"],
    ["Games", "number"],
    ["Share", "number part"],
    ["Result", "result"],
    ["Black won", "number rate"],
    ["Years", "number span"],
  ];
  const leftOut = answer?.left_out ?? 0;
  const hasResults = all.some((reply) => reply.black_wins + reply.white_wins > 0);
  return html`<section id="replies" class=${classes({ panel: true, stale: isStale, plain: !hasResults })}
    aria-labelledby="next-title">
    <h2 id="next-title">${title}</h2>
    ${
      rows.length
        ? html`<table id="next"><${Heads} all=${heads} /><tbody>${rows}</tbody></table>`
        : answer &&
          html`<p class="empty">${empty}</p>
      <${Ways} all=${ways} />`
    }
    ${
      shown.length < all.length &&
      html`<button class="more"
      onClick=${() => setIsLong(true)}>${all.length - shown.length} more moves</button>`
    }
    ${
      leftOut > 0 &&
      html`<p class="dim">The table leaves out the next moves of ${counted(leftOut, "game")},
      because there are too many different ones.</p>`
    }
  </section>`;
}
