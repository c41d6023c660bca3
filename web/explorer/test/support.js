// The command's server, a zip, and questions, for the tests of the explorer.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 as checksum, deflateRawSync } from 'node:zlib';

import { root, sgfq } from '../../test/support.js';
import { Engine } from '../src/engine.js';
import { readAll } from '../src/entries.js';

export { root, sgfq };

/** The folder that `build.sh` made. */
export const built = process.env.EXPLORER ?? join(root, 'web/dist/explorer');

/** Bytes as the engine reads them, in pieces no larger than `most`. */
export const volumeOf = (bytes, most = Infinity) => ({ size: bytes.length, read: (at, len) => bytes.subarray(at, at + Math.min(len, most)) });

/** An engine that has indexed the games of files, each `{ name, bytes }` or `parts` of bytes, while another one unpacked them; and what that one said
    at the end. */
export async function read(files, inputs) {
  const module = await WebAssembly.compile(readFileSync(join(built, 'explorer.wasm')));
  const [unpacker, engine] = [new Engine(module), new Engine(module)];
  unpacker.split((batch) => engine.append(batch));
  const passed = readAll(unpacker, files.map(({ name, bytes, parts = [bytes] }) => ({ name, volumes: parts.map((part) => volumeOf(part)) })));
  const said = { passed, ...unpacker.finish([]) };
  if (said.games > 0) engine.finish(inputs, said.faults.length > 0);
  return { engine, said };
}

/** The answer of an engine: its text, or its message with `refused`. */
export function answerOf(engine, name, body) {
  try {
    return { refused: false, text: Buffer.concat(engine.ask(name, body)).toString() };
  } catch (error) {
    return { refused: true, text: error.message };
  }
}

/** Runs `work` with a function that asks the server of the command for these inputs. */
export async function withServer(inputs, cwd, work) {
  const server = spawn(sgfq, ['explore', '--variations', '--no-open', ...inputs], { cwd });
  try {
    let said = '';
    const url = await new Promise((resolve, reject) => {
      server.on('exit', () => reject(new Error(`sgfq explore ended: ${said}`)));
      server.stderr.on('data', (data) => {
        said += data;
        const found = said.match(/http:\S+/);
        if (found) resolve(new URL(found[0]));
      });
    });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${url.hash.slice('#token='.length)}` };
    const ask = async (name, body) => {
      const response = await fetch(`${url.origin}/api/${name}`, { method: 'POST', headers, body: JSON.stringify(body ?? {}) });
      const text = await response.text();
      return response.ok ? { refused: false, text } : { refused: true, text: JSON.parse(text).error };
    };
    while (JSON.parse((await ask('status')).text).state === 'reading') await new Promise((resolve) => setTimeout(resolve, 50));
    await work(ask);
  } finally {
    server.kill();
  }
}

const crc32 = checksum ?? ((bytes) => {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
});

/** A zip of these members: each `{ name, bytes, isStored }`. */
export function zipOf(members, comment = '') {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const { name, bytes, isStored = false, crc = crc32(bytes), flags = 0x800 } of members) {
    const [title, packed] = [Buffer.from(name), isStored ? bytes : deflateRawSync(bytes)];
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(flags, 6);
    head.writeUInt16LE(isStored ? 0 : 8, 8);
    head.writeUInt32LE(crc, 14);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt32LE(bytes.length, 22);
    head.writeUInt16LE(title.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 4);
    head.copy(entry, 6, 4, 30);
    entry.writeUInt32LE(at, 42);
    parts.push(head, title, packed);
    directory.push(entry, title);
    at += 30 + title.length + packed.length;
  }
  const len = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(len, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, ...directory, end, Buffer.from(comment)]);
}

/** Questions about an archive with these boards and so many games: the name and the body of each. */
export function* questions({ boards, games }) {
  yield ['status', {}];
  yield ['players', {}];
  yield ['players', { where: 'year(date_min) > 1990' }];
  yield ['findings', {}];
  yield ['findings', { where: 'gm = 1' }];
  yield ['person', {}];
  for (const [person, depth] of [['Ada', undefined], ['本因坊', 2], ['a name that no game has', 4]]) yield ['person', { person, depth }];
  yield ['person', { person: 'Ada', against: 'Ben', where: 'gm = 1' }];
  yield ['stats', {}];
  yield ['stats', { where: 'gm = 1' }];
  yield ['games', { all: true, count: 500 }];
  yield ['export', { all: true }];
  yield ['export', { all: true, repaired: true, where: 'gm = 1' }];
  for (const wrong of ['gm = ', 'nothing > 1', "pb ~ '['"]) yield ['position', { where: wrong }];
  yield ['position', { moves: 'pd zz9' }];
  for (const mover of [undefined, 'B', 'W']) {
    yield ['position', { pattern: '|..../|.X../|....', mover }];
    yield ['games', { pattern: 'X?/?O', mover, count: 20 }];
  }
  yield ['export', { pattern: '|..../|.X../|....' }];
  for (const swap_colors of [false, true]) {
    for (const board of [undefined, ...boards]) {
      for (const moves of ['', 'pd', 'pd dp', 'B[dd] W[pp]', 'aa']) {
        const asked = { board, moves, swap_colors };
        yield ['position', asked];
        yield ['copy', asked];
        yield ['games', { ...asked, count: 30 }];
        yield ['tree', asked];
      }
    }
  }
  // Of many games some, but all kinds of them.
  const step = Math.max(1, Math.floor(games / 150));
  for (let id = 0; id < games; id += step) {
    yield ['game', { id, moves: '' }];
    yield ['game', { id, all: true, move: 7 }];
    yield ['game', { id, path: '0/1', moves: '' }];
    yield ['repair', { id }];
    yield ['export', { id }];
  }
  yield ['game', { id: games }];
}
