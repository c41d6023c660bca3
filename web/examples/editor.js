// An editor that checks a game while you type, and repairs it. In your own project, import from 'sgfstream/full'.

import { check, fix, parse, serialize } from '../src/full-web.js';

/** The editor checks the text when no key was pressed for this number of milliseconds. */
const PAUSE = 150;
/** Number of findings in the list. The editor only counts further ones. */
const LISTED = 200;
/** If more characters than these differ, the editor replaces the whole text at once. */
const TYPED = 2000;

const element = (id) => document.getElementById(id);
const [file, text, marks, list, status, repairAll] = ['file', 'text', 'marks', 'findings', 'status', 'repair'].map(element);

/** Findings with their positions in the text: `from` and `to` count UTF-16 units, as the text area does. */
function placed(source, findings) {
  const bytes = new TextEncoder().encode(source);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const ends = [...new Set(findings.flatMap(({ byte, end }) => [byte, end]))].sort((a, b) => a - b);
  const places = new Map();
  let [at, units] = [0, 0];
  for (const end of ends) {
    units += decoder.decode(bytes.subarray(at, end)).length;
    at = end;
    places.set(end, units);
  }
  return findings.map((finding) => ({ ...finding, from: places.get(finding.byte), to: places.get(finding.end) }));
}

function draw(source, findings) {
  const parts = [];
  let at = 0;
  for (const { from, to, severity } of [...findings].sort((a, b) => a.from - b.from)) {
    if (from < at) continue;
    const mark = document.createElement('mark');
    mark.className = severity;
    mark.textContent = source.slice(from, Math.max(to, from + 1));
    parts.push(source.slice(at, from), mark);
    at = from + mark.textContent.length;
  }
  // A line break at the end adds a line only if text follows.
  marks.replaceChildren(...parts, source.slice(at), '\n');
  list.replaceChildren(...findings.slice(0, LISTED).map(item));
  repairAll.disabled = !findings.some(({ repair }) => repair !== null);
  status.textContent = findings.length === 0 ? 'No findings' : `${findings.length} finding${findings.length === 1 ? '' : 's'}`;
}

function item({ from, to, severity, code, line, column, message, repair }) {
  const entry = document.createElement('li');
  entry.className = severity;
  const place = document.createElement('button');
  place.className = 'place';
  place.textContent = `${line}:${column} ${code}`;
  place.addEventListener('click', () => {
    text.focus();
    text.setSelectionRange(from, to);
  });
  const sentence = document.createElement('p');
  sentence.textContent = message;
  entry.append(place, sentence);
  if (repair !== null) {
    const button = document.createElement('button');
    button.textContent = 'Repair';
    button.title = `${repair.message}: every finding of this kind`;
    button.addEventListener('click', () => apply({ only: [code] }));
    entry.append(button);
  }
  return entry;
}

/** Replaces the text that differs as if it were typed, so that Ctrl+Z undoes it. Browsers need seconds to type a long text. */
function replace(source) {
  const old = text.value;
  const shorter = Math.min(old.length, source.length);
  let [start, end] = [0, 0];
  while (start < shorter && old[start] === source[start]) start++;
  while (end < shorter - start && old.at(-1 - end) === source.at(-1 - end)) end++;
  const typed = source.slice(start, source.length - end);
  text.focus();
  text.setSelectionRange(start, old.length - end);
  const isTyped = typed.length < TYPED && document.execCommand(typed === '' ? 'delete' : 'insertText', false, typed);
  if (!isTyped || text.value !== source) text.value = source;
  look();
}

function apply(options) {
  replace(new TextDecoder().decode(fix(text.value, options).bytes));
}

function look() {
  const source = text.value;
  draw(source, placed(source, check(source)));
}

/** The text of a file. It transcodes games to UTF-8 and changes their `CA` accordingly. */
function textOf(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const roots = parse(bytes);
    for (const { data } of roots) data.CA = ['UTF-8'];
    return new TextDecoder().decode(serialize(roots));
  }
}

let timer;
text.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(look, PAUSE);
});
text.addEventListener('scroll', () => (marks.scrollTop = text.scrollTop));
repairAll.addEventListener('click', () => apply({ level: 'warning' }));
element('save').addEventListener('click', () => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text.value], { type: 'application/x-go-sgf' }));
  link.download = 'game.sgf';
  link.click();
  URL.revokeObjectURL(link.href);
});
file.addEventListener('change', async () => {
  const [chosen] = file.files;
  if (chosen !== undefined) replace(textOf(new Uint8Array(await chosen.arrayBuffer())));
});
look();
