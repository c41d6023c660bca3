// The entries of dropped files: those with games, and members of zips, given to an engine in pieces.

import { Damaged, isZip, zipMembers } from './zip.js';

/** Bytes that are read at once. */
const PIECE = 1 << 20;

/** Names of game records. */
const RECORD = /[^/]\.(sgfs?|mgt|blksgf|hsgf|hgf|tsgf|ggf|gib|ngf|ugf|ugi)$/i;

/** Names of archives, of which only zips are read here. */
const PACKED = /[^/]\.(gz|tgz|bz2|tbz2?|tb2|xz|txz|zst|tzst|lz4|tlz4|tar|zip|7z|rar|001)$/i;

/** True if a walk through a folder opens a file of this name. */
export const isWanted = (name) => RECORD.test(name) || PACKED.test(name);

const MAGICS = [[0x1f, 0x8b], [0x42, 0x5a, 0x68], [0xfd, 0x37, 0x7a], [0x28, 0xb5, 0x2f, 0xfd], [0x04, 0x22, 0x4d, 0x18], [0x50, 0x4b, 3, 4], [0x37, 0x7a, 0xbc, 0xaf], [0x52, 0x61, 0x72, 0x21]];
const startsWith = (bytes, magic) => magic.every((byte, at) => bytes[at] === byte);

/** True for bytes that begin like a game, in UTF-8 or UTF-16. */
function looksLikeGame(bytes) {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, 1024)).replace(/^(\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, '');
  return /^[\s\0]*\([\s\0]*;/.test(text);
}

/** Bytes of a Blob, in pieces. */
async function* piecesOf(blob) {
  for (let at = 0; at < blob.size; at += PIECE) yield new Uint8Array(await blob.slice(at, at + PIECE).arrayBuffer());
}

/** Gives an entry to the engine. `isNamed`: it is read whatever it looks like. False for one that is no game record. */
async function give(engine, name, pieces, isNamed) {
  let isFirst = true;
  engine.begin(name);
  try {
    for await (const bytes of pieces) {
      if (isFirst && MAGICS.some((magic) => startsWith(bytes, magic))) {
        throw new Damaged('expected SGF or a zip, found another kind of archive; sgfq explore reads it');
      }
      if (isFirst && !isNamed && !looksLikeGame(bytes) && !RECORD.test(name)) return false;
      isFirst = false;
      engine.feed(bytes);
    }
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    engine.fault(error.message);
  }
  engine.end();
  return true;
}

/** Gives all games of `files` to the engine: each `{ name, blob, isNamed }`. `heard` is told of progress after each entry. Returns how many
    members were passed over, since they are no game records. */
export async function readAll(engine, files, heard = () => {}) {
  let passed = 0;
  for (const [at, { name, blob, isNamed = true }] of files.entries()) {
    if (await isZip(blob)) {
      try {
        for await (const member of zipMembers(blob)) {
          passed += Number(!(await give(engine, `${name}!${member.name}`, member.bytes, false)));
          heard(at, name);
        }
      } catch (error) {
        if (!(error instanceof Damaged)) throw error;
        engine.begin(name);
        engine.fault(error.message);
      }
    } else {
      passed += Number(!(await give(engine, name, piecesOf(blob), isNamed)));
    }
    heard(at, name);
  }
  return passed;
}
