// Which files are read, in what order, and what is said of those that cannot be read.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { Engine } from '../src/engine.js';
import { chosen } from '../src/entries.js';
import { built, read, volumeOf } from './support.js';

const skip = !existsSync(join(built, 'explorer.wasm')) && 'build.sh was not run';

test('files of a folder by their names, named ones whatever they are', () => {
  const named = ['letter.txt', 'b.7z.002', 'b.7z.001'].map((name) => ({ name, blob: name, isNamed: true }));
  const found = ['f/z.sgf', 'f/.sgf', 'f/a.TAR.ZST', 'f/notes.txt', 'f/c.7z.001', 'f/c.7z.002', 'f/c.7z.004', 'f/x.gib'].map((name) => ({ name, blob: name, isNamed: false }));
  const { wanted, passed } = chosen([...found, ...named]);
  assert.deepEqual(wanted.map(({ blobs }) => blobs), [['b.7z.001', 'b.7z.002'], ['f/a.TAR.ZST'], ['f/c.7z.001', 'f/c.7z.002'], ['f/x.gib'], ['f/z.sgf'], ['letter.txt']]);
  assert.equal(passed, 3);
});

test('a file that cannot be read any more is told, and the others are read', { skip }, async () => {
  const engine = new Engine(await WebAssembly.compile(readFileSync(join(built, 'explorer.wasm'))));
  const lost = { size: 1000, read: () => { throw new Error('NotReadableError'); } };
  const heard = [];
  assert.equal(engine.open('lost.sgf', [lost], true), 0);
  assert.equal(engine.open('one.sgf', [volumeOf(Buffer.from('(;SZ[9];B[ee])'), 3)], true, () => heard.push(engine.games())), 0);
  assert.equal(engine.games(), 1);
  assert.deepEqual([...new Set(heard)], [0]);
  const { games, faults } = engine.finish(['lost.sgf', 'one.sgf']);
  assert.equal(games, 1);
  assert.deepEqual(faults, ['lost.sgf: cannot be read: the browser can no longer read the file']);
});

test('caps stop what would fill the memory', { skip }, async () => {
  const bytes = readFileSync(new URL('../../../crates/archive/tests/archives/bomb.sgf.bz2', import.meta.url));
  const { said } = await read([{ name: 'bomb.sgf.bz2', bytes }], ['bomb.sgf.bz2']);
  assert.equal(said.faults.length, 1);
  assert.match(said.faults[0], /cap `ratio`/);
});
