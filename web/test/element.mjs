// The element <sgf-board> in a browser, under a strict policy: keys, variations, marks, errors.
//
//     node element.mjs WEB SGFQ [SHOT]            with playwright-core beside it, and CHROMIUM
//
// WEB is the folder `web`, built. SGFQ is the command, which draws the same boards. SHOT is a picture of the page.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

import { chromium } from 'playwright-core';

const [web, sgfq, shot] = process.argv.slice(2);
const types = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.css': 'text/css' };
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

const game = `(;GM[1]SZ[9]PB[Ada]PW[Bo];B[ee]C[the center];W[ce]LB[cc:A][gg:12]TR[ee]SQ[ce]MA[aa]CR[ba]SL[ca]
(;B[ed]N[first];W[dd]TB[aa:bb]TW[hh:ii]AR[ee:aa]LN[ce:ca];B[cd])(;B[ec]C[second];W[dc])(;W[];B[gg]))`;
const page = `<!doctype html><html lang="en"><title>Boards</title><script type="module" src="/src/board.js"></script>
<sgf-board id="game" src="/game.sgf" move="2"></sgf-board>
<sgf-board id="text" coords="none" move="end">(;GM[1]SZ[9]AB[cc]AW[dd]LB[aa:A];B[ee]C[a &lt; b])</sgf-board>
<sgf-board id="wrong" src="/none.sgf"></sgf-board>
<sgf-board id="far" move="99">(;GM[1]SZ[9];B[ee])</sgf-board>
<sgf-board id="empty"></sgf-board>
<sgf-board id="hex" aria-label="The start of Hex" coords="none">(;GM[11]SZ[5];B[c3])</sgf-board>`;
const files = { '/': ['text/html', page], '/game.sgf': ['application/x-go-sgf', game], '/other.sgf': ['text/plain', '(;GM[1]SZ[13])(;GM[1]SZ[5];B[bb])'] };

const server = createServer(async (request, response) => {
  const [type, body] = files[request.url] ?? [types[extname(request.url)], await readFile(join(web, request.url)).catch(() => null)];
  response.writeHead(body === null ? 404 : 200, { 'content-type': type ?? 'text/plain', 'content-security-policy': policy });
  response.end(body);
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const folder = mkdtempSync(join(tmpdir(), 'sgf-board-'));
writeFileSync(join(folder, 'game.sgf'), game);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });

/** The elements of a picture from its stones on, each as text. Runs in the browser. */
function leavesOf(picture) {
  const stones = picture.querySelector('.stones');
  const all = [...stones.children, ...[...picture.children].slice([...picture.children].indexOf(stones) + 1)];
  const attributes = (each) => [...each.attributes].map(({ name, value }) => `${name}=${value.replace(/[\s;]/g, '')}`).sort();
  return all.map((each) => [each.tagName, each.textContent, ...attributes(each)].join(' '));
}

try {
  const tab = await browser.newPage({ viewport: { width: 1000, height: 900 } });
  const faults = [];
  tab.on('pageerror', (error) => faults.push(error.message));
  tab.on('console', (message) => message.type() === 'error' && !message.text().includes('404') && faults.push(message.text()));
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  await tab.evaluate(`globalThis.leavesOf = ${leavesOf}`);
  const ids = ['game', 'text', 'wrong', 'far', 'empty', 'hex'];
  await tab.waitForFunction((all) => all.every((id) => document.getElementById(id).shadowRoot?.firstElementChild), ids, { timeout: 30_000 });

  const shown = () => tab.$eval('#game', ({ board }) => [board.node, board.played]);
  const isChosen = () => tab.locator('#game .next [aria-current]').textContent();
  const press = async (...keys) => {
    for (const key of keys) await tab.keyboard.press(key);
    return shown();
  };
  const comment = () => tab.locator('#game .comment').textContent();

  // Keys.
  assert.deepEqual(await shown(), ['/2', 'W C5']);
  await tab.keyboard.press('Tab');
  assert.deepEqual(await press('Home'), ['/0', null]);
  assert.deepEqual(await press('ArrowLeft'), ['/0', null]);
  assert.deepEqual(await press('ArrowRight'), ['/1', 'B E5']);
  assert.equal(await comment(), 'the center');
  assert.deepEqual(await press('End'), ['0/2', 'B C6']);
  assert.deepEqual(await press('ArrowRight'), ['0/2', 'B C6']);
  assert.deepEqual(await press('ArrowLeft', 'ArrowLeft', 'ArrowLeft'), ['/2', 'W C5']);

  // Variations by keys: back and forward keep the choice.
  assert.deepEqual(await tab.locator('#game .next button').allTextContents(), ['B E6', 'B E7', 'W pass']);
  assert.equal(await isChosen(), 'B E6');
  assert.deepEqual(await press('ArrowDown', 'ArrowRight'), ['1/0', 'B E7']);
  assert.equal(await comment(), 'second');
  assert.deepEqual(await press('ArrowLeft', 'ArrowRight', 'ArrowLeft'), ['/2', 'W C5']);
  assert.equal(await isChosen(), 'B E7');
  assert.deepEqual(await press('End'), ['1/1', 'W D7']);
  assert.deepEqual(await press('ArrowLeft', 'ArrowLeft', 'ArrowUp', 'ArrowUp'), ['/2', 'W C5']);
  assert.equal(await isChosen(), 'W pass');
  // And by a button; the keys work after it.
  await tab.locator('#game .next button').nth(0).click();
  assert.deepEqual(await shown(), ['0/0', 'B E6']);
  assert.equal(await comment(), 'first\n');
  assert.deepEqual(await press('ArrowRight'), ['0/1', 'W D6']);
  await tab.locator('#game').getByRole('button', { name: 'Previous position' }).click();
  assert.deepEqual(await shown(), ['0/0', 'B E6']);
  assert.equal(await tab.locator('#game output').textContent(), 'Move 3: B E6, White to play');

  // Names for assistive technology; an own `aria-label` comes first.
  const devtools = await tab.context().newCDPSession(tab);
  const named = async (id) => {
    const { root } = await devtools.send('DOM.getDocument');
    const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector: `#${id}` });
    const { nodes } = await devtools.send('Accessibility.getPartialAXTree', { nodeId, fetchRelatives: false });
    return [nodes[0].role.value, nodes[0].name.value];
  };
  assert.deepEqual([await named('game'), await named('hex')], [['group', 'Board of Go 9x9'], ['group', 'The start of Hex']]);
  const application = tab.locator('#game').getByRole('application', { name: /^Board\. Arrows/ });
  assert.equal(await application.locator('svg').getAttribute('aria-hidden'), 'true');

  // Attributes.
  const changed = await tab.$eval('#game', async (element) => {
    const change = () => new Promise((done) => element.addEventListener('change', () => done(element.board), { once: true }));
    element.coords = 'sgf';
    const { played } = await change();
    Object.assign(element, { src: '/other.sgf', game: 2, move: 1 });
    const { size, node } = await change();
    return [played, size, node];
  });
  assert.deepEqual(changed, ['W ce', [5, 5], '/1']);
  const inside = () => tab.$eval('#text', ({ board, shadowRoot }) => [board.node, board.comment, shadowRoot.querySelectorAll('text.dim').length]);
  assert.deepEqual(await inside(), ['/1', 'a < b', 0]);
  await tab.$eval('#text', (element) => { element.textContent = '(;GM[1]SZ[9];B[ee];W[ef]C[new])'; });
  await tab.waitForFunction(() => document.getElementById('text').board?.comment === 'new');
  const [, , width, height] = (await tab.locator('#text svg').getAttribute('viewBox')).split(' ').map(Number);
  assert.ok(Math.abs(width - height) < 2 && width < 419, `${width} ${height}`);
  const wood = await tab.$eval('#text', ({ shadowRoot }) => getComputedStyle(shadowRoot.querySelector('.wood')).fill);
  assert.ok(wood.includes('url("#wood")'), wood);

  // Errors.
  const errorOf = (id) => tab.locator(`#${id} [role=alert]`).textContent();
  assert.match(await errorOf('wrong'), /^cannot load http:.*\/none\.sgf: status 404$/);
  assert.equal(await errorOf('far'), 'no move 99: the main line has 1 move');
  assert.match(await errorOf('empty'), /^expected the address of a game as src/);
  await tab.$eval('#wrong', (element) => { element.src = '/game.sgf'; });
  await tab.waitForFunction(() => document.getElementById('wrong').board?.move === 0);
  assert.equal(await tab.locator('#wrong [role=alert]').count(), 0);
  assert.deepEqual(faults, []);
  // Stones, marks and labels are those of the command, also after steps. The policy forbids the style in the files of the command.
  await tab.$eval('#game', (element) => Object.assign(element, { src: '/game.sgf', game: null, coords: null, move: 2 }));
  await tab.waitForFunction(() => document.getElementById('game').board?.size[0] === 9);
  if (shot) await tab.screenshot({ path: shot, fullPage: true });
  for (const node of ['0/0', '0/1', '/2', '1/1', '0/1', '/1']) {
    const file = execFileSync(sgfq, ['board', '--node', node, '-f', 'svg', join(folder, 'game.sgf')]).toString();
    const [own, other] = await tab.$eval('#game', (element, [path, svg]) => {
      element.go(path);
      const picture = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
      return [element.shadowRoot.querySelector('svg'), picture].map((each) => globalThis.leavesOf(each));
    }, [node, file]);
    // The file has a title below its board.
    assert.deepEqual(own.slice(0, -1), other.slice(0, -1), node);
    assert.ok(own.length > 19, node);
  }
  console.log('element: ok');
} finally {
  rmSync(folder, { recursive: true });
  await browser.close();
  server.close();
}
