// The page that needs no server, in a browser, from a static host:
//
//     node browser.mjs FOLDER ZIP [PICTURE]       with playwright-core beside it, and CHROMIUM
//
// FOLDER is what `build.sh` made, ZIP a zip of at least some ten games of Go.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { chromium } from 'playwright-core';

const [, , folder, zip, picture] = process.argv;
const types = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.wasm': 'application/wasm' };

// Any host: no header but the type, and not at the root.
const server = createServer(async (request, response) => {
  const name = request.url.match(/^\/some\/folder\/([\w.]*)$/)?.[1];
  const body = name === undefined ? null : await readFile(join(folder, name || 'index.html')).catch(() => null);
  response.writeHead(body === null ? 404 : 200, { 'content-type': types[extname(name || 'index.html')] ?? 'text/plain' });
  response.end(body);
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const address = `http://127.0.0.1:${server.address().port}/some/folder/`;
const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args });

// What no page may do: errors, what its policy forbids, and requests to anywhere else.
const faults = [];
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true });
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => !/^(data|blob):/.test(request.url()) && !request.url().startsWith(address) && faults.push(`a request to ${request.url()}`));
  const path = async (name, walk) => {
    await walk();
    assert.deepEqual(faults, [], name);
    console.log(`ok    ${name}`);
  };
  const text = (selector) => page.locator(selector).first().innerText();
  const settled = () => page.waitForSelector('#main[aria-busy="false"]');
  const count = async () => Number((await text('#games h2')).replace(/\D/g, ''));
  const bytes = (await readFile(zip)).toString('base64');
  const drop = (name, type) => page.evaluate(async ({ bytes, name, type }) => {
    const data = new DataTransfer();
    const binary = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
    data.items.add(new File([binary], name));
    document.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, { bytes, name, type });

  await path('open', async () => {
    await page.goto(address);
    await page.waitForSelector('#open:not([hidden])');
    assert.equal(await page.locator('#main').isVisible(), false);
  });
  await path('what is no game is said', async () => {
    await page.setInputFiles('#files', { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear friend') });
    await page.waitForFunction(() => document.getElementById('opening').textContent.includes('expected games'));
  });
  await path('a zip is dropped: the first board', async () => {
    await drop(basename(zip), 'drop');
    await page.waitForSelector('#main:not([hidden])', { timeout: 120_000 });
    await page.waitForSelector('#list tbody tr');
    assert.equal(await text('#title'), basename(zip));
    assert.match(await text('#about'), /^[\d,]+ games, [\d,]+ positions/);
    assert.ok((await page.locator('#board svg').count()) > 0);
    assert.equal(await page.locator('#open').isVisible(), false);
  });
  const all = await count();
  await path('a click on a reply', async () => {
    await page.locator('#next button').first().click();
    await settled();
    assert.ok((await count()) <= all && (await text('#moves')) !== '');
    await page.locator('#back').click();
    await settled();
    assert.equal(await count(), all);
  });
  await path('a game, and its next move', async () => {
    await page.locator('#list tbody tr button').first().click();
    await page.waitForSelector('#game:not([hidden])');
    await settled();
    const before = await page.locator('#board').innerHTML();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction((before) => document.getElementById('board').innerHTML !== before, before);
    if (picture) await page.screenshot({ path: picture });
    await page.keyboard.press('Escape');
    await settled();
  });
  await path('a filter, a wrong one, and none', async () => {
    await page.fill('#where', 'moves >');
    await page.locator('#filters button').first().click();
    await page.waitForSelector('#fault:not([hidden])');
    await page.fill('#where', 'moves < 150');
    await page.locator('#filters button').first().click();
    await settled();
    assert.ok((await count()) < all);
    await page.locator('#clear').click();
    await settled();
    assert.equal(await count(), all);
  });
  await path('a pattern', async () => {
    await page.locator('#patterns summary').click();
    await page.fill('#pattern', '----\n....|\n....|\n....|\nX...|');
    await page.locator('#search').click();
    await settled();
    assert.ok((await count()) > 0);
    await page.locator('#whole').click();
    await settled();
  });
  await path('players', async () => {
    await page.locator('#see-players').click();
    await page.waitForSelector('#players tbody tr');
    await page.locator('#see-moves').click();
    await settled();
  });
  await path('charts', async () => {
    await page.locator('#see-charts').click();
    const report = page.locator('#charts .report');
    await report.locator('svg').first().waitFor();
    assert.match(await report.locator('h1').innerText(), /Games/);
    const saving = page.waitForEvent('download');
    await page.locator('#keep').click();
    assert.match((await readFile(await (await saving).path())).toString(), /^<!DOCTYPE html>[^]*<\/html>/);
    await page.locator('#see-moves').click();
    await settled();
  });
  await path('games are saved', async () => {
    const saving = page.waitForEvent('download');
    await page.locator('#download').click();
    const saved = (await readFile(await (await saving).path())).toString();
    assert.ok(saved.startsWith('(') && saved.split('\n(').length >= all, `${saved.length} bytes`);
  });
  await path('a board is saved', async () => {
    const saving = page.waitForEvent('download');
    await page.locator('#picture').click();
    const saved = (await readFile(await (await saving).path())).toString();
    assert.match(saved, /<svg[^]*<style>[^]*<\/svg>/);
  });
  await path('other files, and reading is cancelled', async () => {
    await page.locator('#another').click();
    await page.waitForSelector('#open:not([hidden])');
    const many = '(;SZ[19];B[pd];W[dp])'.repeat(400_000);
    await page.setInputFiles('#files', { name: 'many.sgf', mimeType: 'text/plain', buffer: Buffer.from(many) });
    await page.locator('#cancel').click();
    assert.equal(await text('#opening'), 'Cancelled.');
    assert.equal(await page.locator('#main').isVisible(), false);
  });
  await path('a question is cancelled, and the games are there again', async () => {
    const many = '(;SZ[19]PB[ada]PW[eve]RE[B+1];B[pd];W[dp];B[zz])'.repeat(800_000);
    await page.setInputFiles('#files', { name: 'many.sgf', mimeType: 'text/plain', buffer: Buffer.from(many) });
    await page.waitForSelector('#main:not([hidden])', { timeout: 60_000 });
    await page.locator('#see-findings').click();
    await page.locator('#stop').click();
    await page.waitForFunction(() => document.getElementById('fault').textContent.includes('cancelled'));
    await settled();
    assert.equal(await page.locator('#stop').isVisible(), false);
    await page.locator('#see-players').click();
    await page.waitForSelector('#players tbody tr', { timeout: 60_000 });
    assert.match(await text('#players tbody tr'), /800,000/);
    assert.equal(await text('#again'), '');
    await page.locator('#another').click();
    await page.waitForSelector('#open:not([hidden])');
  });
  await path('a packed file', async () => {
    await page.setInputFiles('#files', { name: 'one.sgf.gz', mimeType: 'application/gzip', buffer: gzipSync('(;SZ[9];B[ee])') });
    await page.waitForSelector('#main:not([hidden])');
    assert.match(await text('#about'), /^1 games/);
    await page.locator('#another').click();
    await page.waitForSelector('#open:not([hidden])');
  });
  await path('a folder, and what in it is no game', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'sgfstream-'));
    try {
      await mkdir(join(parent, 'games/old'), { recursive: true });
      await writeFile(join(parent, 'games/old/b.sgf'), '(;SZ[9];B[ee])');
      await writeFile(join(parent, 'games/a.sgf'), '(;SZ[9];B[cc])(;SZ[9];B[dd])');
      await writeFile(join(parent, 'games/letter.txt'), 'Dear friend');
      await page.setInputFiles('#folder', join(parent, 'games'));
      await page.waitForSelector('#main:not([hidden])');
      assert.equal(await text('#title'), 'games');
      assert.match(await text('#about'), /^3 games/);
      assert.match(await page.locator('#faults').textContent(), /1 file with neither/);
      await page.locator('#see-games').click();
      await page.waitForFunction(() => document.getElementById('list')?.textContent.includes('games/old/b.sgf') || document.querySelector('#list [title*="games/old/b.sgf"]'));
    } finally {
      await rm(parent, { recursive: true });
    }
    await page.locator('#another').click();
    await page.waitForSelector('#open:not([hidden])');
  });
  await path('without a network', async () => {
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await new Promise((closed) => { server.closeAllConnections(); server.close(closed); });
    await page.goto(address);
    await page.setInputFiles('#files', { name: 'one.sgf', mimeType: 'text/plain', buffer: Buffer.from('(;SZ[9];B[ee])') });
    await page.waitForSelector('#main:not([hidden])');
    assert.match(await text('#about'), /^1 games/);
  });
} finally {
  await browser.close();
  server.close();
}
