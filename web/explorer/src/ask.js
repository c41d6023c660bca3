// Questions to the worker that has read the files: what the page asks the server where there is one.

import { fault, notice, save } from "./elements.js";
import { opened } from "./open.js";

export class Refused extends Error {}

const waiting = new Map();
let number = 0;
let archive = null;

/// Answers of the worker go to who asked.
function hear({ data }) {
  const asked = waiting.get(data.id);
  if (asked === undefined) return;
  waiting.delete(data.id);
  if (data.answer !== undefined) asked.resolve(data.answer);
  else asked.reject(new Refused(data.refused ?? data.failed));
}

/// Asks the worker. The state of the archive is known here once its games are read.
export async function ask(name, body, read = (answer) => answer.text().then(JSON.parse)) {
  if (archive === null) {
    archive = await opened;
    archive.worker.addEventListener("message", hear);
  }
  if (name === "stats") throw new Refused("charts are made by sgfq: sgfq stats --html FILE");
  number += 1;
  const id = number;
  const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  archive.worker.postMessage({ id, name, body });
  return read(await answer);
}

/// Saves an answer as a file.
export async function download(question, asked, name) {
  try {
    notice(`${name} is made …`);
    save(name, await ask(question, asked, (answer) => answer));
    notice(`${name} is saved.`);
  } catch (err) {
    notice("");
    fault(err.message);
  }
}
