// Measures rates by the CPU time of the whole process; the best of several rounds counts:
//
//     node bench/bench.js DIRECTORY [FILES] [--against FOLDER]
//
// DIRECTORY contains SGF files, from which the script reads FILES at equal distances (default: 3000). With --against, FOLDER
// contains `node_modules` with @sabaki/sgf and smartgame. They read the same files, and the script compares counts of moves.

import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { check, events, fix, parse, serialize } from '../src/full-node.js';

const { values: { against }, positionals: [directory, most = '3000'] } = parseArgs({
  allowPositionals: true,
  options: { against: { type: 'string' } },
});

const names = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && /\.sgf$/i.test(entry.name));
const step = Math.max(1, Math.floor(names.length / Number(most)));
const files = names.filter((_, at) => at % step === 0).map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name)));
const bytes = files.reduce((sum, file) => sum + file.length, 0);
const joined = Buffer.concat(files);
const times = Math.max(1, Math.round(30e6 / joined.length));
const large = Buffer.concat(Array.from({ length: times }, () => joined));
console.log(`${files.length} files, ${bytes} bytes; one input of ${large.length} bytes`);

/** Moves of trees whose nodes have `data` and `children`. */
function movesOf(roots) {
  let moves = 0;
  const todo = [...roots];
  while (todo.length > 0) {
    const { data, children } = todo.pop();
    moves += (data.B?.length ?? 0) + (data.W?.length ?? 0);
    for (const child of children) todo.push(child);
  }
  return moves;
}

function measure(name, length, rounds, work) {
  let best = Infinity;
  let found;
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    found = work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, user + system);
  }
  console.log(`${name.padEnd(44)} ${(length / best).toFixed(1).padStart(7)} MB/s  ${found}`);
  return length / best;
}

const sum = (work) => () => files.reduce((count, file) => count + work(file), 0);

/** Counts moves in the words of batches: see `wasm/src/words.rs`. */
function movesInWords(input) {
  let moves = 0;
  for (const batch of events(input)) {
    const { words } = batch;
    for (let at = 0; at < words.length;) {
      const word = words[at++];
      if ((word & 7) === 6) moves++;
      else if ((word & 7) === 3) {
        const name = batch.name((word >>> 3) & 0xffff);
        const count = word >>> 19;
        if (name === 'B' || name === 'W') moves += count;
        for (let left = count; left > 0; left--) if (words[at++] >>> 31 === 0) at++;
      }
    }
  }
  return moves;
}

function movesInEvents(input) {
  let moves = 0;
  for (const batch of events(input)) {
    for (const event of batch) if (event.kind === 'property' && (event.id === 'B' || event.id === 'W')) moves += event.values.length;
  }
  return moves;
}

measure('batches, one input', large.length, 5, () => movesInWords(large));
measure('events, one input', large.length, 5, () => movesInEvents(large));
const own = measure('parse, file by file', bytes, 7, sum((file) => movesOf(parse(file))));
measure('parse and serialize, file by file', bytes, 3, sum((file) => serialize(parse(file)).length));
measure('check, file by file', bytes, 3, sum((file) => check(file).length));
measure('fix, file by file', bytes, 1, sum((file) => fix(file).bytes.length));

if (against !== undefined) {
  const require = createRequire(join(resolve(against), 'package.json'));
  const sabaki = require('@sabaki/sgf');
  const smartgame = require('smartgame');
  // A file at which a parser throws counts as zero moves. The console is off, because printing takes time.
  const failing = (work) => (file) => {
    const { log, warn } = console;
    console.log = console.warn = () => {};
    try {
      return work(file);
    } catch {
      return 0;
    } finally {
      Object.assign(console, { log, warn });
    }
  };
  const smartMoves = (tree) => {
    let moves = 0;
    const todo = [...tree.gameTrees];
    while (todo.length > 0) {
      const { nodes, sequences = [] } = todo.pop();
      for (const node of nodes) for (const id of ['B', 'W']) if (node[id] !== undefined) moves += [node[id]].flat().length;
      todo.push(...sequences);
    }
    return moves;
  };
  const decoder = new TextDecoder();
  const ways = {
    '@sabaki/sgf parse': (file) => movesOf(sabaki.parse(decoder.decode(file))),
    'smartgame': (file) => smartMoves(smartgame.parse(decoder.decode(file))),
  };
  for (const [name, work] of Object.entries(ways)) {
    const other = measure(name, bytes, 3, sum(failing(work)));
    console.log(`${''.padEnd(44)} ${(own / other).toFixed(1).padStart(7)} times the time of ours`);
  }
}
