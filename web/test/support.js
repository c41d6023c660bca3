// Files that tests read, and the command that they compare with.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The command, as `SGFQ` names it or as cargo builds it. */
export const sgfq = [process.env.SGFQ, ...['release', 'debug'].map((profile) => join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), profile, 'sgfq'))]
  .find((path) => path !== undefined && existsSync(path));

/** What the command prints. It may find faults. */
export function printed(args, options = {}) {
  const { stdout, stderr, status, error } = spawnSync(sgfq, args, { maxBuffer: 2 ** 30, ...options });
  if (error !== undefined || status > 1) throw error ?? new Error(`sgfq ${args[0]}: ${stderr}`);
  return stdout.toString();
}

/** The files below a folder. */
function filesOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
}

/** True for records of servers, which the command turns into SGF before it reads them. */
function isRecord(bytes) {
  const head = bytes.subarray(0, 8).toString('latin1');
  return head.startsWith('\\HS') || head.startsWith('[Header]') || /\.(gib|ngf|ugf|ugi)$/i.test(bytes.path ?? '');
}

/** Small files of the repository, and every so many-th of real archives, if `SGF_CORPUS` is a folder of them. */
export function* files() {
  const corpus = readdirSync(join(root, 'corpus'), { withFileTypes: true }).filter((entry) => entry.isFile());
  yield* corpus.map((entry) => join(root, 'corpus', entry.name));
  const { SGF_CORPUS: archives, SGF_CORPUS_STEP: step = '50' } = process.env;
  if (archives === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'sgfstream-'));
  try {
    for (const name of readdirSync(archives).filter((name) => name.endsWith('.tar.zst'))) {
      execFileSync('tar', ['--zstd', '-xf', join(archives, name), '-C', folder]);
      const found = filesOf(folder).filter((path) => !/\.(gib|ngf|ugf|ugi)$/i.test(path));
      yield* found.filter((_, at) => at % Number(step) === 0);
      for (const entry of readdirSync(folder)) rmSync(join(folder, entry), { recursive: true, force: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Files with their bytes. */
export function* readFiles() {
  for (const path of files()) {
    const bytes = readFileSync(path);
    if (!isRecord(bytes)) yield { path, bytes };
  }
}

/** Numbers that look random and are the same each time. */
export function draws(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** All nodes of trees, the roots first. */
export function* nodesOf(roots) {
  const todo = [...roots].reverse();
  while (todo.length > 0) {
    const node = todo.pop();
    yield node;
    for (let at = node.children.length - 1; at >= 0; at--) todo.push(node.children[at]);
  }
}

/** Data and structure, without numbers. */
export function shapeOf(roots) {
  return [...nodesOf(roots)].map(({ data, children }) => [data, children.length]);
}
