// What the page of `sgfq explore` tells of persons.
//
//   node explore_people.mjs SGFQ ARCHIVE [FOLDER FOR PICTURES]
//
// Needs playwright-core and Chromium, as explore_page.mjs. ARCHIVE has games of Go with names, in any order.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [, , sgfq, archive, pictures] = process.argv;
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

/// Rows that the command prints for the archive.
function rowsOf(...words) {
  const found = spawnSync(sgfq, [...words, "-q", "-f", "jsonl", archive], { encoding: "utf8", maxBuffer: 1 << 28 });
  return found.stdout.trim().split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

const server = spawn(sgfq, ["explore", "--no-open", archive]);
const address = await new Promise((resolve, reject) => {
  let output = "";
  server.on("exit", () => reject(new Error(`the server ended: ${output}`)));
  server.stderr.on("data", (data) => {
    output += data;
    const found = output.match(/http:\S+/);
    if (found) resolve(found[0]);
  });
});
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
const faults = [];
page.on("pageerror", (error) => faults.push(String(error)));
page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
await page.goto(address);
await page.waitForSelector("#main", { timeout: 120_000 });

async function settled() {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 80))));
  await page.waitForSelector('#main[aria-busy="false"]', { timeout: 60_000 });
}

const addressOf = (changes) => new URLSearchParams(changes).toString();
async function go(changes) {
  await page.evaluate((to) => { location.hash = to; }, addressOf(changes));
  await settled();
}

const number = (text) => Number(text.replace(/\D/g, ""));
const state = () => Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));

async function check(name, walk) {
  try {
    await walk();
    console.log(`ok    ${name}`);
  } catch (error) {
    console.log(`FAIL  ${name}: ${error.message}`);
    process.exitCode = 1;
  }
}

/// The person with the most games, and the most frequent opponent.
const [most] = rowsOf("players", "--top", "1");
const against = most.most_frequent.replace(/ \(\d+\).*/, "");
const pair = rowsOf("players", "--player", most.player, "--against", against);

await check("ten names of `get pb` are found in Players", async () => {
  const names = [...new Set(rowsOf("get", "pb").map((row) => row.pb).filter(Boolean))];
  const shuffled = names.map((name) => [Math.random(), name]).sort(([one], [other]) => one - other);
  await go({ list: "players" });
  for (const [, name] of shuffled.slice(0, 10)) {
    const [row] = rowsOf("players", "--player", name);
    await page.fill("#search", row.player);
    const found = page.locator("#players tbody tr").filter({ has: page.getByRole("link", { name: row.player, exact: true }) });
    await found.first().waitFor({ timeout: 20_000 });
    assert.equal(number(await found.first().locator("td").first().innerText()), row.games, name);
  }
});

await check("Players leads to a person, whose numbers are those of `players`", async () => {
  await go({ list: "players" });
  await page.fill("#search", most.player);
  const link = page.locator("#players tbody th").getByRole("link", { name: most.player, exact: true });
  await link.waitFor();
  await link.click();
  await page.waitForSelector("#people .record");
  assert.equal(await page.locator("#people h2").innerText(), most.player);
  const cells = await page.locator("#people .record tbody tr").first().locator("td").allInnerTexts();
  assert.deepEqual(cells.slice(0, 3).map(number), [most.games, most.won, most.lost]);
  assert.match(await page.locator("#people").innerText(), new RegExp(`${most.opponents.toLocaleString("en")} opponents?`));
  assert.equal(await page.locator("#see-players[aria-current]").count(), 1);
  if (pictures) await page.screenshot({ path: join(pictures, "person.png"), fullPage: true });
});

await check("openings are small boards that lead to their games", async () => {
  // The games of the person with the most games may begin with stones.
  const [{ player }] = rowsOf("players", "--openings", "4", "--top", "1");
  await go({ person: player });
  const first = page.locator(".openings a").first();
  await first.waitFor();
  const box = await page.locator(".small-board svg").first().boundingBox();
  assert.ok(Math.abs(box.width - 90) < 1, `${box.width}`);
  const says = await first.getAttribute("aria-label");
  const games = number(/([\d,]+) games?/.exec(says)[1]);
  await first.click();
  await page.waitForSelector("#list tbody tr");
  await settled();
  assert.ok(number(await page.locator("#games-title").innerText()) >= games && games > 0, says);
  assert.equal(state().player, `"${player}"`);
});

await check("the address of two persons shows their games, as `players --against`", async () => {
  await go({ person: most.player, against });
  await page.waitForSelector("#pair-games tbody tr");
  const [all, ...more] = pair;
  const rows = await page.locator("#pair .record tbody tr").evaluateAll((trs) => trs.map((tr) => [...tr.querySelectorAll("td")]
    .slice(0, 3).map((cell) => cell.innerText)));
  const expected = [all, ...more.filter((row) => !row.reference)].map((row) => [row.games, row.won, row.lost]);
  assert.deepEqual(rows.map((row) => row.map(number)), expected);
  const list = more.filter((row) => row.reference);
  while (await page.locator("#pair .more").count()) {
    await page.locator("#pair .more").click();
    await settled();
  }
  const dates = await page.locator("#pair-games td.date").allInnerTexts();
  assert.deepEqual(dates, list.map((row) => row.dt ?? ""));
  assert.deepEqual(await page.locator("#people h2").allInnerTexts(), [`${most.player} – ${against}: ${all.games} game${all.games === 1
    ? "" : "s"}`, most.player, against]);
  if (pictures) await page.screenshot({ path: join(pictures, "pair.png"), fullPage: true });
});

await check("a second name is typed, persons are exchanged, and keys open a game", async () => {
  await go({ person: most.player });
  await page.locator("#search").fill(against);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#pair-games tbody tr");
  assert.equal(state().against, against);
  await page.getByRole("link", { name: "Swap" }).click();
  await settled();
  assert.deepEqual([state().person, state().against], [against, most.player]);
  await page.locator("#pair-games a").first().focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector("#game h2 a");
  const names = await page.locator("#game h2 a").allInnerTexts();
  assert.ok(names.some((name) => name.startsWith(against)), `${names}`);
  assert.match(await page.locator("#game .neighbors").innerText(), new RegExp(`1 of ${pair[0].games}$`));
  await page.locator("#game h2 a").first().click();
  await page.waitForSelector("#people .record");
  assert.ok(names[0].startsWith(await page.locator("#people h2").innerText()));
});

await check("the filter has a second name", async () => {
  await go({ list: "games" });
  await page.locator("#edit-filters").click();
  await page.fill("#player", `"${most.player}"`);
  await page.fill("#opponent", `"${against}"`);
  await page.locator("#apply").click();
  await page.waitForSelector(".chip >> text=against");
  await settled();
  assert.equal(number(await page.locator("#games-title").innerText()), pair[0].games);
});

await check("a name that no game has leads to names that are there", async () => {
  await go({ person: `${most.player}x` });
  await page.getByRole("link", { name: "All players" }).last().waitFor();
  assert.match(await page.locator("#people .empty").innerText(), /No game names/);
  await go({ person: most.player, against: "nobody at all" });
  assert.match(await page.locator("#pair .empty").innerText(), /no games against each other/);
});

await check("the page of two persons fits a narrow window", async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await go({ person: most.player, against });
  await page.waitForSelector("#pair-games tbody tr");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  if (pictures) await page.screenshot({ path: join(pictures, "narrow.png"), fullPage: true });
});

assert.deepEqual(faults, []);
await browser.close();
server.kill();
