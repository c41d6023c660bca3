// The worker of the page. It reads the files that the user chose, and answers the requests of the page.

import { Engine, Refused } from './engine.js';
import { readAll } from './entries.js';

/** A Blob as an input of the engine. A worker may read it synchronously. `heard` gets the end of each read. */
function volumeOf(blob, heard) {
  const reader = new FileReaderSync();
  const read = (at, len) => {
    heard(Math.min(at + len, blob.size));
    return new Uint8Array(reader.readAsArrayBuffer(blob.slice(at, at + len)));
  };
  return { size: blob.size, read };
}

/** Milliseconds between two messages about the progress. */
const OFTEN = 100;

let engine = null;

/** Reads all files, and gives their games in batches to the worker that started this one. */
function unpack({ files, module }) {
  const reader = new Engine(module);
  reader.split((batch) => postMessage({ batch }, [batch.buffer]));
  let last = 0;
  // The bytes read of each volume. Their sum is the progress.
  const ends = [];
  const total = files.flatMap(({ blobs }) => blobs).reduce((sum, blob) => sum + blob.size, 0);
  const opened = files.map(({ blobs, ...file }) => ({ ...file, volumes: blobs.map((blob) => {
    const number = ends.push(0) - 1;
    return volumeOf(blob, (end) => { ends[number] = Math.max(ends[number], end); });
  }) }));
  const passed = readAll(reader, opened, (at, name) => {
    const now = performance.now();
    if (now - last < OFTEN) return;
    last = now;
    const done = ends.reduce((sum, end) => sum + end, 0);
    postMessage({ state: 'reading', at, of: files.length, name, read: done, total });
  });
  postMessage({ state: 'ready', passed, ...reader.finish([]) });
}

/** Indexes the games while another worker unpacks them. */
async function read({ files, inputs }) {
  const response = await fetch('./explorer.wasm');
  if (!response.ok) throw new Error(`explorer.wasm is missing beside the page: status ${response.status}`);
  const module = await WebAssembly.compile(await response.arrayBuffer());
  engine = new Engine(module);
  const unpacker = new Worker('./worker.js', { type: 'module' });
  const read = await new Promise((resolve, reject) => {
    unpacker.addEventListener('error', (event) => reject(new Error(event.message || 'the worker did not start')));
    unpacker.addEventListener('message', ({ data }) => {
      try {
        if (data.batch) engine.append(data.batch);
        else if (data.state === 'failed') throw new Error(data.message);
        else if (data.state === 'ready') resolve(data);
        else postMessage({ ...data, games: engine.games() });
      } catch (error) {
        reject(error);
      }
    });
    unpacker.postMessage({ files, module });
  });
  unpacker.terminate();
  if (read.games > 0) engine.finish(inputs, read.faults.length > 0);
  postMessage(read);
}

/** Errors after which the engine cannot be used: its memory is exhausted, or the module failed. */
const isBroken = (error) => error instanceof WebAssembly.RuntimeError || error instanceof RangeError;

addEventListener('message', async ({ data }) => {
  if (data.files !== undefined) {
    try {
      if (data.module) unpack(data);
      else await read(data);
    } catch (error) {
      const message = isBroken(error) ? 'not enough memory for these games; sgfq explore needs less' : error.message;
      postMessage({ state: 'failed', message });
    }
    return;
  }
  const { id, name, body } = data;
  try {
    postMessage({ id, answer: new Blob(engine.ask(name, body)) });
  } catch (error) {
    if (error instanceof Refused) postMessage({ id, refused: error.message });
    else postMessage({ id, failed: isBroken(error) ? 'not enough memory for this answer' : error.message });
  }
});
