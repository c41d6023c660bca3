// Points and dates as numbers, progress, and codes of errors.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import test from 'node:test';

import { SgfError, events, parse, parseCompressedVertices, parseDates, parseVertex, serialize, stringifyDates, stringifyVertex } from 'sgfstream';
import { board, check, fix } from 'sgfstream/full';

import { draws } from './support.js';

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

test('points are two letters', () => {
  for (let x = 0; x < 52; x++) {
    for (let y = 0; y < 52; y++) {
      assert.deepEqual(parseVertex(letters[x] + letters[y]), [x, y]);
      assert.equal(stringifyVertex([x, y]), letters[x] + letters[y]);
    }
  }
  for (const text of ['', 'd', 'ddd', 'd1', '[[', '  ', 'é']) assert.deepEqual(parseVertex(text), [-1, -1], text);
  for (const vertex of [[-1, -1], [52, 0], [0, 52], [1.5, 2], []]) assert.equal(stringifyVertex(vertex), '');
});

test('lists of points have rectangles, from any corner', () => {
  const six = [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]];
  for (const text of ['aa:cb', 'cb:aa', 'ca:ab', 'ab:ca']) assert.deepEqual(parseCompressedVertices(text), six);
  assert.deepEqual(parseCompressedVertices('dd'), [[3, 3]]);
  for (const text of ['', 'aa:', ':aa', 'aa:bb:cc', 'x']) assert.deepEqual(parseCompressedVertices(text), [[-1, -1]], text);
});

const DATES = [
  ['1996', [[1996]]],
  ['1996-05', [[1996, 5]]],
  ['1996-05,06', [[1996, 5], [1996, 6]]],
  ['1996-05-06,07,08', [[1996, 5, 6], [1996, 5, 7], [1996, 5, 8]]],
  ['1996-05-06,06-01', [[1996, 5, 6], [1996, 6, 1]]],
  ['1996,1997', [[1996], [1997]]],
  ['1996-12-27,28,1997-01-03,04', [[1996, 12, 27], [1996, 12, 28], [1997, 1, 3], [1997, 1, 4]]],
  ['1996-05,1996-05-06', [[1996, 5], [1996, 5, 6]]],
  ['1996-05-06,1996-06', [[1996, 5, 6], [1996, 6]]],
  ['', []],
];

test('dates', () => {
  for (const [text, dates] of DATES) {
    assert.deepEqual(parseDates(text), dates, text);
    assert.equal(stringifyDates(dates), text);
  }
  assert.deepEqual(parseDates(' 1996-5-6, 7'), [[1996, 5, 6], [1996, 5, 7]]);
  for (const text of ['garbage', '05', '1996,97', '1996-13', '1996-05-32', '1996-05,06-07', '6th May 1996', '1996-05-06,']) {
    assert.equal(parseDates(text), null, text);
  }
  const draw = draws(7);
  for (let round = 0; round < 5000; round++) {
    const dates = Array.from({ length: 1 + draw(4) }, () => [1990 + draw(2), 1 + draw(2), 1 + draw(2)].slice(0, 1 + draw(3)));
    assert.deepEqual(parseDates(stringifyDates(dates)), dates);
  }
});

test('the helpers of @sabaki/sgf', { skip: process.env.SABAKI === undefined && 'SABAKI is not a folder that has it' }, () => {
  const sabaki = createRequire(join(resolve(process.env.SABAKI), 'package.json'))('@sabaki/sgf');
  for (const text of ['dd', '', 'tt', 'A', 'aA', 'Az', 'ddd']) assert.deepEqual(parseVertex(text), sabaki.parseVertex(text), text);
  for (const text of ['aa:cb', 'cb:aa', 'dd', 'ca:ab', '']) {
    assert.deepEqual(parseCompressedVertices(text), sabaki.parseCompressedVertices(text), text);
  }
  for (const [text] of DATES) assert.deepEqual(parseDates(text), sabaki.parseDates(text), text);
});

async function all(batches) {
  const found = [];
  for await (const batch of batches) found.push(batch);
  return found;
}

test('progress is told as an input is read', async () => {
  const text = '(;GM[1]C[abcdefghij])'.repeat(200_000);
  const bytes = new TextEncoder().encode(text);
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += 1_500_000) yield bytes.subarray(at, at + 1_500_000);
  })();
  const runs = [
    [bytes.length, (onProgress) => parse(text, { onProgress })],
    [bytes.length, (onProgress) => [...events(bytes, { onProgress })]],
    [bytes.length, (onProgress) => all(events(new Blob([bytes]), { onProgress }))],
    [null, (onProgress) => all(events(chunks, { onProgress }))],
  ];
  for (const [total, run] of runs) {
    const told = [];
    await run((progress) => told.push(progress));
    const before = told.slice(0, -1);
    assert.ok(told.length >= 4 && before.every((one, at) => one.bytes <= told[at + 1].bytes), JSON.stringify(told));
    assert.ok(before.every((one) => one.total === total && one.progress === (total === null ? null : one.bytes / total)));
    assert.deepEqual(told.at(-1), { bytes: bytes.length, total: bytes.length, progress: 1 });
  }
  const stop = () => {
    throw new Error('enough');
  };
  assert.throws(() => parse(text, { onProgress: stop }), /enough/);
  assert.deepEqual(parse('', { onProgress: ({ progress }) => assert.equal(progress, 1) }), []);
});

test('errors have codes', () => {
  const [root] = parse(new TextEncoder().encode('(;CA[ISO-8859-1]GM[1])'));
  root.data.C = ['黒'];
  const game = '(;GM[1]SZ[9];B[ee])';
  for (const [code, message, run] of [
    ['invalid-option', /^charset: expected .* found "none"/, () => parse(new Uint8Array(2), { charset: 'none' })],
    ['invalid-option', /^level: expected .* found "bad"/, () => check(game, { level: 'bad' })],
    ['invalid-option', /^only: unknown code "none"/, () => fix(game, { only: ['none'] })],
    ['invalid-option', /^coords: expected .* found "x"/, () => board(game, 0, { coords: 'x' })],
    ['no-game', /^no game 2/, () => board(game, 0, { game: 2 })],
    ['no-node', /^no node at path 9\/9/, () => board(game, '9/9')],
    ['no-board', /^no board .* Gipf/, () => board('(;GM[39])', 0)],
    ['unencodable', /^in C: .* windows-1252/, () => serialize(root)],
    ['invalid-tree', /^expected an identifier, found "a b"/, () => serialize({ id: 0, data: { 'a b': ['x'] }, children: [] })],
  ]) {
    assert.throws(run, (error) => error instanceof SgfError && error.code === code && error.name === 'SgfError' && message.test(error.message), `${code}: ${run}`);
  }
  assert.throws(() => parse(7), (error) => error instanceof TypeError && error.code === 'invalid-input');
  const circle = { data: { B: ['aa'] }, children: [] };
  circle.children.push({ data: { W: ['bb'] }, children: [circle] });
  for (const [code, message, run] of [
    ['invalid-tree', /^expected a tree, found a node that contains itself$/, () => serialize(circle)],
    ['invalid-tree', /^expected a tree, found a node that contains itself$/, () => board(circle, 0)],
    ['invalid-tree', /^expected a list of children in the node 0$/, () => serialize({ id: 0 })],
    ['invalid-tree', /^expected a list of texts as B in a node without a number$/, () => serialize({ data: { B: 'aa' }, children: [] })],
    ['invalid-option', /^expected options in an object, found null$/, () => check(game, null)],
    ['invalid-option', /^expected options in an object, found null$/, () => parse(game, null)],
    ['invalid-option', /^expected a list of codes as allow, found string$/, () => check(game, { allow: 'code' })],
  ]) {
    assert.throws(run, (error) => error instanceof TypeError && error.code === code && message.test(error.message), `${code}: ${run}`);
  }
});
