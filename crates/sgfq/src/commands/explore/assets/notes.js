// Lines of the user: tried moves with comments and bookmarks. The browser keeps them, and the page saves them as one file.

import { html, useEffect, useState } from "./html.js";
import { run } from "./answers.js";
import { counted, textOf } from "./format.js";
import { NO_GAME, NO_SHAPE, href } from "./state.js";
import { notice, save } from "./save.js";
import { read, write } from "./solved.js";
import { moveCount, setupCount } from "./start.js";

/** @import { Component } from "./html.js" */
/** @import { LinesRequest } from "./protocol.d.ts" */

/// A line of the user: the words of the position at its end.
/** @typedef {{ board: string, words: string, comment?: string, marked?: boolean }} NotedLine */

/// Number of moves that the name of a line shows.
const NAMED = 3;

const KEY = "sgfq-lines";

/// The kept lines: board, words of the position at their end, comment, and whether they have a bookmark.
/** @type {() => NotedLine[]} */
const kept = () => read(KEY, []);

/** @type {(line: NotedLine, other: NotedLine) => boolean} */
const isBefore = (line, other) => line.board === other.board && other.words.startsWith(`${line.words} `);
/** @type {(line: NotedLine, other: NotedLine) => boolean} */
const isSame = (line, other) => line.board === other.board && line.words === other.words;
/** @type {(line: NotedLine) => boolean} */
const isPlain = (line) => !line.comment && !line.marked;

/// The lines with a line in place of an equal one. A line without a comment or a bookmark needs no place of its own, if
/// another line goes on from it.
/** @type {(lines: NotedLine[], line: NotedLine) => NotedLine[]} */
export function withLine(lines, line) {
  const others = lines.filter((each) => !isSame(each, line) && !(isPlain(each) && isBefore(each, line)));
  return isPlain(line) && others.some((each) => isBefore(line, each)) ? others : [...others, line];
}

/// The lines as requests, one for each board and setup.
/** @type {(lines: NotedLine[]) => LinesRequest[]} */
export function requestsOf(lines) {
  /** @type {Map<string, LinesRequest>} */
  const groups = new Map();
  for (const { board, words, comment, marked } of lines) {
    const all = words.split(" ").filter(Boolean);
    const count = setupCount(all);
    const setup = all.slice(0, count).join(" ");
    const key = `${board} ${setup}`;
    const group = groups.get(key) ?? { board, moves: setup, lines: [] };
    group.lines.push({ moves: all.slice(count).join(" "), comment, marked });
    groups.set(key, group);
  }
  return [...groups.values()];
}

/// A move as players write it, where its board has letters and numbers.
/** @type {(word: string, board: string) => string} */
function nameOf(word, board) {
  const [, color, column, row] = /^([BW])\[([a-s])([a-s])\]$/.exec(word) ?? [];
  const [, rows] = /^Go \d+x(\d+)/.exec(board) ?? [];
  if (!column || !rows) return word;
  const at = (/** @type {string} */ letter) => letter.charCodeAt(0) - "a".charCodeAt(0);
  return `${color} ${"ABCDEFGHJKLMNOPQRST"[at(column)]}${Number(rows) - at(row)}`;
}

/** @type {(line: NotedLine) => string} */
function titleOf({ board, words }) {
  const all = words.split(" ").filter(Boolean);
  const last = all.slice(-NAMED).map((word) => nameOf(word, board));
  return `${counted(moveCount(all), "move")}: ${all.length > NAMED ? "… " : ""}${last.join(", ")}`;
}

/// Saves the lines, after the user's own game if there is one.
/** @type {(lines: NotedLine[], own?: NotedLine) => Promise<void>} */
async function saveAll(lines, own) {
  try {
    const asked = requestsOf([...(own ? [own] : []), ...lines]);
    const texts = await Promise.all(asked.map((body) => run("lines", body, (response) => response.text()).answer));
    save("lines.sgf", new Blob(texts, { type: "application/x-go-sgf" }));
    notice("Saved lines.sgf.");
  } catch (err) {
    notice(textOf(err));
  }
}

/// The comment and the bookmark of a position, and the kept lines of its board. A tried line is kept.
/** @type {Component<{ board: string, words?: string[], isTried: boolean, own?: NotedLine }>} */
export function Notes({ board, words, isTried, own }) {
  const [, update] = useState(0);
  const place = { board, words: words?.join(" ") ?? "" };
  const change = (/** @type {NotedLine[]} */ lines) => {
    write(KEY, lines);
    update((count) => count + 1);
  };
  useEffect(() => {
    if (isTried && words?.length) change(withLine(kept(), { ...place, ...kept().find((line) => isSame(line, place)) }));
  }, [isTried, place.words, board]);
  const lines = kept();
  if (!words) return null;
  /** @type {NotedLine} */
  const here = { ...place, ...lines.find((line) => isSame(line, place)) };
  const keep = (/** @type {Partial<NotedLine>} */ changes) => change(withLine(lines, { ...here, ...changes }));
  const note = (/** @type {{ currentTarget: HTMLTextAreaElement }} */ event) =>
    keep({ comment: event.currentTarget.value.trim() });
  const shown = lines.filter((line) => line.board === board);
  return html`<details id="notes"><summary>My lines${shown.length ? ` (${shown.length})` : ""}</summary>
    <div class="bar"><label class="check"><input type="checkbox" id="mark" checked=${Boolean(here.marked)}
      onChange=${() => keep({ marked: !here.marked })} /> Bookmark</label>
      ${lines.length > 0 && html`<button id="save-lines" onClick=${() => saveAll(lines, own)}>Save as SGF</button>`}</div>
    <textarea id="own-comment" rows="2" aria-label="My comment" placeholder="My comment on this position"
      value=${here.comment ?? ""} onChange=${note} />
    <ol>${shown.map(
      (line) => html`<li key=${line.words}>${line.marked && html`<b title="Bookmark">★</b> `}<a
      href=${href({ ...NO_GAME, ...NO_SHAPE, list: "", board, moves: line.words.split(" ").filter(Boolean) })}
      aria-current=${isSame(line, place) ? "true" : undefined}>${titleOf(line)}</a> <span class="dim">${
        line.comment ?? ""
      }</span> <button aria-label=${`Delete ${titleOf(line)}`}
      onClick=${() => change(lines.filter((each) => each !== line))}>×</button></li>`,
    )}</ol></details>`;
}
