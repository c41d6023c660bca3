// Files that the page saves, and short notices.

import { run } from "./answers.js";
import { Refused } from "./ask.js";
import { textOf } from "./format.js";

/** @import { Asked, NextMoveReply } from "./protocol.d.ts" */

let tell = (/** @type {string} */ _) => {};

/// Names the function that shows a notice.
/** @type {(listener: (text: string) => void) => void} */
export function onNotice(listener) {
  tell = listener;
}

/** @type {(text: string) => void} */
export const notice = (text) => tell(text);

/** @type {(name: string, file: Blob) => void} */
export function save(name, file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/// Saves an answer as a file.
/** @type {<Name extends "export" | "tree">(question: Name, asked: Asked<Name>, name: string) => Promise<void>} */
export async function download(question, asked, name) {
  const broken = () => Promise.reject(new Refused("The download failed. See the terminal."));
  try {
    notice(`Preparing ${name} …`);
    save(name, await run(question, asked, (response) => response.blob().catch(broken)).answer);
    notice(`Saved ${name}.`);
  } catch (err) {
    notice(textOf(err));
  }
}

/// Columns of next moves, named as in `sgfq find --summary -f csv`.
/** @type {(keyof NextMoveReply)[]} */
const COLUMNS = [
  "color",
  "next",
  "count",
  "share",
  "black_wins",
  "white_wins",
  "black_share",
  "black_low",
  "black_high",
  "first_year",
  "last_year",
];

/// Saves the table of next moves.
/** @type {(replies: NextMoveReply[]) => void} */
export function saveTable(replies) {
  const cell = (/** @type {unknown} */ value) =>
    /[",\r\n]/.test(`${value ?? ""}`) ? `"${`${value}`.replaceAll('"', '""')}"` : `${value ?? ""}`;
  const rows = [COLUMNS, ...replies.map((reply) => COLUMNS.map((name) => reply[name]))];
  save("next.csv", new Blob([rows.map((row) => `${row.map(cell).join(",")}\n`).join("")], { type: "text/csv" }));
}
