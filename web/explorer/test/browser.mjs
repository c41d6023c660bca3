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
const types = { '.html': 'text/html', '.svg': 'image/svg+xml', '.css': 'text/css', '.js': 'text/javascript', '.wasm': 'application/wasm' };

// Any host: no header but the type, and not at the root.
const server = createServer(async (request, response) => {
  const name = request.url.match(/^\/some\/folder\/((?:vendor\/)?[\w.]*)$/)?.[1];
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
  const settled = async () => {
    await page.waitForTimeout(80);
    await page.waitForSelector('#main[aria-busy="false"]', { timeout: 60_000 });
  };
  const another = async () => {
    await page.locator('#another').click();
    await page.waitForSelector('#sample:enabled');
  };
  const count = async () => Number((await text('#games h2')).replace(/\D/g, ''));
  const bytes = (await readFile(zip)).toString('base64');
  const drop = (name, type, content = bytes) => page.evaluate(async ({ bytes, name, type }) => {
    const data = new DataTransfer();
    const binary = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
    data.items.add(new File([binary], name));
    document.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, { bytes: content, name, type });

  await path('open', async () => {
    await page.goto(address);
    await page.waitForSelector('#sample:enabled');
    assert.equal(await page.locator('#app').isVisible(), false);
    assert.ok((await page.locator('#open img').boundingBox()).width > 200);
    if (picture) await page.screenshot({ path: picture.replace('.png', '-open.png') });
  });
  await path('privacy, and back', async () => {
    await page.click('#open a:text("Privacy")');
    assert.match(await text('main'), /stay in this browser/);
    await page.click('main a');
    await page.waitForSelector('#sample:enabled');
  });
  await path('the policy refuses a request to another host', async () => {
    const refused = (own, other) => fetch(other).then(() => false, () => fetch(own).then(({ ok }) => ok));
    const other = 'http://localhost:1/';
    assert.ok(await page.evaluate(`(${refused})("./index.html", "${other}")`));
    assert.ok(faults.every((fault) => fault.includes(other)) && faults.some((fault) => fault.includes('Content Security Policy')), String(faults));
    faults.length = 0;
  });
  await path('the sample', async () => {
    await page.click('#sample');
    await page.waitForSelector('#list tbody tr', { timeout: 60_000 });
    assert.match(await text('#about'), /^17 games/);
    await page.waitForSelector('#list :text("Gennan Inseki")');
    await another();
  });
  await path('a file without games', async () => {
    await page.setInputFiles('#files', { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear friend') });
    await page.waitForFunction(() => document.getElementById('opening').classList.contains('fault'));
  });
  await path('a zip is dropped: the first board', async () => {
    await drop(basename(zip), 'drop');
    await page.waitForSelector('#list tbody tr', { timeout: 120_000 });
    assert.equal(await text('#title'), basename(zip));
    assert.match(await text('#about'), /^[\d,]+ games, [\d,]+ positions/);
    assert.ok((await page.locator('#board .picture svg').count()) > 0);
    assert.equal(await page.locator('#open').isVisible(), false);
    await settled();
  });
  const all = await count();
  await path('files stay after a reload', async () => {
    await page.waitForTimeout(1500);
    await page.reload();
    await page.waitForSelector('#list tbody tr', { timeout: 120_000 });
    await settled();
    assert.equal(await count(), all);
  });
  await path('a second file is dropped: its games are added', async () => {
    await drop('more.sgf', 'drop', btoa('(;SZ[9];B[ee])'));
    await page.waitForFunction(() => /, more\.sgf$/.test(document.getElementById('title')?.textContent ?? ''));
    await page.waitForSelector('#list tbody tr', { timeout: 120_000 });
    await settled();
    assert.match(await page.locator('#boards').innerText(), /Go 9x9/);
    assert.equal(await count(), all);
  });
  await path('a click on a next move', async () => {
    await page.locator('#next tbody a').first().click();
    await settled();
    assert.ok((await count()) <= all && (await page.locator('#moves li').count()) === 1);
    await page.locator('#back').click();
    await settled();
    assert.equal(await count(), all);
  });
  await path('a game, and its next move', async () => {
    await page.locator('#list tbody tr a').first().click();
    await page.waitForSelector('#game');
    await settled();
    const before = await page.locator('#board .picture').innerHTML();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction((before) => document.querySelector('#board .picture').innerHTML !== before, before);
    if (picture) await page.screenshot({ path: picture });
    await page.keyboard.press('Escape');
    await settled();
  });
  await path('a filter, a wrong one, and none', async () => {
    await page.click('#edit-filters');
    await page.fill('#where', 'moves >');
    await page.click('#apply');
    await page.waitForSelector('#where-fault');
    await page.fill('#where', 'moves < 150');
    await page.click('#apply');
    await page.waitForSelector('.chip');
    await settled();
    assert.ok((await count()) < all);
    await page.locator('#clear').click();
    await settled();
    assert.equal(await count(), all);
  });
  await path('a shape', async () => {
    await page.click('#select');
    await page.evaluate(() => scrollTo(0, 0));
    const wood = await page.locator('#board .picture .wood').boundingBox();
    const at = (column, row) => [wood.x + ((column + 0.5) * wood.width) / 19, wood.y + ((row + 0.5) * wood.height) / 19];
    await page.mouse.move(...at(15, 0));
    await page.mouse.down();
    await page.mouse.move(...at(18, 3), { steps: 4 });
    await page.mouse.up();
    await page.locator('#shape summary').click();
    await page.fill('#pattern', '----\n....|\n....|\n....|\nX...|');
    await page.locator('#pattern').blur();
    await page.click('#search-shape');
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
  await path('games and a board are saved', async () => {
    const save = async (id) => {
      const saving = page.waitForEvent('download');
      await page.locator('#menu').click();
      await page.locator(id).click();
      return (await readFile(await (await saving).path())).toString();
    };
    const saved = await save('#download');
    assert.ok(saved.startsWith('(') && saved.split('\n(').length >= all, `${saved.length} bytes`);
    assert.match(await save('#picture'), /<svg[^]*<style[^]*<\/svg>/);
  });
  await path('other files, and reading is canceled', async () => {
    await another();
    const many = '(;SZ[19];B[pd];W[dp])'.repeat(400_000);
    await page.setInputFiles('#files', { name: 'many.sgf', mimeType: 'text/plain', buffer: Buffer.from(many) });
    await page.locator('#cancel').click();
    assert.equal(await text('#opening'), 'Canceled.');
    assert.equal(await page.locator('#app').isVisible(), false);
  });
  await path('a question is stopped, and the games are there again', async () => {
    const many = '(;SZ[19]PB[ada]PW[eve]RE[B+1];B[pd];W[dp];B[zz])'.repeat(800_000);
    // By its path: a large buffer takes long to reach the browser.
    const place = await mkdtemp(join(tmpdir(), 'sgfstream-'));
    await writeFile(join(place, 'many.sgf'), many);
    await page.setInputFiles('#files', join(place, 'many.sgf'));
    await page.waitForSelector('#main', { timeout: 120_000 });
    await page.locator('#see-findings').click();
    await page.locator('#stop').click();
    await page.waitForFunction(() => /Stopped/.test(document.getElementById('fault')?.textContent));
    await settled();
    assert.equal(await page.locator('#stop').isVisible(), false);
    await page.locator('#see-players').click();
    await page.waitForSelector('#players tbody tr', { timeout: 180_000 });
    assert.match(await text('#players tbody tr'), /800,000/);
    assert.equal(await text('#again'), '');
    await rm(place, { recursive: true });
    await another();
  });
  await path('a packed file', async () => {
    await page.setInputFiles('#files', { name: 'one.sgf.gz', mimeType: 'application/gzip', buffer: gzipSync('(;SZ[9];B[ee])') });
    await page.waitForSelector('#main');
    assert.match(await text('#about'), /^1 game,/);
    await another();
  });
  await path('a folder, and a file in it without games', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'sgfstream-'));
    try {
      await mkdir(join(parent, 'games/old'), { recursive: true });
      await writeFile(join(parent, 'games/old/b.sgf'), '(;SZ[9];B[ee])');
      await writeFile(join(parent, 'games/a.sgf'), '(;SZ[9];B[cc])(;SZ[9];B[dd])');
      await writeFile(join(parent, 'games/letter.txt'), 'Dear friend');
      await page.setInputFiles('#folder', join(parent, 'games'));
      await page.waitForSelector('#main');
      assert.equal(await text('#title'), 'games');
      assert.match(await text('#about'), /^3 games/);
      assert.match(await page.locator('#faults').textContent(), /1 file has neither/);
      await page.locator('#see-games').click();
      await page.waitForFunction(() => document.querySelector('#list [title*="games/old/b.sgf"]'));
    } finally {
      await rm(parent, { recursive: true });
    }
    await another();
  });
  await path('without a network', async () => {
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await new Promise((closed) => { server.closeAllConnections(); server.close(closed); });
    await page.goto(address);
    await page.setInputFiles('#files', { name: 'one.sgf', mimeType: 'text/plain', buffer: Buffer.from('(;SZ[9];B[ee])') });
    await page.waitForSelector('#main');
    assert.match(await text('#about'), /^1 game,/);
  });
} finally {
  await browser.close();
  server.close();
}
