// Gives answers to components. The last answer stays until the next one arrives, and the page keeps recent answers.

import { useEffect, useRef, useState } from "./html.js";
import { Refused, ask } from "./ask.js";

/** @import { Asked, Question, Reply } from "./protocol.d.ts" */

/**
 * The answer to a request, as a component sees it: the last one, and whether a newer one is missing.
 * @template Answer
 * @typedef {{ answer?: Answer, error?: Error, isStale: boolean, retry: () => void }} Shown
 */

/** @typedef {{ controller: AbortController, begun: number, name: string }} Task */

/**
 * @template Answer
 * @typedef {(response: Response) => Promise<Answer>} Read
 */

/// Number of answers to keep, by their request.
const KEPT = 80;
/** @type {Map<string, any>} */
const cache = new Map();

/// Answers that the page asked for ahead, by their request.
/** @type {Map<string, Promise<any>>} */
const coming = new Map();

/// Milliseconds before the page shows that it works.
const LATE = 300;

/// Milliseconds that a patient question waits after the one before it.
const REST = 50;

const STALE = "stale";
const STOP = "stop";

/** @type {Set<Task>} */
const tasks = new Set();
/** @type {Set<() => void>} */
const listeners = new Set();
const changed = () => listeners.forEach((listen) => listen());

/**
 * Runs a request so that the user sees it and can stop it.
 * @template {Question} Name
 * @template [Answer=Reply<Name>]
 * @param {Name} name
 * @param {Asked<Name>} [body]
 * @param {Read<Answer>} [read]
 */
export function run(name, body, read) {
  const task = { controller: new AbortController(), begun: Date.now(), name };
  const { signal } = task.controller;
  tasks.add(task);
  changed();
  /** @type {Promise<Answer>} */
  const asked = coming.get(keyOf(name, body)) ?? ask(name, body, { signal, read });
  const answer = asked
    .catch((err) => {
      if (signal.aborted && signal.reason === STOP) throw new Refused("Stopped. The page shows the previous answer.");
      throw err;
    })
    .finally(() => {
      tasks.delete(task);
      changed();
    });
  return { answer, leave: () => task.controller.abort(STALE), isLeft: () => signal.reason === STALE };
}

/// Stops all requests.
export function stop() {
  for (const { controller } of tasks) controller.abort(STOP);
}

/// Whether a request runs, and whether it is time to show the bar.
export function useBusy() {
  const [, update] = useState(0);
  useEffect(() => {
    let timer = 0;
    const listen = () => {
      clearTimeout(timer);
      if (tasks.size) timer = setTimeout(() => update((count) => count + 1), LATE + 10);
      update((count) => count + 1);
    };
    listeners.add(listen);
    return () => listeners.delete(listen);
  }, []);
  const begun = Math.min(...[...tasks].map((task) => task.begun));
  return { isBusy: tasks.size > 0, isLate: Date.now() - begun >= LATE };
}

/** @type {(name: string, body?: object) => string} */
const keyOf = (name, body) => JSON.stringify([name, body]);

/** @type {<Answer>(key: string, answer: Answer) => Answer} */
function keep(key, answer) {
  cache.delete(key);
  cache.set(key, answer);
  const [oldest] = cache.keys();
  if (cache.size > KEPT) cache.delete(oldest);
  return answer;
}

/// Sends a request whose answer the user needs soon.
/** @type {<Name extends Question>(name: Name, body: Asked<Name>) => void} */
export function askAhead(name, body) {
  const key = keyOf(name, body);
  if (cache.has(key) || coming.has(key)) return;
  const answer = ask(name, body)
    .then((found) => keep(key, found))
    .finally(() => coming.delete(key));
  // The component that needs the answer shows why there is none.
  answer.catch(() => {});
  coming.set(key, answer);
}

/// Sends a request once. A kept answer needs no request.
/** @type {<Name extends Question>(name: Name, body: Asked<Name>) => Promise<Reply<Name>>} */
export async function answerTo(name, body) {
  const key = keyOf(name, body);
  return cache.has(key) ? cache.get(key) : keep(key, await run(name, body).answer);
}

/**
 * The answer to a request, or none without `body`. Until it arrives, the previous answer stays and `isStale` is true. While the
 * user walks on, a patient question waits.
 * @template {Question} Name
 * @template [Answer=Reply<Name>]
 * @param {Name} name
 * @param {Asked<Name> | undefined} body
 * @param {{ read?: Read<Answer>, isPatient?: boolean }} [more]
 * @returns {Shown<Answer>}
 */
export function useAnswer(name, body, { read, isPatient = false } = {}) {
  const key = body && keyOf(name, body);
  /** @type {{ at: number, answer?: Answer, failed?: string, error?: Error }} */
  const before = { at: 0 };
  const [shown, setShown] = useState(before);
  const [tries, setTries] = useState(0);
  const asked = useRef({ count: 0, time: 0 });
  useEffect(() => {
    if (!key) return undefined;
    const isWalking = isPatient && Date.now() - asked.current.time < REST;
    const at = asked.current.count + 1;
    asked.current = { count: at, time: Date.now() };
    // What the page asked for ahead arrives for a question that the user left, too.
    const take = (/** @type {Answer} */ answer) => setShown((before) => (before.at > at ? before : { at, answer }));
    if (cache.has(key)) {
      take(cache.get(key));
      return undefined;
    }
    const begin = () => {
      const task = run(name, body, read);
      task.answer.then(
        (answer) => take(keep(key, answer)),
        (error) => !task.isLeft() && setShown((before) => ({ ...before, failed: key, error })),
      );
      return task.leave;
    };
    if (!isWalking) return begin();
    /** @type {(() => void) | undefined} */
    let leave;
    const timer = setTimeout(() => {
      leave = begin();
    }, REST);
    return () => (leave ? leave() : clearTimeout(timer));
  }, [key, tries]);
  const found = key ? cache.get(key) : undefined;
  const error = shown.failed === key && !found ? shown.error : undefined;
  return { answer: found ?? shown.answer, error, isStale: Boolean(key) && !found, retry: () => setTries(tries + 1) };
}

/**
 * Rows of a list that the server returns in pages.
 * @template {"games" | "said"} Name
 * @typedef {Shown<Reply<Name>> & { rows: Reply<Name>["rows"], more?: () => void }} Pages
 */

/** @type {<Name extends "games" | "said">(name: Name, body?: Asked<Name>, more?: { count?: number, isPatient?: boolean }) => Pages<Name>} */
export function usePages(name, body, { count = 100, isPatient = false } = {}) {
  const key = keyOf(name, body);
  const [pages, setPages] = useState({ key, rows: /** @type {any[]} */ ([]) });
  const { answer, error, isStale, retry } = useAnswer(name, body && { ...body, skip: 0, count }, { isPatient });
  const more = pages.key === key ? pages.rows : [];
  const rows = [...(answer?.rows ?? []), ...(isStale ? [] : more)];
  const load = async () => {
    const next = await answerTo(name, { ...body, skip: rows.length, count });
    setPages({ key, rows: [...more, ...next.rows] });
  };
  return { answer, rows, error, isStale, retry, more: answer && rows.length < answer.total ? load : undefined };
}
