// Members of zips, whole and damaged.

import assert from 'node:assert/strict';
import test from 'node:test';

import { zipMembers, isZip } from '../src/zip.js';
import { zipOf } from './support.js';

const text = (bytes) => Buffer.from(bytes);
const members = [
  { name: 'a.sgf', bytes: text('(;B[aa])') },
  { name: '棋譜/b.sgf', bytes: text('(;W[bb])'), isStored: true },
  { name: 'folder/', bytes: text(''), isStored: true },
  { name: 'empty.sgf', bytes: text('') },
  { name: 'large.sgf', bytes: text('(;B[aa]C[text])\n'.repeat(400_000)) },
  ...Array.from({ length: 100 }, (_, at) => ({ name: `${at}.sgf`, bytes: text(`(;C[${at}])`.repeat(at + 1)) })),
];

/** The members with their bytes, and the error after them if there is one. */
async function readAll(blob) {
  const all = [];
  for await (const { name, bytes } of zipMembers(blob)) {
    const [pieces, found] = [[], { name }];
    try {
      for await (const piece of bytes) pieces.push(piece);
    } catch (error) {
      found.error = error.message;
    }
    all.push({ ...found, bytes: Buffer.concat(pieces) });
  }
  return all;
}

test('members are read in order', async () => {
  const wanted = members.filter(({ name }) => !name.endsWith('/')).map(({ name, bytes }) => ({ name, bytes }));
  for (const [before, comment] of [['', ''], ['', 'a comment PK\u0005\u0006 of text'], ['#!/bin/sh\n', '']]) {
    const blob = new Blob([before, zipOf(members, comment)]);
    assert.deepEqual(await readAll(blob), wanted);
    assert.equal(await isZip(blob), before === '');
  }
});

test('damage is said and stays in its member', async () => {
  const one = (member) => new Blob([zipOf([member, members[0]])]);
  const large = members.find(({ name }) => name === 'large.sgf');
  for (const [member, expected] of [
    [{ ...members[0], crc: 1 }, /checksum/],
    [{ ...large, crc: 1 }, /checksum/],
    [{ ...members[0], flags: 1 }, /encrypted/],
  ]) {
    const [bad, good] = await readAll(one(member));
    assert.match(bad.error, expected);
    assert.deepEqual(good, { name: 'a.sgf', bytes: members[0].bytes });
  }
  await assert.rejects(readAll(new Blob([zipOf(members).subarray(0, 5000)])), /directory/);
});

test('no byte that is lost or another makes more than an error', async () => {
  const whole = zipOf(members.slice(0, 2));
  for (let at = 0; at < whole.length; at++) {
    for (const value of [0, 0xff, whole[at] ^ 1]) {
      const bytes = Buffer.from(whole);
      bytes[at] = value;
      await readAll(new Blob([bytes])).catch((error) => assert.match(error.message, /^expected /));
    }
  }
});
