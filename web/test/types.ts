// Compiled and never run: the types say what the package does.

import { type Batch, type ErrorCode, type Event, type Node, type SgfDate, SgfError, charset, events, parse, parseDates, parseVertex, serialize, stringifyDates } from 'sgfstream';
import type { SgfBoard } from 'sgfstream/board';
import { board, check, fix } from 'sgfstream/full';
import { init } from 'sgfstream/init';

export async function all(stream: ReadableStream<Uint8Array>, blob: Blob, bytes: Uint8Array): Promise<string[]> {
  await init(new URL('https://example.org/full.wasm'));
  const texts: string[] = [];
  const take = (batch: Batch) => {
    for (const event of batch) {
      switch (event.kind) {
        case 'property':
          texts.push(event.id, ...event.values);
          break;
        case 'problem':
          texts.push(event.code, event.message);
          break;
        case 'gap':
          texts.push(String(event.bytes.length));
          break;
        default:
      }
    }
  };
  for (const batch of events(bytes, { places: true })) take(batch);
  for await (const batch of events(stream)) take(batch);
  for await (const batch of events(blob, { charset: 'GBK' })) take(batch);
  const roots: Node[] = parse('(;GM[1])');
  const written: Uint8Array = serialize(roots, { like: roots });
  const { svg, cells, captures } = board(roots[0] ?? written, '0/1', { coords: 'sgf' });
  const number: number = cells[0] ?? captures?.B ?? 0;
  texts.push(svg, String(number), ...check(written).map(({ code }) => code), ...charset(written).map(({ valid }) => valid));
  texts.push(...fix(written, { only: ['malformed-value'] }).findings.map(({ done }) => done));
  const [x, y]: [number, number] = parseVertex('dp');
  const dates: SgfDate[] = parseDates('1996-05-06') ?? [[x, y]];
  parse('', { onProgress: ({ bytes, progress }) => texts.push(`${bytes} ${progress ?? ''}`, stringifyDates(dates)) });
  try {
    for await (const batch of events(stream, { onProgress: ({ total }) => texts.push(String(total)) })) take(batch);
  } catch (error) {
    if (!(error instanceof SgfError)) throw error;
    const code: ErrorCode = error.code;
    texts.push(code);
  }
  const element: SgfBoard = Object.assign(document.createElement('sgf-board'), { src: 'game.sgf', game: 2 });
  element.addEventListener('change', () => texts.push(element.board?.comment ?? ''));
  element.go('1.0/3');
  // @ts-expect-error: a severity is one of three
  check(written, { level: 'bad' });
  const event: Event | undefined = undefined;
  return event === undefined ? texts : [];
}
