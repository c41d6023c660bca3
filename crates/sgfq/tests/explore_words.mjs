// What the page of `sgfq explore` tells of words: remarks about a position, and the lines of the user's own game.
//
//   node explore_words.mjs SGFQ ARCHIVE [FOLDER FOR PICTURES]
//
// Needs playwright-core and Chromium, as explore_page.mjs. ARCHIVE has commented games of Go.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [, , sgfq, archive, pictures] = process.argv;
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const scratch = await mkdtemp(join(tmpdir(), "explore-words-"));
const servers = [];

/// Starts a server, and returns the address of its page.
function serve(games) {
  const server = spawn(sgfq, ["explore", "--no-open", games]);
  servers.push(server);
  let output = "";
  return new Promise((resolve, reject) => {
    server.on("exit", () => reject(new Error(`the server ended: ${output}`)));
    server.stderr.on("data", (data) => {
      output += data;
      const found = output.match(/http:\S+/);
      if (found) resolve(found[0]);
    });
  });
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const faults = [];

async function open(address, options = {}) {
  const permissions = ["clipboard-read", "clipboard-write"];
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, permissions, ...options });
  const page = await context.newPage();
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.goto(address);
  await page.waitForSelector("#main", { timeout: 120_000 });
  return page;
}

async function settled(page) {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 80))));
  await page.waitForSelector('#main[aria-busy="false"]', { timeout: 60_000 });
}

async function go(page, hash) {
  await page.evaluate((to) => { location.hash = to; }, hash);
  await settled(page);
}

async function check(name, walk) {
  try {
    await walk();
    console.log(`ok    ${name}`);
  } catch (error) {
    console.log(`FAIL  ${name}: ${error.message}`);
    process.exitCode = 1;
  }
}

const file = join(scratch, "words.sgf");
await writeFile(file, `(;SZ[19]PB[Ada]PW[Finn]DT[2001]RE[B+R];B[pd];W[dp]C[Black has 'a' or 'b'.]LB[qf:a][dc:b](;B[dd]TE[1];W[pp])(;B[aa]BM[1]))
(;SZ[19]PB[Bo]PW[Cy]DT[2002]RE[W+R];B[pd];W[dp]C[A long remark: the diagonal opening is quiet.];B[dd];W[pp])`);
const words = await open(await serve(file));

await check("the remarks of a position stand beside its next moves, the newest first", async () => {
  await go(words, "moves=B[pd] W[dp]");
  await words.waitForSelector("#said li");
  const heads = await words.locator("#said .head b").allInnerTexts();
  assert.deepEqual(heads, ["Bo – Cy", "Ada – Finn"]);
  assert.match(await words.locator("#next tbody").innerText(), /Q4good move \(TE\)/);
});

await check("a label of the author leads to its move", async () => {
  const second = words.locator("#said li").nth(1);
  assert.match(await second.innerText(), /Black has 'a'\s+R14\s+or 'b'\s+D17/);
  await second.locator(".bar .label", { hasText: "R14" }).click();
  await settled(words);
  assert.match(decodeURIComponent(words.url()), /B\[qf\]/);
  await words.goBack();
});

await check("a remark is copied as properties and opens its node", async () => {
  await go(words, "moves=B[pd] W[dp]");
  const second = words.locator("#said li").nth(1);
  await second.getByText("Copy as comment").click();
  const copied = await words.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^C\[Black has 'a' or 'b'\.\n\(Ada – Finn, 2001\)\]LB/);
  assert.ok(copied.includes("[qf:a]") && copied.includes("[dc:b]"), copied);
  await second.getByText("Open").click();
  await words.waitForSelector("#comment");
  assert.match(await words.locator("#comment").innerText(), /^Black has/);
});

await check("the page and `find --said` tell the same of the archive", async () => {
  const page = await open(await serve(archive));
  const moves = "B[pd]";
  const found = spawnSync(sgfq, ["find", "--said", "-f", "jsonl", "--position", moves, archive], { encoding: "utf8", maxBuffer: 1 << 28 });
  const expected = found.stdout.trim().split("\n").map(JSON.parse).filter((row) => !row.next);
  const said = await page.evaluate(async (asked) => {
    const answers = await import("./answers.js");
    return answers.answerTo("said", { moves: asked, count: 100 });
  }, moves);
  assert.ok(expected.length > 0);
  assert.equal(said.total, expected.length);
  const keys = (rows) => rows.map((row) => `${row.node} ${row.move} ${row.comment}`).sort();
  const all = new Set(keys(expected));
  assert.ok(keys(said.rows).every((key) => all.has(key)));
  await go(page, `moves=${moves}`);
  await page.waitForSelector("#said li");
  if (pictures) await page.screenshot({ path: join(pictures, "said.png") });
});

await check("a pasted game shows where it leaves the archive", async () => {
  await go(words, "");
  const game = "(;SZ[19];B[pd];W[dp];B[dd];W[pq];B[qq])";
  await words.evaluate((text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, game);
  await words.waitForSelector("#own-road");
  await settled(words);
  assert.match(await words.locator("#own-road").innerText(), /Rare until move 3 \(2 games\); no other game has move 4, W Q3\./);
  assert.deepEqual(await words.locator("#own-road .road b").allInnerTexts(), ["2", "2", "2", "–", "–"]);
  assert.match(decodeURIComponent(words.url()), /moves=B\[pd\]\+?.*B\[dd\]/);
  await words.keyboard.press("ArrowRight");
  await settled(words);
  assert.match(decodeURIComponent(words.url()), /W\[pq\]/);
});

await check("an opened game is compared with the other games", async () => {
  await go(words, "game=0");
  await words.locator("#compare").click();
  await words.waitForSelector("#road .road");
  assert.deepEqual(await words.locator("#road .road b").allInnerTexts(), ["1", "1", "1", "1"]);
  if (pictures) await words.screenshot({ path: join(pictures, "road.png") });
});

assert.deepEqual(faults, []);
await browser.close();
servers.forEach((server) => server.kill());
await rm(scratch, { recursive: true });
