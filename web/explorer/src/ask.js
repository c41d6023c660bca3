// Sends requests to the worker that has read the files. This module replaces the one that asks the server.

import { again, worker } from "./open.js";

/// A request that the worker refuses. Its message says how to correct it.
export class Refused extends Error {}

/// A request without a token, since there is no server.
export class Locked extends Refused {}

/// The text that tells users where to find the unreadable inputs.
export const losses = "see below";

export const takeToken = () => false;

const waiting = new Map();
const heard = new WeakSet();
let number = 0;

/// Passes the worker's response to the request that waits for it.
function hear({ data }) {
  const asked = waiting.get(data.id);
  if (asked === undefined) return;
  waiting.delete(data.id);
  if (data.answer !== undefined) asked.resolve(data.answer);
  else asked.reject(new Refused(data.refused ?? data.failed));
}

/// A busy worker receives no messages, so the page ends it. A new worker reads the games again.
function stop() {
  const stopped = [...waiting.values()];
  waiting.clear();
  again();
  for (const { reject } of stopped) reject(new Refused("Stopped. The page reads the games again."));
}

/// Sends a request to the worker. A `signal` with the reason "stop" ends the worker. For other reasons, the page ignores the response.
export async function ask(name, body, { signal = undefined, read = (response) => response.json() } = {}) {
  const asked = await worker();
  if (signal?.aborted) throw new Refused("Stopped.");
  if (!heard.has(asked)) {
    heard.add(asked);
    asked.addEventListener("message", hear);
  }
  number += 1;
  const id = number;
  const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  signal?.addEventListener("abort", () => {
    if (!waiting.has(id)) return;
    if (signal.reason === "stop") stop();
    else hear({ data: { id, refused: "Stopped." } });
  });
  asked.postMessage({ id, name, body });
  return read(new Response(await answer));
}
