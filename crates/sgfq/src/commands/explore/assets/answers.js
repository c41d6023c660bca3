// Gives answers to components. The last answer stays until the next one arrives, and the page keeps recent answers.

import { useEffect, useState } from "./html.js";
import { Refused, ask } from "./ask.js";

/// Number of answers to keep, by their request.
const KEPT = 80;
const cache = new Map();

/// Milliseconds before the page shows that it works.
const LATE = 300;

const STALE = "stale";
const STOP = "stop";

const tasks = new Set();
const listeners = new Set();
const changed = () => listeners.forEach((listen) => listen());

/// Runs a request so that the user sees it and can stop it.
export function run(name, body, read) {
  const task = { controller: new AbortController(), begun: Date.now(), name };
  const { signal } = task.controller;
  tasks.add(task);
  changed();
  const answer = ask(name, body, { signal, read }).catch((err) => {
    if (signal.aborted && signal.reason === STOP) throw new Refused("Stopped. The page shows the previous answer.");
    throw err;
  }).finally(() => {
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
    let timer;
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

const keyOf = (name, body) => JSON.stringify([name, body]);

function keep(key, answer) {
  cache.delete(key);
  cache.set(key, answer);
  if (cache.size > KEPT) cache.delete(cache.keys().next().value);
  return answer;
}

/// Sends a request once. A kept answer needs no request.
export async function answerTo(name, body) {
  const key = keyOf(name, body);
  return cache.has(key) ? cache.get(key) : keep(key, await run(name, body).answer);
}

/// The answer to a request, or none without `body`. Until it arrives, the previous answer stays and `isStale` is true.
export function useAnswer(name, body, read) {
  const key = body && keyOf(name, body);
  const [shown, setShown] = useState({ key: undefined, answer: undefined, failed: undefined, error: undefined });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!key) return undefined;
    if (cache.has(key)) {
      setShown({ key, answer: cache.get(key), failed: undefined, error: undefined });
      return undefined;
    }
    const task = run(name, body, read);
    task.answer.then(
      (answer) => setShown({ key, answer: keep(key, answer), failed: undefined, error: undefined }),
      (error) => !task.isLeft() && setShown((before) => ({ ...before, failed: key, error })),
    );
    return task.leave;
  }, [key, tries]);
  const found = key ? cache.get(key) : undefined;
  const error = shown.failed === key && !found ? shown.error : undefined;
  return { answer: found ?? shown.answer, error, isStale: Boolean(key) && !found, retry: () => setTries(tries + 1) };
}

/// Rows of a list that the server returns in pages.
export function usePages(name, body, count = 100) {
  const key = keyOf(name, body);
  const [pages, setPages] = useState({ key, rows: [] });
  const { answer, error, isStale, retry } = useAnswer(name, body && { ...body, skip: 0, count });
  const more = pages.key === key ? pages.rows : [];
  const rows = [...(answer?.rows ?? []), ...(isStale ? [] : more)];
  const load = async () => {
    const next = await answerTo(name, { ...body, skip: rows.length, count });
    setPages({ key, rows: [...more, ...next.rows] });
  };
  return { answer, rows, error, isStale, retry, more: answer && rows.length < answer.total ? load : undefined };
}
