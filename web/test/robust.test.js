// No input stops the module: files with bytes changed, cut, doubled and mixed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { SgfError, board, charset, check, events, fix, parse, serialize } from 'sgfstream/full';

import { draws, files, shapeOf } from './support.js';

const ROUNDS = Number(process.env.SGF_FUZZ ?? 400);
const PIECES = ['(', ')', ';', '[', ']', '\\', ':', 'B[aa]', 'CA[GBK]', 'SZ[19]', 'GM[2]', 'FF[1]', '\0', '\u{feff}', '(;', '\n'];

function mutated(bytes, draw) {
  let out = Buffer.from(bytes);
  for (let times = 1 + draw(8); times > 0; times--) {
    const at = draw(out.length + 1);
    const end = Math.min(out.length, at + draw(64));
    switch (draw(6)) {
      case 0:
        if (at < out.length) out[at] = draw(256);
        break;
      case 1:
        out = Buffer.concat([out.subarray(0, at), out.subarray(end)]);
        break;
      case 2:
        out = Buffer.concat([out.subarray(0, end), out.subarray(at)]);
        break;
      case 3:
        out = Buffer.concat([out.subarray(0, at), Buffer.from(PIECES[draw(PIECES.length)]), out.subarray(at)]);
        break;
      case 4:
        out = out.subarray(0, at);
        break;
      default:
        out = Buffer.concat([out.subarray(at), out.subarray(0, at)]);
    }
  }
  return out;
}

/** Runs `work`, which may refuse its input for one of these reasons; any other error fails. */
function refused(work) {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof SgfError && ['no-game', 'no-node', 'no-board', 'too-large'].includes(error.code), error);
  }
}

test('mutated files', async () => {
  const seed = Number(process.env.SGF_SEED ?? 7);
  const draw = draws(seed);
  const all = files().map((path) => ({ path, bytes: readFileSync(path) })).filter(({ bytes }) => bytes.length < 50_000);
  for (let round = 0; round < ROUNDS; round++) {
    const { path, bytes } = all[draw(all.length)];
    const input = mutated(bytes, draw);
    const where = `${path}, round ${round} of seed ${seed}`;
    try {
      const plain = [...events(input)].flatMap((batch) => [...batch]);
      const streamed = [];
      for await (const batch of events(new Blob([input]))) streamed.push(...batch);
      assert.deepEqual(streamed, plain);
      assert.equal(Buffer.compare(Buffer.from(serialize(parse(input))), input), 0);
      // In one charset: what its bytes look like may change with every byte of a game. UTF-16 is written as UTF-8.
      const isWide = input.includes(0) || input[0] >= 0xfe;
      const how = { charset: isWide ? 'UTF-8' : ['latin1', 'UTF-8', 'GBK'][round % 3] };
      const roots = parse(input, how);
      if (roots.length > 0) {
        roots[draw(roots.length)].data.N = ['a [test] \\'];
        const again = parse(serialize(roots), how);
        // A value that is closed may be read in another way than one that was cut.
        if (!plain.some(({ code }) => code === 'unclosed-value')) assert.deepEqual(shapeOf(again), shapeOf(roots));
      }
      check(input, { level: 'note', legality: true });
      fix(input, { level: 'note', guess: true });
      charset(input);
      refused(() => board(input));
      refused(() => board(input, `${draw(3)}/${draw(4)}`));
    } catch (error) {
      throw new Error(`${where}, ${JSON.stringify(input.toString('latin1').slice(0, 2000))}`, { cause: error });
    }
  }
});

test('a module that has no more memory is replaced', () => {
  // Nearly the memory that a module can ever have, without being in the memory of this test.
  class Large extends Uint8Array {
    get length() {
      return 2 ** 32 - 2 ** 16;
    }
  }
  assert.throws(() => check(new Large(0)), /not enough memory for this input/);
  assert.equal(parse('(;B[aa])').length, 1);
});
