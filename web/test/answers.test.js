// Answers equal the answers of the command, field by field.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import test from 'node:test';

import { board, charset, check, fix, parse } from 'sgfstream/full';

import { printed, readFiles, sgfq, withLines } from './support.js';

const skip = sgfq === undefined && 'there is no sgfq';

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
    const { bytes: found, findings, unlisted } = fix(bytes, { level: 'note', guess: true });
    assert.equal(Buffer.from(found).toString('latin1'), expected, path);
    assert.ok(unlisted >= 0 && findings.every(({ done }) => ['repaired', 'guessed', 'left'].includes(done)));
    const again = fix(found, { level: 'note', guess: true });
    assert.ok(again.findings.every(({ done }) => done === 'left'), path);
  }
});

test('`fix` names a repair that stray text blocks', () => {
  const blockedOf = (text) => fix(text).findings.find(({ code }) => code === 'malformed-game-info').blocked;
  assert.deepEqual(['(;FF[4]GM[1]KM[6,5];b[ab])', '(;FF[4]GM[1]KM[6,5];B[ab])'].map(blockedOf), [true, false]);
});

test('charsets', { skip }, () => {
  for (const { path, bytes, lines } of withLines(['charset', '-f', 'jsonl'])) assert.deepEqual(charset(bytes), lines, path);
});

/** The pictures of the first games of a file, by the number of the game. */
const picturesOf = (path) => {
  const place = mkdtempSync(join(tmpdir(), 'sgfstream-'));
  printed(['board', '-f', 'svg', '-d', place, '--', path]);
  // `x.svg`, and `x-2.svg` for the second game of `x.sgf`. Other extensions stay in the name.
  const stem = basename(path).replace(/\.sgf$/i, '').length;
  const gameOf = (name) => Number(name.slice(stem + 1, -4)) || 1;
  const pictures = readdirSync(place).map((name) => [gameOf(name), readFileSync(join(place, name), 'utf8')]);
  rmSync(place, { recursive: true });
  return pictures.sort(([one], [other]) => one - other).slice(0, 3);
};

test('boards', { skip }, () => {
  const turn = { B: ', Black to play', W: ', White to play' };
  [1, 2, 3, 4].forEach((color) => (turn[color] = `, color ${color} to play`));
  let compared = 0;
  for (const { path, bytes } of readFiles()) {
    for (const [game, picture] of picturesOf(path)) {
      const shown = board(bytes, undefined, { game });
      const title = `${basename(path)}#${game} ${shown.node}, move ${shown.move}${shown.played ? `: ${shown.played}` : ''}${turn[shown.toPlay] ?? ''}`;
      assert.equal(board(bytes, undefined, { game, title }).svg, picture.trimEnd(), path);
      assert.equal(shown.cells.length, shown.size[0] * shown.size[1]);
      assert.equal(shown.rows.join('').length, shown.cells.length, path);
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
  assert.throws(() => board(text, '3/0'), /no node at path 3\/0/);
  assert.throws(() => board(text, 99), /no move 99/);
  assert.throws(() => board(text, 'x'), /expected a node such as/);
  assert.throws(() => board(text, 1, { game: 2 }), /no game 2: the text has 1 game/);
  assert.throws(() => board('', 1), /no game 1: the text has 0 games/);
});

test('what is asked wrongly is said', () => {
  assert.throws(() => check('(;)', { level: 'bad' }), /level: expected "note"/);
  assert.throws(() => fix('(;)', { only: ['nothing'] }), /only: unknown code/);
});
