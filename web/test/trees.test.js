// @sabaki/sgf gives the same trees where a file has no faults, and what was not changed comes back byte for byte.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import test from 'node:test';

import { events, parse, serialize } from 'sgfstream';

import { draws, nodesOf, readFiles, shapeOf } from './support.js';

const same = (one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)) === 0;

test('what was read is what is written', () => {
  for (const { path, bytes } of readFiles()) {
    const roots = parse(bytes);
    assert.ok(same(serialize(roots), bytes), path);
    const text = bytes.toString('utf8');
    assert.ok(same(serialize(parse(text)), Buffer.from(text)), path);
  }
});

test('nodes have numbers, parents and children as @sabaki/sgf gives them', () => {
  for (const { path, bytes } of readFiles()) {
    const roots = parse(bytes);
    let id = 0;
    for (const node of nodesOf(roots)) {
      assert.equal(node.id, id++, path);
      assert.deepEqual(Object.keys(node), ['id', 'data', 'parentId', 'children']);
      for (const child of node.children) assert.equal(child.parentId, node.id);
    }
    for (const root of roots) assert.equal(root.parentId, null);
  }
});

test('one changed node, and all others byte for byte', () => {
  const draw = draws(1);
  for (const { path, bytes } of readFiles()) {
    if (bytes.length > 200_000) continue;
    const roots = parse(bytes);
    const all = [...nodesOf(roots)];
    if (all.length === 0) continue;
    const changed = all[draw(all.length)];
    const before = changed.data.N;
    changed.data.N = ['changed [by] a \\ test'];
    const written = serialize(roots);
    const again = parse(written);
    assert.deepEqual(shapeOf(again), shapeOf(roots), path);
    // Back to what it was: a damaged file may have been mended on the way, so its trees are compared.
    const other = [...nodesOf(again)][all.indexOf(changed)];
    if (before === undefined) delete other.data.N;
    else other.data.N = before;
    delete changed.data.N;
    if (before !== undefined) changed.data.N = before;
    assert.deepEqual(shapeOf(parse(serialize(again))), shapeOf(roots), path);
  }
});

test('only the bytes of the changed node change', () => {
  const text = 'mail\r\n( ;FF[4] GM [1]\nSZ[9] ; B[aa] C[a\\\nb]\n(;W[bb]\n) (; W[cc] ) )\n\n(;GM[1]) end';
  const roots = parse(text);
  roots[0].children[0].children[1].data.N = ['new'];
  const written = Buffer.from(serialize(roots)).toString();
  assert.equal(written, text.replace('; W[cc] ', ';W[cc]N[new] '));
  roots[0].children[0].children.shift();
  assert.equal(Buffer.from(serialize(roots)).toString(), text.replace('(;W[bb]\n) ', '').replace('; W[cc] ', ';W[cc]N[new] '));
  assert.equal(Buffer.from(serialize([roots[1]])).toString(), '\n\n(;GM[1]) end');
});

test('edits are written in the charset of the game', () => {
  const gbk = Buffer.concat([Buffer.from('(;CA[GBK]C['), Buffer.from([0xba, 0xda]), Buffer.from('];B[aa])')]);
  const [root] = parse(gbk);
  assert.equal(root.data.C[0], '黑');
  root.children[0].data.C = ['黑'];
  const expected = Buffer.concat([gbk.subarray(0, -1), Buffer.from('C['), Buffer.from([0xba, 0xda]), Buffer.from('])')]);
  assert.deepEqual(Buffer.from(serialize([root])), expected);
  root.children[0].data.C = ['\u{1f600}'];
  assert.throws(() => serialize([root]), /characters that GBK cannot encode/);
  root.data.CA = ['UTF-8'];
  assert.equal(Buffer.from(serialize([root])).toString(), '(;CA[UTF-8]C[黑];B[aa]C[\u{1f600}])');
});

test('a text must fit the other texts of a game without a charset', () => {
  const read = (bytes, charset) => {
    const [root] = parse(Buffer.concat([Buffer.from('(;PB[x]PW['), Buffer.from(bytes), Buffer.from('])')]), { charset });
    root.data.PB = ['李'];
    return root;
  };
  assert.throws(() => serialize(read([0xba, 0xda], 'auto')), { code: 'unencodable', message: /declares no known charset/ });
  assert.deepEqual(Buffer.from(serialize(read([0xba, 0xda], 'GBK'))).subarray(5, 7), Buffer.from([0xc0, 0xee]));
  assert.equal(Buffer.from(serialize(read(Buffer.from('黑'), 'auto'))).toString(), '(;PB[李]PW[黑])');
  const root = read([0xba, 0xda], 'auto');
  root.data.PB = ['Li'];
  assert.equal(Buffer.from(serialize(root)).subarray(0, 7).toString(), '(;PB[Li');
});

test('new trees, moved trees and faults of a tree', () => {
  const root = { id: 7, data: { GM: ['1'], C: ['a]b'] }, parentId: null, children: [] };
  root.children = [{ id: 8, data: { B: ['aa'] }, parentId: 7, children: [] }, { id: 9, data: { SZ: ['9'] }, parentId: 7, children: [] }];
  // A blank tells that the second variation is no game of its own.
  assert.equal(Buffer.from(serialize(root)).toString(), '(;GM[1]C[a\\]b]\n(;B[aa])\n(;SZ [9]))\n');
  assert.deepEqual(shapeOf(parse(serialize(root))), shapeOf([root]));
  const [read] = parse('(;GM[1]C[ x])');
  const copy = { ...read, data: { ...read.data, N: ['n'] } };
  assert.equal(Buffer.from(serialize([copy], { like: [read] })).toString(), '(;GM[1]C[ x]N[n])');
  assert.throws(() => serialize([{ ...read, data: { C: 'x' } }]), /expected a list of texts as C in the node 0/);
  assert.throws(() => serialize([{ ...read, data: { c: ['x'] } }]), /expected an identifier/);
  assert.throws(() => serialize([null]), /expected an object/);
  assert.equal(serialize([]).length, 0);
});

test('a cut game, and one after it', () => {
  const roots = parse('(;GM[1]C[cut');
  roots.push(...parse('(;GM[1]N[next])'));
  const again = parse(serialize(roots));
  assert.deepEqual(shapeOf(again), shapeOf(roots));
});

test('a line of a million nodes', () => {
  const text = `(${';B[aa]'.repeat(1_000_000)})`;
  const roots = parse(text);
  assert.equal(Buffer.from(serialize(roots)).toString(), text);
  roots[0].data.N = ['x'];
  assert.equal(serialize(roots).length, text.length + 4);
  const deep = `${'(;B[aa]'.repeat(200_000)}${')'.repeat(200_000)}`;
  assert.equal(Buffer.from(serialize(parse(deep))).toString(), deep);
});

/** White space as @sabaki/sgf leaves it, and this reader does not: spec T-04 to T-08. */
const blanks = (text) => text.replace(/\n\r|\r\n|\r/g, '\n').replace(/[\t\v\f]/g, ' ');

test('trees of @sabaki/sgf', { skip: process.env.SABAKI === undefined && 'SABAKI is not a folder that has it' }, () => {
  const sabaki = createRequire(join(resolve(process.env.SABAKI), 'package.json'))('@sabaki/sgf');
  let files = 0;
  for (const { path, bytes } of readFiles()) {
    let text = '';
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      continue;
    }
    const faults = [...events(text)].flatMap((batch) => [...batch]).filter(({ kind }) => kind === 'problem');
    // Line breaks of CR alone, and values that NUL or a byte order mark is in, are where both know that they differ.
    if (faults.length > 0 || /\r(?!\n)|\0/.test(text) || text.includes('\\\r')) continue;
    const plain = (roots) => shapeOf(roots).map(([data, children]) => [
      Object.entries(data).map(([id, values]) => [id, values.map(blanks)]), children,
    ]);
    let theirs;
    try {
      theirs = sabaki.parse(text);
    } catch {
      // It throws at what comes before and after games.
      continue;
    }
    assert.deepEqual(plain(parse(text)), plain(theirs), path);
    files += 1;
  }
  assert.ok(files > 20, `only ${files} files`);
  console.log(`${files} files`);
});
