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
  const { stdout, stderr, status, error } = spawnSync(sgfq, args, { maxBuffer: 2 ** 31 - 1, ...options });
  if (error !== undefined || status > 1) throw error ?? new Error(`sgfq ${args[0]}: ${stderr}`);
  return stdout.toString();
}

/** Files that the command is given at once. */
const TOGETHER = 40;

/** Files with their bytes, and the lines that the command prints of each, without the fields that name it. */
export function* withLines(args) {
  const all = [...readFiles()];
  for (let at = 0; at < all.length; at += TOGETHER) {
    const group = all.slice(at, at + TOGETHER);
    const lines = new Map(group.map(({ path }) => [path, []]));
    for (const line of printed([...args, '--', ...lines.keys()]).split('\n').filter(Boolean)) {
      const { schema, file, ...fields } = JSON.parse(line);
      lines.get(file).push(fields);
    }
    yield* group.map((read) => ({ ...read, lines: lines.get(read.path) }));
  }
}

/** The files below a folder. */
function filesOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
}

/** True for records of servers, which the command turns into SGF before it reads them. */
function isRecord(bytes) {
  const head = bytes.subarray(0, 8).toString('latin1');
  return head.startsWith('\\HS') || head.startsWith('[Header]');
}

/** The chosen files of an archive, unpacked. */
function unpacked(archive, step) {
  const folder = mkdtempSync(join(tmpdir(), 'sgfstream-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const names = execFileSync('tar', ['--zstd', '-tf', archive], { maxBuffer: 2 ** 30 }).toString().split('\n');
  const chosen = names.filter((name) => /[^/]$/.test(name) && !/\.(gib|ngf|ugf|ugi)$/i.test(name)).filter((_, at) => at % step === 0);
  // tar unpacks every file if the list is empty.
  if (chosen.length === 0) return [];
  execFileSync('tar', ['--zstd', '-xf', archive, '-C', folder, '--verbatim-files-from', '-T', '-'], { input: chosen.join('\n') });
  return filesOf(folder);
}

let known = null;

/** Small files of the repository, the files of `SGF_CASES`, and every so many-th of real archives, if `SGF_CORPUS` is a folder of them. */
export function files() {
  if (known !== null) return known;
  const small = readdirSync(join(root, 'corpus'), { withFileTypes: true }).filter((entry) => entry.isFile());
  known = small.map((entry) => join(root, 'corpus', entry.name));
  if (process.env.SGF_CASES !== undefined) known.push(...filesOf(process.env.SGF_CASES));
  const { SGF_CORPUS: folder, SGF_CORPUS_STEP: step = '50' } = process.env;
  if (folder !== undefined) {
    const archives = readdirSync(folder).filter((name) => name.endsWith('.tar.zst'));
    known.push(...archives.flatMap((name) => unpacked(join(folder, name), Number(step))));
  }
  return known;
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
