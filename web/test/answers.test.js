// Answers are those of the command, field by field.

import assert from 'node:assert/strict';
import test from 'node:test';

import { board, charset, check, fix, parse } from 'sgfstream/full';

import { printed, readFiles, sgfq, withLines } from './support.js';

const skip = sgfq === undefined && 'there is no sgfq';

/** The lines of the command, without the fields that name the file. */
const linesOf = (text) => text.split('\n').filter(Boolean).map((line) => {
  const { schema, file, ...fields } = JSON.parse(line);
  return fields;
});

test('findings of `check`', { skip }, () => {
  let compared = 0;
  for (const { path, bytes, lines } of withLines(['check', '-q', '-f', 'jsonl', '--level', 'note', '--legality'])) {
    const found = check(bytes, { level: 'note', legality: true });
    // The command has thrown some of the bytes away by then, in a long game.
    const without = (findings) => findings.map(({ found, message, ...finding }) => finding);
    assert.deepEqual(without(found), without(lines), path);
    if (bytes.length < 1_000_000) assert.deepEqual(found.map(({ message }) => message), lines.map(({ message }) => message), path);
    compared += lines.length;
  }
  assert.ok(compared > 100, `only ${compared} findings`);
  console.log(`${compared} findings`);
});

test('bytes of `fix`', { skip }, () => {
  for (const { path, bytes } of readFiles()) {
    const expected = printed(['fix', '-q', '--level', 'note', '--guess', '--', path], { encoding: 'latin1' });
    const { bytes: found, findings, untold } = fix(bytes, { level: 'note', guess: true });
    assert.equal(Buffer.from(found).toString('latin1'), expected, path);
    assert.ok(untold >= 0 && findings.every(({ done }) => ['repaired', 'guessed', 'left'].includes(done)));
    const again = fix(found, { level: 'note', guess: true });
    assert.ok(again.findings.every(({ done }) => done === 'left'), path);
  }
});

test('charsets', { skip }, () => {
  for (const { path, bytes, lines } of withLines(['charset', '-f', 'jsonl'])) assert.deepEqual(charset(bytes), lines, path);
});

test('boards', { skip }, () => {
  let compared = 0;
  for (const { path, bytes } of readFiles()) {
    const lines = linesOf(printed(['board', '-f', 'jsonl', '--comment', '--', path]));
    for (const { name, numbers, lines: arrows, ...line } of lines.slice(0, 3)) {
      const game = Number(name.slice(name.lastIndexOf('#') + 1));
      const shown = board(bytes, undefined, { game });
      assert.equal(shown.node, line.node, path);
      assert.deepEqual(shown.rows, line.rows, path);
      assert.deepEqual([shown.move, shown.played, shown.game, shown.size], [line.move, line.played, line.game, line.size], path);
      assert.deepEqual([shown.last, shown.marks, shown.labels], [line.last, line.marks, line.labels], path);
      assert.equal(shown.cells.length, shown.size[0] * shown.size[1]);
      assert.match(shown.svg, /^<svg[^]*<\/svg>$/);
      compared += 1;
    }
  }
  assert.ok(compared > 30, `only ${compared} boards`);
});

test('a board by move, by node, of a tree', () => {
  const text = '(;GM[1]SZ[5];B[bb];W[ba](;B[aa];W[ab];B[cc])(;B[cb]C[here]TR[cb]))';
  const main = board(text, 4);
  assert.deepEqual([main.node, main.played, main.captures], ['0/1', 'W A4', { B: 0, W: 1 }]);
  assert.deepEqual(main.next, [{ node: '0/2', played: 'B C3' }]);
  const side = board(parse(text), '1/0', { coords: 'sgf', title: 'A <board>\nof two lines' });
  assert.deepEqual([side.comment, side.last, side.marks], ['here', ['cb'], { triangle: ['cb'] }]);
  assert.ok(side.svg.includes('A &lt;board&gt; of two lines'));
  assert.equal(side.cells[6], 1);
  assert.throws(() => board(text, '3/0'), /expected the node 3\/0, found none/);
  assert.throws(() => board(text, 99), /expected move 99/);
  assert.throws(() => board(text, 'x'), /expected a node such as/);
  assert.throws(() => board(text, 1, { game: 2 }), /expected game 2, found 1/);
  assert.throws(() => board('', 1), /expected game 1, found 0/);
});

test('what is asked wrongly is said', () => {
  assert.throws(() => check('(;)', { level: 'bad' }), /level: expected "note"/);
  assert.throws(() => fix('(;)', { only: ['nothing'] }), /only: expected a code/);
});
