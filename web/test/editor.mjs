// The example editor in a browser: it shows findings while one types, repairs, and takes a repair back.
//
//     node editor.mjs WEB [FILE…]            with playwright-core beside it, and CHROMIUM
//
// WEB is the folder `web`, built. Each FILE is opened, repaired, and timed.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { chromium } from 'playwright-core';

const [web, ...paths] = process.argv.slice(2).map((path) => resolve(path));
const { check, fix } = await import(pathToFileURL(join(web, 'src/full-node.js')));
const types = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.wasm': 'application/wasm' };
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'";

const server = createServer(async (request, response) => {
  const body = await readFile(join(web, request.url)).catch(() => null);
  response.writeHead(body === null ? 404 : 200, { 'content-type': types[extname(request.url)] ?? 'text/plain', 'content-security-policy': policy });
  response.end(body);
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
try {
  const tab = await browser.newPage();
  const faults = [];
  tab.on('pageerror', (error) => faults.push(error.message));
  tab.on('console', (message) => message.type() === 'error' && !message.location().url.endsWith('favicon.ico') && faults.push(message.text()));
  await tab.goto(`http://127.0.0.1:${server.address().port}/examples/editor.html`);
  const value = () => tab.locator('#text').inputValue();
  const codes = () => tab.locator('#findings .place').allTextContents();
  const marked = () => tab.locator('#marks mark').allTextContents();
  const listed = (text) => check(text).map(({ line, column, code }) => `${line}:${column} ${code}`);
  const finds = async (text) => {
    const expected = listed(text);
    await tab.waitForFunction((count) => document.querySelectorAll('#findings .place').length === count, expected.length, { timeout: 10_000 });
    assert.deepEqual(await codes(), expected);
    assert.equal(await value(), text);
  };
  await tab.waitForFunction(() => document.querySelector('#status').textContent !== 'Loading…', undefined, { timeout: 30_000 });
  await finds(await value());
  assert.ok((await codes()).length > 2);

  // Findings follow what is typed, in places that characters of several bytes come before.
  const game = '(;FF[4]GM[1]CA[UTF-8]SZ[9]PB[黒😀]KM[6,5];B[ee];W[zz])';
  await tab.locator('#text').fill('');
  await tab.locator('#text').pressSequentially(game);
  await finds(game);
  assert.deepEqual(await marked(), ['6,5', 'zz']);
  await tab.locator('#findings .place').nth(1).click();
  assert.equal(await tab.evaluate(() => getSelection().toString() || document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)), 'zz');

  // A repair is that of the package, and can be taken back.
  await tab.getByRole('button', { name: 'Repair', exact: true }).first().click();
  const repaired = game.replace('6,5', '6.5');
  await finds(repaired);
  await tab.keyboard.press('Control+z');
  await finds(game);
  const cut = '(;FF[4]GM[1]CA[UTF-8]SZ[9]KM[6,5]C[half';
  await tab.locator('#text').fill(cut);
  await finds(cut);
  await tab.locator('#repair').click();
  await finds(new TextDecoder().decode(fix(cut, { level: 'warning' }).bytes));
  assert.equal(await tab.locator('#status').textContent(), 'No findings');
  assert.ok(await tab.locator('#repair').isDisabled());

  // A file in another charset becomes UTF-8.
  const gbk = Buffer.concat([Buffer.from('(;FF[4]GM[1]SZ[9]CA[GBK]PB['), Buffer.from([0xba, 0xda]), Buffer.from('];B[ee])')]);
  await tab.locator('#file').setInputFiles({ name: 'gbk.sgf', mimeType: 'application/x-go-sgf', buffer: gbk });
  await finds('(;FF[4]GM[1]SZ[9]CA[UTF-8]PB[黑];B[ee])');

  for (const path of paths) {
    const started = performance.now();
    await tab.locator('#file').setInputFiles(path);
    await tab.waitForFunction((length) => document.querySelector('#text').value.length >= length, 1);
    const text = await value();
    assert.equal(await tab.locator('#status').textContent().then((shown) => Number.parseInt(shown, 10) || 0), check(text).length);
    const opened = performance.now();
    if (await tab.locator('#repair').isEnabled()) await tab.locator('#repair').click();
    assert.equal(await value(), new TextDecoder().decode(fix(text, { level: 'warning' }).bytes));
    console.log(`${path}: ${text.length} characters, ${check(text).length} findings, opened in ${Math.round(opened - started)} ms`);
  }
  assert.deepEqual(faults, []);
  console.log('editor: ok');
} finally {
  await browser.close();
  server.close();
}
