// The package in a browser, in a page and in a worker, under a strict policy:
//
//     node browser.mjs WEB            with playwright-core beside it, and CHROMIUM
//
// WEB is the folder `web`, built.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

import { chromium } from 'playwright-core';

const web = process.argv[2];
const types = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";

const page = '<!doctype html><title>sgfstream</title><script type="module" src="/page.js"></script>';
const work = `
import { board, check, events, fix, parse, serialize } from '/src/full-web.js';

const text = '(;GM[1]SZ[9]PB[\\u9ed2];B[ee]C[ok](;W[zz])(;W[ce]))'.repeat(2000);
const blob = new Blob([text]);
let moves = 0;
for await (const batch of events(blob.stream())) for (const event of batch) moves += event.kind === 'property' && (event.id === 'B' || event.id === 'W');
const roots = parse(text);
roots[0].children[0].data.C = ['\\u767d'];
const written = new TextDecoder().decode(serialize(roots));
const answer = {
  moves,
  games: roots.length,
  isSame: written === text.replace('C[ok]', 'C[\\u767d]'),
  codes: [...new Set(check(text.slice(0, 60)).map(({ code }) => code))],
  fixed: fix('(;FF[4]GM[1]KM[6,5])').findings.length,
  svg: board(roots, '1/0').svg.length > 1000,
};
`;
const files = {
  '/': ['text/html', page],
  '/page.js': ['text/javascript', `${work}const worker = new Worker('/worker.js', { type: 'module' });
worker.onmessage = ({ data }) => { globalThis.answers = [answer, data]; };
`],
  '/worker.js': ['text/javascript', `${work}postMessage(answer);`],
};

const server = createServer(async (request, response) => {
  const [type, body] = files[request.url] ?? [types[extname(request.url)], await readFile(join(web, request.url)).catch(() => null)];
  response.writeHead(body === null ? 404 : 200, { 'content-type': type ?? 'text/plain', 'content-security-policy': policy });
  response.end(body);
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
try {
  const tab = await browser.newPage();
  const faults = [];
  tab.on('pageerror', (error) => faults.push(error.message));
  tab.on('console', (message) => message.type() === 'error' && !message.text().includes('favicon') && faults.push(message.text()));
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  await tab.waitForFunction(() => globalThis.answers !== undefined, undefined, { timeout: 30_000 }).catch((error) => faults.push(error.message));
  assert.deepEqual(faults.filter((fault) => !fault.includes('404')), []);
  const [inPage, inWorker] = await tab.evaluate(() => globalThis.answers);
  assert.deepEqual(inPage, inWorker);
  assert.deepEqual(inPage, { moves: 6000, games: 2000, isSame: true, codes: inPage.codes, fixed: 1, svg: true });
  assert.ok(inPage.codes.includes('point-off-board'), inPage.codes);
  console.log('page and worker: ok');
} finally {
  await browser.close();
  server.close();
}
