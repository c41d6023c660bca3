// The members of a zip, by its directory: read in pieces, however large it is.

/** Bytes that are read at once. Most members lie one after another, and come with one read. */
const WINDOW = 4 << 20;

/** Bytes of a comment at the end of a zip, and of the records there. */
const TAIL = 65535 + 22 + 20 + 56;

/** Bytes of a member that is unpacked while others are: those of larger ones wait for their turn. */
const SMALL = 1 << 20;

/** Members that are unpacked at once. */
const AHEAD = 16;

/** A zip, or a member of it, that cannot be read as it should. */
export class Damaged extends Error {}

/** Bytes of a Blob, with those around them that may be asked for next. */
class Window {
  #blob;
  #at = 0;
  #bytes = new Uint8Array(0);

  constructor(blob) {
    this.#blob = blob;
  }

  get size() {
    return this.#blob.size;
  }

  /** These bytes; fewer at the end. */
  async read(at, len) {
    if (at < this.#at || at + len > this.#at + this.#bytes.length) {
      const slice = this.#blob.slice(at, at + Math.max(len, WINDOW));
      [this.#at, this.#bytes] = [at, new Uint8Array(await slice.arrayBuffer())];
    }
    return this.#bytes.subarray(at - this.#at, at - this.#at + len);
  }
}

const view = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const long = (at, of) => Number(of.getBigUint64(at, true));

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** The checksum of bytes after others with the checksum `crc`. */
function checksum(bytes, crc = 0) {
  crc = ~crc;
  for (let at = 0; at < bytes.length; at++) crc = TABLE[(crc ^ bytes[at]) & 255] ^ (crc >>> 8);
  return ~crc;
}

/** True for a file that begins like a zip. */
export async function isZip(blob) {
  const head = new Uint8Array(await blob.slice(0, 4).arrayBuffer());
  return head.length === 4 && head[0] === 0x50 && head[1] === 0x4b && [0x0403, 0x0605, 0x0606].includes(head[2] | (head[3] << 8));
}

/** Where the directory is, and by how much all places are moved by what is before the zip. */
async function directoryOf(window) {
  const start = Math.max(0, window.size - TAIL);
  const tail = (await window.read(start, TAIL)).slice();
  const of = view(tail);
  let end = -1;
  for (let at = tail.length - 22; at >= 0 && end < 0; at--) if (of.getUint32(at, true) === 0x06054b50 && at + 22 + of.getUint16(at + 20, true) <= tail.length) end = at;
  if (end < 0) throw new Damaged('expected a zip with its directory at its end, found none: is it whole?');
  let [len, at, before] = [of.getUint32(end + 12, true), of.getUint32(end + 16, true), start + end];
  if (end >= 20 && of.getUint32(end - 20, true) === 0x07064b50) {
    const record = view(await window.read(long(end - 20 + 8, of), 56));
    if (record.byteLength < 56 || record.getUint32(0, true) !== 0x06064b50) throw new Damaged('expected the record of a zip64, found other bytes');
    [before, len, at] = [long(end - 20 + 8, of), long(40, record), long(48, record)];
  }
  const moved = before - len - at;
  if (moved < 0) throw new Damaged('expected a directory before the end of the zip, found other bytes');
  return { at: at + moved, end: at + moved + len, moved };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const other = new TextDecoder('gb18030');

/** The name of a member. Old zips do not say its charset. */
function nameOf(bytes, extra) {
  const of = view(extra);
  for (let at = 0; at + 4 <= extra.length; at += 4 + of.getUint16(at + 2, true)) {
    const len = of.getUint16(at + 2, true);
    const isUnicode = of.getUint16(at, true) === 0x7075 && len > 5 && at + 4 + len <= extra.length;
    if (isUnicode && of.getInt32(at + 5, true) === checksum(bytes)) bytes = extra.subarray(at + 9, at + 4 + len);
  }
  try {
    return utf8.decode(bytes);
  } catch {
    return other.decode(bytes);
  }
}

/** The members in the order of the directory. */
async function* membersOf(window, { at, end, moved }) {
  while (at < end) {
    const head = view(await window.read(at, 46));
    if (head.byteLength < 46 || head.getUint32(0, true) !== 0x02014b50) throw new Damaged('expected a member in the directory of the zip, found other bytes');
    const [nameLen, extraLen, commentLen] = [28, 30, 32].map((place) => head.getUint16(place, true));
    const rest = (await window.read(at + 46, nameLen + extraLen)).slice();
    const extra = rest.subarray(nameLen);
    const member = {
      name: nameOf(rest.subarray(0, nameLen), extra), flags: head.getUint16(8, true), method: head.getUint16(10, true), crc: head.getInt32(16, true),
      packed: head.getUint32(20, true), size: head.getUint32(24, true), local: head.getUint32(42, true),
    };
    const of = view(extra);
    for (let place = 0; place + 4 <= extra.length; place += 4 + of.getUint16(place + 2, true)) {
      if (of.getUint16(place, true) !== 1) continue;
      let wide = place + 4;
      for (const key of ['size', 'packed', 'local']) {
        if (member[key] !== 0xffffffff || wide + 8 > extra.length) continue;
        member[key] = long(wide, of);
        wide += 8;
      }
    }
    member.local += moved;
    yield member;
    at += 46 + nameLen + extraLen + commentLen;
  }
}

/** The packed bytes of a member, in pieces. */
async function* packedOf(window, member) {
  const head = view(await window.read(member.local, 30));
  if (head.byteLength < 30 || head.getUint32(0, true) !== 0x04034b50) throw new Damaged('expected the head of a member, found other bytes');
  let at = member.local + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  for (let left = member.packed; left > 0; ) {
    const bytes = await window.read(at, Math.min(left, SMALL));
    if (bytes.length === 0) throw new Damaged('expected more of a member, found the end of the zip');
    yield bytes.slice();
    at += bytes.length;
    left -= bytes.length;
  }
}

/** Bytes that are unpacked, in pieces. */
async function* unpacked(packed) {
  const { readable, writable } = new DecompressionStream('deflate-raw');
  const writer = writable.getWriter();
  const writing = (async () => {
    try {
      for await (const bytes of packed) {
        await writer.ready;
        await writer.write(bytes);
      }
      await writer.close();
    } catch (error) {
      await writer.abort(error).catch(() => {});
      throw error;
    }
  })();
  // The reader below fails with it.
  writing.catch(() => {});
  const reader = readable.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield value;
    }
    await writing;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** The bytes of a member of which these are the packed ones, in pieces: an error comes after what could be read. */
async function* unpackedOf(member, packed) {
  if (member.flags & 0x2041) throw new Damaged('expected a member that can be read, found an encrypted one');
  if (member.method !== 0 && member.method !== 8) throw new Damaged(`expected a member that is stored or deflated, found method ${member.method}`);
  let [crc, size] = [0, 0];
  try {
    for await (const bytes of member.method === 0 ? packed : unpacked(packed)) {
      size += bytes.length;
      if (size > member.size) throw new Damaged(`expected ${member.size} bytes, found more`);
      crc = checksum(bytes, crc);
      yield bytes;
    }
  } catch (error) {
    if (error instanceof Damaged) throw error;
    throw new Damaged(`expected packed bytes, found damage (${error.message})`);
  }
  if (size !== member.size || crc !== member.crc) throw new Damaged('expected the checksum that the zip states, found other bytes');
}

/** Pieces that came, and the error after them. */
async function collected(pieces) {
  const found = { pieces: [], error: null };
  try {
    for await (const bytes of pieces) found.pieces.push(bytes);
  } catch (error) {
    found.error = error;
  }
  return found;
}

async function* again({ pieces, error }) {
  yield* pieces;
  if (error !== null) throw error;
}

/** The members, in the order of the directory: each `{ name, bytes }`, of which `bytes` is to be read before the next one. */
export async function* zipMembers(blob) {
  const members = membersOf(new Window(blob), await directoryOf(new Window(blob)));
  const window = new Window(blob);
  const waiting = [];
  for await (const member of members) {
    if (member.name.endsWith('/')) continue;
    if (member.packed > SMALL || member.size > SMALL) {
      for (const [name, found] of waiting.splice(0)) yield { name, bytes: again(await found) };
      yield { name: member.name, bytes: unpackedOf(member, packedOf(window, member)) };
      continue;
    }
    // Its bytes are read before those of the next one, and unpacked while those are.
    const pieces = [];
    let error = null;
    try {
      if (!(member.flags & 0x2041)) for await (const bytes of packedOf(window, member)) pieces.push(bytes);
    } catch (failed) {
      error = failed;
    }
    waiting.push([member.name, collected(unpackedOf(member, again({ pieces, error })))]);
    if (waiting.length > AHEAD) {
      const [name, found] = waiting.shift();
      yield { name, bytes: again(await found) };
    }
  }
  for (const [name, found] of waiting) yield { name, bytes: again(await found) };
}
