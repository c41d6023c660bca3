// The worker's engine gives the answers of the command's server, byte for byte.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import test from 'node:test';

import { files } from '../../test/support.js';
import { answerOf, built, questions, read, root, sgfq, withServer, zipOf } from './support.js';

const skip = !existsSync(join(built, 'explorer.wasm')) ? 'build.sh was not run' : sgfq === undefined ? 'cargo has not built sgfq' : false;
const names = readdirSync(join(root, 'corpus'), { withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => entry.name).sort();
const bytesOf = (name) => readFileSync(join(root, 'corpus', name));

/** Asks both all questions. */
async function compare(engine, ask) {
  const status = JSON.parse(answerOf(engine, 'status').text);
  let [count, refused] = [0, 0];
  for (const [name, body] of questions(status)) {
    const [own, other] = [answerOf(engine, name, body), await ask(name, body)];
    assert.deepEqual(own, other, `${name} ${JSON.stringify(body)}`);
    count += 1;
    refused += Number(own.refused);
  }
  assert.ok(refused < count / 4, `${refused} of ${count}`);
  return `${count} answers, of which ${refused} refuse,`;
}

test('files', { skip }, async (context) => {
  const inputs = names.map((name) => `corpus/${name}`);
  const { engine, said } = await read(names.map((name) => ({ name: `corpus/${name}`, bytes: bytesOf(name) })), inputs);
  assert.ok(said.games > 100);
  await withServer(inputs, root, async (ask) => {
    context.diagnostic(`${await compare(engine, ask)} ${said.games} games`);
  });
});

/** Compares what the zip of these members answers. */
async function compareZip(context, members, comment) {
  const folder = mkdtempSync(join(tmpdir(), 'sgfstream-'));
  try {
    const zip = zipOf(members, comment);
    writeFileSync(join(folder, 'games.zip'), zip);
    const { engine, said } = await read([{ name: 'games.zip', bytes: zip }], ['games.zip']);
    await withServer(['games.zip'], folder, async (ask) => {
      context.diagnostic(`${await compare(engine, ask)} ${said.games} games, ${said.faults.length} faults`);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a zip', { skip }, async (context) => {
  const members = names.map((name, at) => ({ name: `games/${name}`, bytes: bytesOf(name), isStored: at % 3 === 0 }));
  await compareZip(context, members, 'a comment');
});

test('a zip of what is no plain SGF', { skip }, async (context) => {
  const gib = '\\HS\r\n\\[GAMEBLACKNAME=ada\\]\r\n\\HE\r\n\\GS\r\n2 1 0\r\nSTO 0 2 1 15 3\r\nSTO 0 3 2 3 15\r\n\\GE\r\n';
  const members = [
    { name: 'record.gib', bytes: Buffer.from(gib) },
    { name: 'wrong.gib', bytes: Buffer.from(gib.replace('STO 0 3', 'STA 0 3')) },
    { name: '棋譜/wide.sgf', bytes: Buffer.from('\ufeff(;PB[黒]SZ[19];B[pd];W[dp])', 'utf16le') },
    { name: 'text.sgf', bytes: Buffer.from('Dear friend') },
    { name: 'letter.txt', bytes: Buffer.from('Dear friend') },
    { name: 'game.txt', bytes: Buffer.from('(;SZ[19];B[pd])') },
    { name: 'damaged.sgf', bytes: Buffer.from('(;SZ[19];B[pd];W[dd])'), crc: 1 },
    { name: 'cut.sgf', bytes: Buffer.from('(;SZ[19];B[pd];W[dd]C[cut\\') },
  ];
  await compareZip(context, members);
});

/** Compares what these files, packed in whatever way, answer: each `{ name, parts }`, of which the command is given the first. */
async function comparePacked(context, folder, files) {
  const inputs = files.map(({ name }) => name);
  const { engine, said } = await read(files, inputs);
  await withServer(inputs, folder, async (ask) => {
    context.diagnostic(`${await compare(engine, ask)} ${said.games} games, ${said.faults.length} faults`);
  });
  return said;
}

test('archives of each kind, whole and cut', { skip }, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'sgfstream-'));
  const packed = join(root, 'crates/archive/tests/archives');
  try {
    const all = readdirSync(packed).filter((name) => !/\.md$|^zstd\.7z$|^bomb/.test(name)).sort();
    const first = all.filter((name) => !/\.00[23]$/.test(name));
    const files = first.flatMap((name) => {
      const parts = all.filter((other) => other === name || (name.endsWith('.001') && other.startsWith(name.slice(0, -3)))).map((other) => readFileSync(join(packed, other)));
      // A zip without its directory is read as a stream: see the README of crates/archive.
      const cut = parts.length > 1 || name === 'descriptor-lzma.zip' ? [] : [{ name: `cut-${name}`, parts: [parts[0].subarray(0, Math.floor(parts[0].length * 0.8))] }];
      return [{ name, parts }, ...cut];
    });
    for (const { name, parts } of files) {
      for (const [at, part] of parts.entries()) writeFileSync(join(folder, at === 0 ? name : name.replace('.001', `.00${at + 1}`)), part);
    }
    const said = await comparePacked(context, folder, files);
    assert.ok(said.games > 100 && said.faults.length > 10);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const noArchives = process.env.SGF_CORPUS === undefined && 'SGF_CORPUS names no archives';

test('a real archive as tar, packed by each tool', { skip: skip || noArchives }, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'sgfstream-'));
  try {
    const tar = execFileSync('zstd', ['-dc', join(process.env.SGF_CORPUS, 'go-commented.tar.zst')], { maxBuffer: 2 ** 30 });
    for (const [name, tool] of [['games.tar'], ['games.tar.zst', 'zstd'], ['games.tgz', 'gzip'], ['games.txz', 'xz'], ['games.tbz', 'bzip2']]) {
      const bytes = tool === undefined ? tar : execFileSync(tool, ['-c'], { input: tar, maxBuffer: 2 ** 30 });
      writeFileSync(join(folder, name), bytes);
      await comparePacked(context, folder, [{ name, parts: [bytes] }]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('real archives', { skip: skip || noArchives }, async (context) => {
  const members = [];
  for (const path of files()) if (!path.startsWith(root)) members.push({ name: `${members.length}-${basename(path)}`, bytes: readFileSync(path) });
  await compareZip(context, members);
});
