// The page of `sgfq explore` in a real browser: its ways, one after another.
//
//   node explore_page.mjs SGFQ ARCHIVE [FOLDER FOR PICTURES]
//
// Needs the package playwright-core and Chromium (CHROMIUM names it, or /usr/bin/chromium). The archive is one of Go with at
// least some ten games, comments and results.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [, , sgfq, archive, pictures] = process.argv;
const servers = [];

/// Starts a server, and gives the address of its page.
function serve(games) {
  const server = spawn(sgfq, ["explore", "--no-open", games]);
  servers.push(server);
  let said = "";
  return new Promise((resolve, reject) => {
    server.on("exit", () => reject(new Error(`the server ended: ${said}`)));
    server.stderr.on("data", (data) => {
      said += data;
      const found = said.match(/http:\S+/);
      if (found) resolve(found[0]);
    });
  });
}

const url = await serve(archive);
const origin = new URL(url).origin;
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath, args });

// What no page may do: errors, what its policy forbids, and requests to anywhere else.
const faults = [];

async function open(options = {}, address = url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && !/status of 400/.test(message.text()) && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    const to = request.url();
    if (!to.startsWith(`${new URL(address).origin}/`) && !/^(data|blob):/.test(to)) faults.push(`a request to ${to}`);
  });
  await page.goto(address);
  await page.waitForSelector("#main:not([hidden])", { timeout: 120_000 });
  await page.waitForSelector("#list tbody tr");
  return page;
}

const text = (page, selector) => page.locator(selector).first().innerText();
const count = async (page) => Number((await text(page, "#games h2")).replace(/\D/g, ""));
const settled = (page) => page.waitForSelector('#main[aria-busy="false"]');
let done = 0;

async function path(name, walk) {
  try {
    await walk();
    done += 1;
    console.log(`ok    ${name}`);
  } catch (error) {
    console.log(`FAIL  ${name}: ${error.message}`);
    process.exitCode = 1;
  }
}

const page = await open();
const picture = async (of, name) => pictures && (await of.screenshot({ path: join(pictures, `${name}.png`) }));

await path("load: the board, moves and games; the token leaves the address", async () => {
  assert.ok((await page.locator("#board svg").count()) === 1);
  assert.ok((await page.locator("#next tbody tr").count()) > 2);
  assert.ok(!(await page.evaluate(() => location.href)).includes("token"));
  await picture(page, "start");
});
const all = await count(page);
await path("deeper: a move of the table leads on, and fewer games are left", async () => {
  await page.locator("#next tbody button").first().click();
  await settled(page);
  await page.locator("#next tbody button").first().click();
  await settled(page);
  assert.match(await text(page, "#moves"), /^1\. .+2\. /);
  const fewer = await count(page);
  assert.ok(fewer > 0 && fewer < all, `${fewer} of ${all}`);
  await picture(page, "deeper");
});
await path("click: a point of the board is played", async () => {
  const before = await text(page, "#moves");
  await page.locator("circle.hit").nth(200).click();
  await settled(page);
  assert.ok((await text(page, "#moves")).length > before.length);
});
await path("keyboard: back, forward and to the start", async () => {
  const deep = await text(page, "#moves");
  await page.keyboard.press("ArrowLeft");
  await settled(page);
  assert.notEqual(await text(page, "#moves"), deep);
  await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.equal(await text(page, "#moves"), deep);
  await page.keyboard.press("Home");
  await settled(page);
  assert.equal(await count(page), all);
});
await path("address: what is shown can be opened again, and the browser goes back", async () => {
  await page.locator("#next tbody button").first().click();
  await settled(page);
  const [address, games] = [await page.evaluate(() => location.href), await count(page)];
  const again = await page.context().newPage();
  await again.addInitScript((token) => sessionStorage.setItem("token", token), url.split("token=")[1]);
  await again.goto(address);
  await again.waitForSelector("#list tbody tr");
  assert.equal(await count(again), games);
  await again.close();
  await page.goBack();
  await settled(page);
  assert.equal(await count(page), all);
});
await path("game: a game of the list opens at the position, and plays on", async () => {
  await page.locator("#next tbody button").first().click();
  await settled(page);
  await page.locator("#list tbody button").first().click();
  await page.waitForSelector("#game .line button.at");
  const at = await text(page, "#game .line button.at");
  await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.notEqual(await text(page, "#game .line button.at"), at);
  assert.ok((await page.locator("#game dt").count()) > 1);
  await picture(page, "game");
  await page.keyboard.press("Escape");
  await page.waitForSelector("#list tbody tr");
});
await path("comment: a node with a comment shows it as text", async () => {
  await page.keyboard.press("Home");
  await settled(page);
  let found = false;
  for (let row = 0; row < 8 && !found; row += 1) {
    await page.locator("#list tbody button").nth(row).click();
    await page.waitForSelector("#game .line button.at");
    const noted = page.locator("#game .line button.noted").first();
    if (await noted.count()) {
      await noted.click();
      await page.waitForSelector("#comment:not([hidden])");
      found = (await text(page, "#comment")).trim().length > 0;
    }
    await page.keyboard.press("Escape");
    await page.waitForSelector("#list tbody tr");
  }
  assert.ok(found, "no game of the first eight has a comment");
});
await path("problem: what follows is hidden, and a move is answered", async () => {
  await page.locator("#list tbody button").first().click();
  await page.waitForSelector("#game .line button.at");
  await page.keyboard.press("Home");
  await settled(page);
  const [whole, first] = [await page.locator("#game .line > button").count(), await text(page, "#game .line > button:nth-of-type(2)")];
  await page.click("#hide");
  await settled(page);
  assert.equal(await page.locator("#game .line button").count(), 1);
  const name = first.split(" ").pop();
  await page.locator("circle.hit", { has: page.locator(`title:text-is("${name}")`) }).click();
  await page.waitForFunction(() => document.querySelectorAll("#game .line button").length >= 3);
  assert.match(await text(page, "#notice"), /is in the tree/);
  await page.click("#hide");
  await settled(page);
  assert.ok((await page.locator("#game .line > button").count()) >= whole - 1);
  await page.keyboard.press("Escape");
  await page.waitForSelector("#list tbody tr");
});
await path("filter: an expression leaves games out", async () => {
  await page.fill("#where", "winner = 'B'");
  await page.click("#filters button:text('Apply')");
  await settled(page);
  const fewer = await count(page);
  assert.ok(fewer > 0 && fewer < all);
  await page.click("#clear");
  await settled(page);
  assert.equal(await count(page), all);
});
await path("wrong filter: it says what is wrong, and nothing is lost", async () => {
  await page.fill("#where", "winer = 'B'");
  await page.click("#filters button:text('Apply')");
  await page.waitForSelector("#fault:not([hidden])");
  assert.match(await text(page, "#fault"), /did you mean `winner`/);
  await page.click("#clear");
  await settled(page);
  assert.equal(await count(page), all);
});
await path("pattern: a rectangle of the board is searched", async () => {
  await page.locator("#next tbody button").first().click();
  await settled(page);
  await page.click("#patterns summary");
  await page.click("#select");
  await page.evaluate(() => scrollTo(0, 0));
  const corner = async (at) => { const box = await page.locator("circle.hit").nth(at).boundingBox(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const [from, to] = [await corner(12), await corner(18 + 19 * 6)];
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 5 });
  await page.mouse.up();
  assert.match(await page.inputValue("#pattern"), /^-+\n[.XO]+\|/);
  await page.click("#search");
  await page.waitForSelector("#board svg.pattern");
  await settled(page);
  const [found, movers] = [await count(page), []];
  assert.ok(found > 0);
  // A reload shows the pattern and what leads back from it; a click changes a point of it.
  await page.reload();
  await page.waitForSelector("#board svg.pattern");
  await settled(page);
  assert.equal(await count(page), found);
  assert.ok(await page.locator("#whole").isVisible());
  const before = await page.inputValue("#pattern");
  await page.locator("#board circle.hit").first().click();
  assert.notEqual(await page.inputValue("#pattern"), before);
  await page.fill("#pattern", before);
  for (const mover of ["B", "W"]) {
    await page.selectOption("#mover", mover);
    await page.click("#search");
    await settled(page);
    const rows = await page.locator("#next tbody tr td.move").allInnerTexts();
    assert.ok(rows.every((row) => row.startsWith(mover)), `${rows}`);
    movers.push(await count(page));
  }
  assert.ok(movers[0] <= found && movers[1] <= found && movers[0] + movers[1] > 0, `${movers} of ${found}`);
  await page.selectOption("#mover", "");
  await picture(page, "pattern");
  await page.click("#clear");
  await page.click("#whole");
  await page.waitForSelector("#board svg:not(.pattern)");
  await settled(page);
});
await path("export: the games of a position are downloaded as they are", async () => {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
  assert.equal(download.suggestedFilename(), "games.sgf");
  const [board] = await Promise.all([page.waitForEvent("download"), page.click("#picture")]);
  assert.equal(board.suggestedFilename(), "board.svg");
  const [moves] = await Promise.all([page.waitForEvent("download"), page.click("#csv")]);
  const table = (await readFile(await moves.path(), "utf8")).trim().split("\n");
  assert.equal(table[0].split(",").slice(0, 3).join(), "color,next,count");
  assert.equal(table.length - 1, await page.locator("#next tbody tr").count());
  const [tree] = await Promise.all([page.waitForEvent("download"), page.click("#tree")]);
  assert.match(await readFile(await tree.path(), "utf8"), /^\(;FF\[4\]GM\[1\][^]*C\[\d+ games? /);
});
await path("charts: those of stats are within the page, and can be kept", async () => {
  await page.click("#see-charts");
  await page.waitForSelector("#charts .report .facts");
  await settled(page);
  assert.ok((await page.locator("#charts svg.chart").count()) > 0 && (await page.locator("#charts h2").count()) > 3);
  const address = await page.evaluate(() => location.href);
  await page.locator("#charts nav a").last().click();
  assert.equal(await page.evaluate(() => location.href), address);
  await picture(page, "charts");
  const [charts] = await Promise.all([page.waitForEvent("download"), page.click("#keep")]);
  assert.match(await readFile(await charts.path(), "utf8"), /<html/);
});
await path("all games: one leads to the next", async () => {
  await page.click("#see-games");
  await settled(page);
  assert.ok((await count(page)) >= all);
  await page.locator("#list tbody button").first().click();
  await page.waitForSelector("#game .line button.at");
  const file = await text(page, "#game p");
  await page.click("#after");
  await page.waitForFunction((before) => document.querySelector("#game p")?.textContent !== before, file);
  assert.match(await text(page, "#game .bar"), /2 of /);
  await page.click("#before");
  await page.waitForFunction((before) => document.querySelector("#game p")?.textContent === before, file);
  await page.keyboard.press("Escape");
  await page.waitForSelector("#list tbody tr");
  await page.click("#see-moves");
  await settled(page);
});
await path("illegal: a point with a stone is refused, and said", async () => {
  await page.keyboard.press("Home");
  await settled(page);
  await page.locator("#next tbody button").first().click();
  await settled(page);
  const line = await text(page, "#moves");
  assert.match(line, /^1\. [BW] [A-T]\d+$/);
  const name = line.split(" ").pop();
  await page.locator("circle.hit", { has: page.locator(`title:text-is("${name}")`) }).click();
  await page.waitForSelector("#fault:not([hidden])");
  assert.match(await text(page, "#fault"), new RegExp(`${name}: expected an empty point`));
  assert.equal(await text(page, "#moves"), line);
});
await path("one spelling: the line, the table and the list", async () => {
  const first = await text(page, "#next tbody td.move");
  assert.match(first, /^[BW] [A-T]\d+$/);
  const next = await page.locator("#list tbody td.move").allInnerTexts();
  assert.ok(next.includes(first) && next.every((move) => !move.includes("[")), `${first}: ${next}`);
});
await path("a wrong year is refused, and said", async () => {
  await page.fill("#from", "20x");
  await page.click("#filters button:text('Apply')");
  await page.waitForSelector("#fault:not([hidden])");
  assert.match(await text(page, "#fault"), /expected a year such as 1990, found 20x/);
  await page.click("#clear");
  await settled(page);
});
await path("focus: keys go on where they were", async () => {
  await page.locator("#next tbody button").first().focus();
  await page.keyboard.press("Enter");
  await settled(page);
  assert.ok(await page.evaluate(() => document.activeElement.closest("#next") !== null));
  await page.locator("#list tbody button").nth(1).focus();
  const id = await page.evaluate(() => document.activeElement.dataset.id);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#game .line button.at");
  await settled(page);
  assert.equal(await page.evaluate(() => document.activeElement.id), "leave");
  await page.keyboard.press("Escape");
  await page.waitForSelector("#list tbody tr");
  await settled(page);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.id), id);
  await page.keyboard.press("Home");
  await settled(page);
});
await path("players: the table leads to the games of one", async () => {
  await page.click("#see-players");
  await page.waitForSelector("#players tbody tr");
  await picture(page, "players");
  await page.locator("#players tbody button").first().click();
  await page.waitForSelector("#list tbody tr");
  await settled(page);
  const fewer = await count(page);
  assert.ok(fewer > 0 && fewer <= all);
});
await path("openings: those of a player lead to their games", async () => {
  await page.click("#see-players");
  await settled(page);
  await page.locator("#players button.unfold").first().click();
  const rows = page.locator("#players tr.under tbody tr");
  await rows.first().waitFor();
  await settled(page);
  const games = Number((await rows.first().locator("td").nth(2).innerText()).replace(/\D/g, ""));
  await picture(page, "openings");
  await rows.first().locator("button").first().click();
  await page.waitForSelector("#list tbody tr");
  await settled(page);
  // Other orders of the moves lead there as well.
  assert.ok((await count(page)) >= games && games > 0, `${await count(page)} of ${games}`);
  await page.click("#clear");
  await page.keyboard.press("Home");
  await settled(page);
});
await path("findings: they are of the games that the filters leave", async () => {
  const findings = async () => {
    await page.click("#see-findings");
    await settled(page);
    return (await page.locator("#findings tbody tr:not(.under) td:nth-child(3)").allInnerTexts()).reduce((sum, cell) => sum + Number(cell.replace(/\D/g, "")), 0);
  };
  const before = await findings();
  await page.fill("#where", "winner = 'B'");
  await page.click("#filters button:text('Apply')");
  await settled(page);
  const fewer = await findings();
  assert.ok(fewer < before, `${fewer} of ${before}`);
  await page.click("#clear");
  await settled(page);
  assert.equal(await findings(), before);
  await page.click("#see-moves");
  await page.waitForSelector("#list tbody tr");
});
await path("findings: a finding leads to its node, and a repair is shown", async () => {
  await page.click("#see-findings");
  await page.waitForSelector("#findings tbody tr");
  await settled(page);
  await picture(page, "findings");
  await page.locator("#findings summary").first().click();
  await page.locator("#findings li button").first().click();
  await page.waitForSelector("#game .line button.at");
  await page.click("#repair summary");
  await page.waitForSelector("#repair ul, #repair p");
  // What is not deleted and what is inserted is the game after.
  const shown = await page.locator("#repair .changes").count();
  if (shown) assert.ok((await page.locator("#repair .changes :is(del, ins)").count()) > 0);
  await picture(page, "repair");
  await page.keyboard.press("Escape");
  await page.waitForSelector("#findings tbody tr");
  await settled(page);
  const [repaired] = await Promise.all([page.waitForEvent("download"), page.click("#repaired")]);
  assert.match(await readFile(await repaired.path(), "utf8"), /^\(;/);
  await page.click("#see-moves");
  await page.waitForSelector("#list tbody tr");
});
await path("command: the same for a shell", async () => {
  await page.click("#copy");
  await page.waitForSelector("#command:not([hidden])");
  assert.match(await text(page, "#command"), /^sgfq find --position /);
});
await path("dark: another paper, readable ink", async () => {
  const dark = await open({ colorScheme: "dark" });
  const color = (name) => dark.evaluate((property) => getComputedStyle(document.body)[property], name);
  assert.notEqual(await color("backgroundColor"), await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
  assert.notEqual(await color("backgroundColor"), await color("color"));
  await picture(dark, "dark");
  await dark.context().close();
});
await path("phone: nothing is wider than the screen", async () => {
  const phone = await open({ viewport: { width: 390, height: 844 }, hasTouch: true });
  assert.ok((await phone.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  await picture(phone, "phone");
  // A finger selects a part of the board.
  await phone.click("#patterns summary");
  await phone.click("#select");
  await phone.evaluate(() => scrollTo(0, 0));
  const middle = async (at) => { const box = await phone.locator("circle.hit").nth(at).boundingBox(); return { x: box.x + box.width / 2, y: box.y + box.height / 2 }; };
  const [from, to] = [await middle(12), await middle(18 + 19 * 6)];
  const touch = await phone.context().newCDPSession(phone);
  const send = (type, ...touchPoints) => touch.send("Input.dispatchTouchEvent", { type, touchPoints });
  await send("touchStart", from);
  for (let step = 1; step <= 5; step += 1) await send("touchMove", { x: from.x + ((to.x - from.x) * step) / 5, y: from.y + ((to.y - from.y) * step) / 5 });
  await send("touchEnd");
  assert.match(await phone.inputValue("#pattern"), /^-{7}\n([.XO]{7}\|\n?){7}$/);
  await phone.context().close();
});
await path("boards: many are searched by a part of their names", async () => {
  const folder = await mkdtemp(join(tmpdir(), "boards-"));
  const games = Array.from({ length: 15 }, (_, at) => `(;GM[1]SZ[${at + 5}];B[cc];W[bb])`);
  await writeFile(join(folder, "boards.sgf"), [...games, games[14], "(;GM[11]SZ[14];B[a1])"].join("\n"));
  const many = await open({}, await serve(join(folder, "boards.sgf")));
  const names = () => many.locator("#boards option").allInnerTexts();
  assert.equal((await names()).length, 16);
  await many.fill("#board-name", "hex");
  assert.deepEqual((await names()).map((name) => name.split(" (")[0]).sort(), ["Go 19x19", "Hex 14x14"]);
  await many.press("#board-name", "Enter");
  await many.waitForFunction(() => document.querySelector("#replies h2").textContent.includes("Hex"));
  assert.equal(await many.inputValue("#boards"), "Hex 14x14");
  assert.ok(await page.locator("#find-board").isHidden());
  await picture(many, "boards");
  await many.context().close();
  await rm(folder, { recursive: true });
});
await path("no error, nothing that the policy forbids, no request to anywhere else", async () => assert.deepEqual(faults, []));
await path("without the token: a sentence, and no game", async () => {
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(origin);
  await stranger.waitForFunction(() => document.querySelector("#notice").textContent.includes("token"));
  assert.ok(await stranger.locator("#main").isHidden());
});
console.log(`${done} ways`);
await browser.close();
servers.forEach((server) => server.kill("SIGINT"));
