// The changes between two texts of a game.

import { el } from "./elements.js";

/// Pieces of a game that are compared as a whole: a value, a mark, a line.
const pieces = (text) => text.split(/(?<=\])|(?<=\n)|(?=[;()])/);

/// Pairs of pieces that are looked at to compare two games; beyond that, all between the first and the last change is one.
const PAIRS = 4_000_000;

/// The pieces of two texts: [0, both], [-1, before], [1, after].
function changes(before, after) {
  const [one, other] = [pieces(before), pieces(after)];
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [a, b] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const found = one.slice(0, start).map((piece) => [0, piece]);
  const width = b.length + 1;
  // Longest common part from each pair of places on.
  const same = a.length * width <= PAIRS ? new Uint32Array((a.length + 1) * width) : undefined;
  for (let i = a.length - 1; same && i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      same[i * width + j] = a[i] === b[j] ? same[(i + 1) * width + j + 1] + 1 : Math.max(same[(i + 1) * width + j], same[i * width + j + 1]);
    }
  }
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (same && i < a.length && j < b.length && a[i] === b[j]) {
      found.push([0, a[i]]);
      i += 1;
      j += 1;
    } else if (i < a.length && (j === b.length || !same || same[(i + 1) * width + j] >= same[i * width + j + 1])) {
      found.push([-1, a[i]]);
      i += 1;
    } else {
      found.push([1, b[j]]);
      j += 1;
    }
  }
  return [...found, ...one.slice(one.length - end).map((piece) => [0, piece])];
}

/// Characters that are shown on each side of a change.
const AROUND = 60;

/// The changes between two texts, each with what is around it.
export function comparison(before, after) {
  const runs = [];
  for (const [kind, piece] of changes(before, after)) {
    if (runs.at(-1)?.[0] === kind) runs.at(-1)[1] += piece;
    else runs.push([kind, piece]);
  }
  const shown = runs.map(([kind, text], at) => {
    if (kind) return el(kind < 0 ? "del" : "ins", {}, text);
    const [head, tail] = [at ? text.slice(0, AROUND) : "", at + 1 < runs.length ? text.slice(-AROUND) : ""];
    return head.length + tail.length < text.length ? `${head} … ${tail}` : text;
  });
  return el("pre", { class: "changes" }, ...shown);
}
