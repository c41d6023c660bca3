// `sgfq events` gives the same events, line by line, however the bytes come.

import assert from 'node:assert/strict';
import test from 'node:test';

import { events } from 'sgfstream';

import { readFiles, sgfq, withLines } from './support.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A value as the command writes it. */
function shown(bytes) {
  try {
    return utf8.decode(bytes);
  } catch {
    return { latin1: Buffer.from(bytes).toString('latin1') };
  }
}

const raw = (text) => shown(Buffer.from(text, 'latin1'));

/** An event as the command writes it, without `schema` and `file`. */
function lineOf({ kind, span, depth, game, ...event }) {
  const line = { kind, span, depth, game };
  switch (kind) {
    case 'property':
    case 'property_part':
      line.id = event.id;
      if (event.written !== event.id) line.written = event.written;
      if (kind === 'property') return { ...line, values: event.values.map(raw) };
      return { ...line, value: event.value, first: event.first, last: event.last, content: raw(event.content) };
    case 'problem': {
      const { code, severity, sgfc, message } = event;
      return { ...line, code, severity, sgfc, message };
    }
    case 'gap':
      return { ...line, bytes: shown(event.bytes) };
    default:
      return event.supplied ? { ...line, supplied: true } : line;
  }
}

const all = { raw: true, places: true, gaps: true };

function linesOf(bytes, options = { raw: true, places: true }) {
  return [...events(bytes, options)].flatMap((batch) => [...batch].map(lineOf));
}

test('the events of the command', { skip: sgfq === undefined && 'there is no sgfq' }, () => {
  let compared = 0;
  let files = 0;
  for (const { path, bytes, lines } of withLines(['events'])) {
    assert.deepEqual(linesOf(bytes), lines, path);
    compared += lines.length;
    files += 1;
  }
  assert.ok(compared > 2000, `only ${compared} events`);
  console.log(`${compared} events of ${files} files`);
});

test('places change nothing else', () => {
  for (const { path, bytes } of readFiles()) {
    const placed = [...events(bytes, { places: true })].flatMap((batch) => [...batch]);
    const plain = placed.map(({ span, depth, game, charset, framing, ...event }) => event);
    assert.deepEqual([...events(bytes)].flatMap((batch) => [...batch]), plain, path);
  }
});

test('a stream gives the events of its bytes', async () => {
  for (const { path, bytes } of readFiles()) {
    if (bytes.length > 20_000) continue;
    const whole = linesOf(bytes);
    for (const size of [1, 7, 4096]) {
      const chunks = async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      };
      const found = [];
      for await (const batch of events(chunks(), { raw: true, places: true })) found.push(...[...batch].map(lineOf));
      assert.deepEqual(found, whole, `${path} by ${size}`);
    }
    const texts = (batches) => batches.flatMap((batch) => [...batch]);
    const streamed = [];
    for await (const batch of events(new Blob([bytes]))) streamed.push(batch);
    assert.deepEqual(texts(streamed), texts([...events(bytes)]), path);
  }
});

test('texts are decoded by a CA that comes after them', () => {
  const bytes = Buffer.concat([Buffer.from('(;PB['), Buffer.from([0xba, 0xda]), Buffer.from(']CA[GBK];C['), Buffer.from([0xba, 0xda]), Buffer.from('])')]);
  for (const chunk of [1, 5, bytes.length]) {
    const values = [];
    const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, at) => bytes.subarray(at * chunk, (at + 1) * chunk));
    const stream = new ReadableStream({ start: (controller) => { chunks.forEach((each) => controller.enqueue(each)); controller.close(); } });
    return (async () => {
      for await (const batch of events(stream)) for (const event of batch) if (event.kind === 'property') values.push(...event.values);
      assert.deepEqual(values, ['黑', 'GBK', '黑']);
    })();
  }
});

test('wide input, long properties, many values and names', () => {
  const text = '\u{feff}(;GM[1]C[黒𠮷])';
  const wide = Buffer.from(text, 'utf16le');
  const values = (input, options) => [...events(input, options)].flatMap((batch) => [...batch])
    .filter(({ kind }) => kind === 'property').map(({ id, values }) => [id, values]);
  assert.deepEqual(values(wide), [['GM', ['1']], ['C', ['黒𠮷']]]);
  assert.deepEqual(values(text), values(wide));
  const points = Array.from({ length: 20_000 }, (_, at) => `p${at}`);
  assert.deepEqual(values(`(;AB[${points.join('][')}])`), [['AB', points]]);
  const names = Array.from({ length: 3000 }, (_, at) => [`X${at}`, [`v${at}`]]);
  assert.deepEqual(values(`(;${names.map(([id, [value]]) => `${id}[${value}]`).join('')})`), names);
  const long = 'x'.repeat(3_000_000);
  const parts = [...events(`(;C[${long}]N[y])`)].flatMap((batch) => [...batch]).filter(({ kind }) => kind === 'property_part');
  assert.ok(parts.length > 1 && parts[0].first && parts.at(-1).last);
  assert.equal(parts.map(({ content }) => content).join(''), long);
});

test('with gaps, every byte is in an event', () => {
  for (const { path, bytes } of readFiles()) {
    let at = 0;
    for (const batch of events(bytes, all)) {
      for (const { kind, span: [start, end], ...event } of batch) {
        if (kind === 'problem' || event.supplied) continue;
        assert.equal(start, at, path);
        if (kind === 'gap') assert.equal(event.bytes.length, end - start);
        at = end;
      }
    }
    // UTF-16 and its like are turned into UTF-8 first.
    const isWide = bytes[0] >= 0xfe && bytes[1] >= 0xfe;
    if (!isWide && !bytes.includes(0) && !bytes.includes(0x1b)) assert.equal(at, bytes.length, path);
  }
});

test('a batch that is left early, and one that is kept', () => {
  for (const batch of events('(;B[aa])'.repeat(100_000))) {
    const [first] = batch;
    assert.equal(first.kind, 'variation_start');
    break;
  }
  const batches = [...events('(;B[aa]C[x y])'.repeat(100_000))];
  assert.ok(batches.length > 1);
  const moves = batches.flatMap((batch) => [...batch]).filter(({ id }) => id === 'B');
  assert.equal(moves.length, 100_000);
});

test('what is asked wrongly is said', () => {
  assert.throws(() => [...events(Buffer.from(''), { charset: 'no such' })], /charset: expected/);
  assert.throws(() => [...events('(;)', { charset: 'UTF-8', framing: 'odd' })], /framing: expected/);
  assert.throws(() => [...events(12)], /expected bytes or a text, found number/);
});
