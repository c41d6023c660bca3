// Questions to the worker that has read the files: what the page asks the server where there is one.

import { $, fault, notice, save } from "./elements.js";
import { again, worker } from "./open.js";

export class Refused extends Error {}

/// Where the page says what could not be read: here is no terminal.
export const losses = "see below";

/// Milliseconds after which a question can be cancelled.
const LONG = 400;

const waiting = new Map();
const heard = new WeakSet();
let number = 0;
let noticing;

/// Answers of the worker go to who asked.
function hear({ data }) {
  const asked = waiting.get(data.id);
  if (asked === undefined) return;
  waiting.delete(data.id);
  if (waiting.size === 0) rest();
  if (data.answer !== undefined) asked.resolve(data.answer);
  else asked.reject(new Refused(data.refused ?? data.failed));
}

/// No question waits.
function rest() {
  clearTimeout(noticing);
  noticing = undefined;
  $("stop").hidden = true;
}

/// Asks the worker. The state of the archive is known here once its games are read.
export async function ask(name, body, read = (answer) => answer.text().then(JSON.parse)) {
  const asked = await worker();
  if (!heard.has(asked)) {
    heard.add(asked);
    asked.addEventListener("message", hear);
  }
  number += 1;
  const id = number;
  const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  noticing ??= setTimeout(() => { $("stop").hidden = false; }, LONG);
  asked.postMessage({ id, name, body });
  return read(await answer);
}

// A worker that answers hears nothing else, so it is ended. Another one reads the games again.
$("stop").addEventListener("click", () => {
  const cancelled = [...waiting.values()];
  waiting.clear();
  rest();
  again();
  for (const { reject } of cancelled) reject(new Refused("The question was cancelled."));
});

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
