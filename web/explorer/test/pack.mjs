// Packs every so many-th SGF file of an archive into a zip of some 300 games: node pack.mjs ARCHIVE ZIP

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { zipOf } from './support.js';

const [, , archive, zip] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'sgfstream-'));
try {
  execFileSync('tar', ['--zstd', '-xf', archive, '-C', folder]);
  const paths = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.sgf')).sort();
  const step = Math.max(1, Math.floor(paths.length / 300));
  const chosen = paths.filter((_, at) => at % step === 0);
  writeFileSync(zip, zipOf(chosen.map((path, at) => ({ name: `${at}-${basename(path)}`, bytes: readFileSync(join(folder, path)) }))));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
