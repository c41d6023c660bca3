// The page of `sgfq explore` in a real browser, one use after another.
//
//   node explore_page.mjs SGFQ GAMES [FOLDER FOR PICTURES]
//
// Needs what explore_support.mjs needs. GAMES has at least some ten games of Go, with comments and results.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as support from "./explore_support.mjs";
import { ask, check, clickPoint, finish, games, go, listed as count, middle, newContext, number, picture, savedBy, serve,
  servers, settled, turnWheel, watch, written } from "./explore_support.mjs";

const url = await serve(games);
const { origin } = new URL(url);

/// Opens the page in a smaller window, with a list.
async function open(options = {}, address = url) {
  const page = await support.open(address, { viewport: { width: 1280, height: 900 }, ...options });
  await page.waitForSelector("#list tbody tr");
  return page;
}

const text = (page, selector) => page.locator(selector).first().innerText();
const page = await open();
async function drag(of, from, to) {
  await of.evaluate(() => scrollTo(0, 0));
  const [start, end] = [await middle(of, ...from), await middle(of, ...to)];
  await of.mouse.move(start.x, start.y);
  await of.mouse.down();
  await of.mouse.move(end.x, end.y, { steps: 6 });
  await of.mouse.up();
}
/// Column and row of a name such as Q16.
const placeOf = (name) => ["ABCDEFGHJKLMNOPQRST".indexOf(name[0]), 19 - Number(name.slice(1))];
const follow = async (selector, at = 0) => {
  await page.locator(selector).nth(at).click();
  await settled(page);
};
const press = (key) => support.press(page, key);
const menu = async (id) => {
  await page.click("#menu");
  await page.click(id);
};
const saved = async (id) => (await Promise.all([page.waitForEvent("download"), menu(id)]))[0];
const home = async () => {
  await follow("#see-moves");
  await page.evaluate(() => document.activeElement.blur());
  await press("Home");
};
async function filter(fields) {
  await page.click("#edit-filters");
  for (const [id, value] of Object.entries(fields)) await page.fill(`#${id}`, value);
  await page.click("#apply");
}
const clear = async () => {
  await page.click("#clear");
  await settled(page);
};
const openFirst = async () => {
  await follow("#list tbody a");
  await page.waitForSelector("#game .step.at");
  await settled(page);
};
const leave = async () => {
  await page.keyboard.press("Escape");
  await page.waitForSelector("#list tbody tr");
  await settled(page);
};
const status = await ask(page, "status", {});

await check("start: the board with candidates, moves and games; the token leaves the address", async () => {
  assert.equal(await page.locator("#board .picture svg").count(), 1);
  const candidates = await page.locator("#board .candidate").count();
  assert.ok(candidates > 1 && candidates <= 12, `${candidates}`);
  assert.ok((await page.locator("#next tbody tr").count()) > 2);
  assert.ok(!(await page.evaluate(() => location.href)).includes("token"));
  assert.ok((await page.locator("#next td.part").allInnerTexts()).every((share) => share.trim() !== "0 %"));
  await picture(page, "start");
});
const all = await count(page);
await check("token: it is in a cookie of this port that scripts cannot read", async () => {
  const [cookie] = await page.context().cookies();
  assert.equal(cookie.name, `sgfq-${new URL(url).port}`);
  assert.ok(cookie.httpOnly && cookie.sameSite === "Strict");
  assert.equal(await page.evaluate(() => document.cookie), "");
  assert.equal(await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]).includes("token")), false);
});
await check("deeper: a move of the table leads on, and fewer games are left", async () => {
  await follow("#next tbody a");
  await follow("#next tbody a");
  assert.equal(await page.locator("#moves li").count(), 2);
  const fewer = await count(page);
  assert.ok(fewer > 0 && fewer < all, `${fewer} of ${all}`);
  await picture(page, "deeper");
});
await check("copied address: a second tab of the browser opens it", async () => {
  const address = await page.evaluate(() => location.href);
  const second = watch(await page.context().newPage(), url);
  await second.goto(address);
  await second.waitForSelector("#list tbody tr");
  await settled(second);
  assert.equal(await count(second), await count(page));
  await second.reload();
  await second.waitForSelector("#list tbody tr");
  await second.close();
});
await check("links: a click with Ctrl opens a move, a game and a view in a new tab", async () => {
  for (const selector of ["#next tbody a", "#list tbody a", "#see-players"]) {
    const [tab] = await Promise.all([page.context().waitForEvent("page"), page.locator(selector).first().click({ modifiers: ["Control"] })]);
    await tab.waitForSelector("#main", { timeout: 60_000 });
    assert.match(await tab.evaluate(() => location.hash), /moves=/);
    await tab.close();
  }
});
await check("click: a point of the board is played", async () => {
  const before = await page.locator("#moves li").count();
  await clickPoint(page, 9, 9);
  assert.equal(await page.locator("#moves li").count(), before + 1);
  assert.equal(await page.locator("#board .last_ring:is(.on-b, .on-w)").count(), 1);
});
await check("keyboard: back, forward and to the start", async () => {
  const deep = await text(page, "#moves");
  await press("ArrowLeft");
  assert.notEqual(await text(page, "#moves"), deep);
  await press("ArrowRight");
  assert.equal(await text(page, "#moves"), deep);
  await press("Home");
  assert.equal(await count(page), all);
});
await check("back: the browser takes a move back, and a reload keeps the view", async () => {
  await follow("#next tbody a");
  const games = await count(page);
  await page.reload();
  await page.waitForSelector("#list tbody tr");
  await settled(page);
  assert.equal(await count(page), games);
  await page.goBack();
  await settled(page);
  assert.equal(await count(page), all);
});
await check("illegal: a stone refuses the move at its point, and the line stays", async () => {
  await follow("#next tbody a");
  const line = await text(page, "#moves");
  await clickPoint(page, ...placeOf(line.match(/[A-T]\d+/)[0]));
  await page.waitForSelector("#board .refusal text");
  assert.match(await text(page, "#board .refusal text").catch(() => page.locator("#board .refusal text").textContent()), /the point is occupied/);
  assert.equal(await text(page, "#moves"), line);
});
await check("typed moves: a legal one is played, and a wrong one is refused beside the field", async () => {
  await page.fill("#move", "k10");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.match(await text(page, "#moves"), /K10/);
  await page.fill("#move", "zz99");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#refused");
  await page.evaluate(() => document.activeElement.blur());
  await press("Home");
});
await check("pointing: a row shows its stone, and a point marks its row", async () => {
  const name = (await text(page, "#next tbody th")).match(/[A-T]\d+/)[0];
  await page.locator("#next tbody tr").first().hover();
  await page.waitForSelector("#board .ghost");
  assert.equal(await page.locator("#board .candidate.hovered").count(), 1);
  const { x, y } = await middle(page, ...placeOf(name));
  await page.mouse.move(x, y);
  await page.waitForSelector("#next tr.hovered");
  assert.match(await text(page, "#next tr.hovered"), new RegExp(name));
  await page.mouse.move(5, 5);
});
await check("board: coordinates and candidates go and come, and a reload keeps the choice", async () => {
  await press("c");
  await press("x");
  assert.equal(await page.locator("#board .bare").count(), 1);
  assert.equal(await page.locator("#board .candidate").count(), 0);
  await page.reload();
  await page.waitForSelector("#list tbody tr");
  await settled(page);
  assert.equal(await page.locator("#board .bare").count(), 1);
  await press("c");
  await press("x");
  assert.equal(await page.locator("#board .bare").count(), 0);
});
await check("game: it opens at the position, plays on, and keeps the next moves of the archive", async () => {
  await follow("#next tbody a");
  await openFirst();
  const at = await text(page, "#game .step.at");
  assert.ok((await page.locator("#next tbody tr").count()) > 0);
  await press("ArrowRight");
  assert.notEqual(await text(page, "#game .step.at"), at);
  assert.match(await text(page, "#game .step.at"), /^\d+\./);
  await page.click("#facts summary");
  assert.ok((await page.locator("#game dt").count()) > 1);
  await picture(page, "game");
});
await check("games of a node: the list beside a game has the games of its position", async () => {
  await page.evaluate(() => document.querySelectorAll("#game .step")[60]?.click());
  await settled(page);
  const deep = await count(page);
  assert.ok(deep > 0 && deep < all / 2, `${deep} of ${all}`);
  assert.match(await text(page, "#list td.move"), /^6\d\./);
  await page.goBack();
  await settled(page);
});
await check("tried move: it is on the board inside the game, and a link leads back to the game", async () => {
  const step = await text(page, "#game .step.at");
  const stones = () => page.locator("#board .picture circle.black, #board .picture circle.white").count();
  const before = await stones();
  await clickPoint(page, 9, 9);
  await page.waitForSelector("#tried");
  assert.equal(await stones(), before + 1);
  assert.equal(await text(page, "#game .step.at"), step);
  await clickPoint(page, 9, 8);
  assert.match(await text(page, "#tried"), /2 tried moves/);
  await press("ArrowLeft");
  assert.match(await text(page, "#tried"), /1 tried move\b/);
  await clickPoint(page, 9, 9);
  await page.waitForSelector("#board .refusal");
  await picture(page, "tried");
  await follow("#untry");
  assert.equal(await page.locator("#tried").count(), 0);
  assert.equal(await stones(), before);
});
await check("next and previous game of the list", async () => {
  const file = await page.locator("#facts dd.path").textContent();
  assert.match(await text(page, ".neighbors"), /1 of [\d,]+/);
  await press("n");
  await page.waitForFunction((before) => document.querySelector("#facts dd.path")?.textContent !== before, file);
  assert.match(await text(page, ".neighbors"), /2 of [\d,]+/);
  await press("p");
  await page.waitForFunction((before) => document.querySelector("#facts dd.path")?.textContent === before, file);
  await leave();
});
await check("shape in a game: a part of its board is searched in the archive", async () => {
  await openFirst();
  await page.click("#select");
  await drag(page, [12, 0], [18, 6]);
  await page.click("#search-shape");
  await settled(page);
  assert.ok((await count(page)) > 0);
  assert.equal(await page.locator("#board .frame-line").count(), 1);
});
await check("hit: the game that opens has the shape where the search has it, and can be shown as in the file", async () => {
  const frame = async () => {
    const [line, wood] = await Promise.all(["#board .frame-line", "#board .picture .wood"].map((part) => page.locator(part).boundingBox()));
    return [(line.x - wood.x) / wood.width, (line.y - wood.y) / wood.height].map((part) => Math.round(20 * part));
  };
  const searched = await frame();
  const rows = Math.min(20, await page.locator("#list tbody tr").count());
  const transforms = new Set();
  for (let row = 0; row < rows; row += 1) {
    await follow("#list tbody a", row);
    await page.waitForSelector("#hit");
    await settled(page);
    assert.deepEqual(await frame(), searched);
    const says = await text(page, "#hit");
    transforms.add(says);
    if (/Show as in the file/.test(says)) {
      const [before] = await page.locator("#board .picture text.dim").allTextContents();
      await follow("#hit .button");
      assert.match(await text(page, "#hit"), /Show as the shape/);
      const names = await page.locator("#board .picture text.dim").allTextContents();
      assert.deepEqual([names[0], names.at(-1)], ["A", "1"]);
      if (transforms.size === 1) await picture(page, "hit");
      assert.ok(before);
    }
    await leave();
  }
  assert.ok(transforms.size > 1, [...transforms].join());
  await page.click("#whole");
  await settled(page);
});
await check("shape by keys: Shift and arrows select, letters change a point, and the search has it", async () => {
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("s");
  await page.waitForSelector("#board .selecting");
  for (const key of ["Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowDown", "Shift+ArrowDown", "x", "ArrowUp", "o"]) await page.keyboard.press(key);
  assert.equal(await page.locator("#board .frame-line").count(), 1);
  assert.match(await page.locator("#pattern").inputValue(), /^---\n\|\.\.\.\n\|\.\.O\n\|\.\.X$/);
  await page.click("#search-shape");
  await settled(page);
  assert.match(await page.evaluate(() => decodeURIComponent(location.hash)), /\.\.O/);
  await page.click("#whole");
  await settled(page);
});
await check("comment: a node with a comment shows it beside the board", async () => {
  await home();
  let found = false;
  for (let row = 0; row < 8 && !found; row += 1) {
    await follow("#list tbody a", row);
    await page.waitForSelector("#game .step.at");
    await settled(page);
    const noted = page.locator("#game .step.noted").first();
    if (await noted.count()) {
      await noted.click();
      await page.waitForSelector("#comment");
      found = (await text(page, "#comment")).trim().length > 0;
    }
    await leave();
  }
  assert.ok(found, "no game of the first eight has a comment");
});
const problem = (name) => `(;GM[1]SZ[9]GN[${name}]AB[cc][dc]AW[cd][dd](;B[bd];W[bc];B[bb]C[RIGHT])(;B[bb];W[bc]))`;
const problems = await serve(await written("problems.sgf", ["one", "two", "three"].map(problem).join("\n")));
await check("problems: a wrong move, a right one, the next unsolved one; the browser remembers", async () => {
  const solver = await open({}, problems);
  assert.match(await solver.evaluate(() => location.hash), /list=games/);
  await solver.locator("#list tbody a").first().click();
  await solver.waitForSelector("#game .step.at");
  await settled(solver);
  await solver.click("#hide");
  await settled(solver);
  assert.equal(await solver.locator("#game .step").count(), 1);
  await clickPoint(solver, 8, 8, 9);
  await solver.waitForSelector("#board .refusal");
  await clickPoint(solver, 1, 3, 9);
  await solver.waitForFunction(() => document.querySelectorAll("#game .step").length === 3);
  assert.match(await text(solver, "#judged"), /Right/);
  await clickPoint(solver, 1, 1, 9);
  await solver.waitForFunction(() => /solved/.test(document.querySelector("#judged").textContent));
  await picture(solver, "solved");
  await solver.click("#unsolved");
  await solver.waitForFunction(() => document.querySelectorAll("#game .step").length === 1);
  await solver.reload();
  await solver.waitForSelector("#game .step.at");
  assert.equal(await solver.evaluate(() => JSON.parse(localStorage.getItem("sgfq-solved")).length), 1);
  await solver.context().close();
});
await check("tree: a game with variations draws them, and a node opens", async () => {
  const solver = await open({}, problems);
  await solver.locator("#list tbody a").first().click();
  await solver.waitForSelector("#game .step.at");
  await settled(solver);
  const nodes = solver.locator("#game .tree a");
  assert.equal(await nodes.count(), 6);
  await nodes.nth(4).click();
  await settled(solver);
  assert.equal(await solver.locator("#game .tree a.at").count(), 1);
  assert.match(await text(solver, "#game .step.at"), /1\..*B8/s);
  await picture(solver, "tree");
  await solver.context().close();
});
await check("filters: an expression leaves games out, and its chip goes away with a click", async () => {
  await filter({ where: "winner = 'B'" });
  await page.waitForSelector(".chip");
  await settled(page);
  assert.ok((await count(page)) > 0 && (await count(page)) < all);
  await page.click(".chip a");
  await settled(page);
  assert.equal(await count(page), all);
});
await check("wrong filters: the fault is beside its field, and the form stays", async () => {
  await filter({ where: "winer = 'B'" });
  await page.waitForSelector("#where-fault");
  assert.match(await text(page, "#where-fault"), /did you mean `winner`/);
  await page.fill("#where", "");
  await page.fill("#from", "20x");
  await page.click("#apply");
  await page.waitForSelector("#from-fault");
  assert.match(await text(page, "#from-fault"), /1990/);
  await page.keyboard.press("Escape");
  assert.equal(await count(page), all);
}, /status of 400/);
await check("wrong filters in an address: the error is beside a board, which is not empty", async () => {
  await page.goto("about:blank");
  await page.goto(`${origin}/#where=winer%20%3D%201`);
  await page.waitForSelector(".fault.box");
  await page.waitForSelector("#board .picture svg");
  await follow("#clear");
  assert.equal(await count(page), all);
}, /status of 400/);
await check("filters: the board does not move when chips come", async () => {
  for (const width of [1280, 1024, 768]) {
    await page.setViewportSize({ width, height: 900 });
    const top = async () => (await page.locator("#board").boundingBox()).y;
    const before = await top();
    await filter({ where: "moves > 0 AND moves < 100000", from: "1000", to: "3000", komi: "" });
    await page.waitForSelector(".chip");
    assert.equal(await top(), before, `${width}`);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    await clear();
  }
  await page.setViewportSize({ width: 1280, height: 900 });
});
await check("names: the player field completes names of the archive", async () => {
  // Until the filters of the check before are gone, the view changes once more and closes the dialog.
  await settled(page);
  await page.click("#edit-filters");
  await page.click("#player"); // keys go to the page until the dialog is open
  await page.keyboard.type("Le");
  await page.waitForSelector("#names option", { state: "attached", timeout: 5000 });
  const names = await page.locator("#names option").evaluateAll((options) => options.map((option) => option.value));
  assert.ok(names.every((name) => /le/i.test(name)), `${names}`);
  await page.keyboard.press("Escape");
});
await check("shape: a part of the board is selected, searched, and kept by a reload", async () => {
  await follow("#next tbody a");
  await page.click("#select");
  assert.equal(await page.locator("#board .overlay").evaluate((board) => getComputedStyle(board).outlineStyle), "none");
  await drag(page, [12, 0], [18, 6]);
  assert.match(await page.locator("#pattern").inputValue(), /^-{7}\n([.XO]{7}\|\n?){7}$/);
  assert.equal(await page.locator("#board .handle").count(), 8);
  await page.click("#search-shape");
  await settled(page);
  const found = await count(page);
  assert.ok(found > 0);
  assert.ok(await page.locator("#board .picture svg").isVisible());
  await page.reload();
  await page.waitForSelector("#list tbody tr");
  await settled(page);
  assert.equal(await count(page), found);
  assert.equal(await page.locator("#board .frame-line").count(), 1);
  await picture(page, "shape");
});
await check("shape: its tools are in view, and each next move is one line and a link that plays on", async () => {
  const box = await page.locator("#search-shape").boundingBox();
  assert.ok(box.y >= 0 && box.y + box.height <= 900, `${box.y}`);
  for (const row of await page.locator("#next tbody tr").all()) assert.ok((await row.boundingBox()).height < 40);
  const before = await count(page);
  await follow("#next tbody a");
  assert.ok((await count(page)) <= before && (await page.locator("#board .frame-line").count()) === 1);
  assert.match(await page.evaluate(() => decodeURIComponent(location.hash)), /pattern=.*[XO].*mover=[BW]/s);
  await page.goBack();
  await settled(page);
  assert.equal(await count(page), before);
});
await check("shape: the rectangle moves, a handle resizes it, and a brush changes a point", async () => {
  const pattern = () => page.locator("#pattern").inputValue();
  await drag(page, [15, 3], [14, 4]);
  assert.match(await pattern(), /^[.XO]{7}\n/);
  const box = await page.locator('#board .handle[data-side="se"]').boundingBox();
  const to = await middle(page, 16, 9);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.mouse.up();
  assert.equal((await pattern()).split("\n").length, 9);
  await page.locator("#shape .brush", { hasText: "Any" }).click();
  await clickPoint(page, 13, 3);
  assert.match(await pattern(), /\?/);
  assert.equal(await page.locator("#replies.stale").count(), 1);
});
await check("shape: a letter inside plays on, and the mover is chosen", async () => {
  await page.click("#search-shape");
  await settled(page);
  const before = await count(page);
  await page.locator("#shape .brush", { hasText: "Move" }).click();
  const letter = page.locator("#board .candidate").first();
  if (await letter.count()) {
    const box = await letter.boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await settled(page);
    assert.ok((await count(page)) <= before);
    assert.match(await page.evaluate(() => location.hash), /mover=[BW]/);
  }
  await page.selectOption("#mover", "");
  await page.selectOption("#mover", "B");
  if (await page.locator("#search-shape").isEnabled()) await page.click("#search-shape");
  await settled(page);
  const rows = await page.locator("#next tbody th.move").allInnerTexts();
  assert.ok(rows.every((row) => !row.startsWith("W")), `${rows}`);
  await page.click("#whole");
  await settled(page);
  assert.equal(await page.locator("#board .frame-line").count(), 0);
});
await check("stop: a slow question shows a bar and dims old results; Stop ends it, and it can be asked again", async () => {
  await home();
  let isSlow = true;
  let aborted = 0;
  page.on("requestfailed", () => { aborted += 1; });
  await page.route("**/api/position", async (route) => {
    if (isSlow) await new Promise((resolve) => setTimeout(resolve, 3000));
    await route.continue().catch(() => {});
  });
  await page.locator("#next tbody a").nth(2).click();
  await page.waitForSelector("#stop");
  assert.equal(await page.locator("#replies.stale").count(), 1);
  await picture(page, "busy");
  await page.click("#stop");
  await page.waitForSelector("#fault");
  assert.match(await text(page, "#fault"), /Stopped/);
  // The browser reports the end of a request after the page knows of it.
  for (let tries = 0; aborted === 0 && tries < 50; tries += 1) await page.waitForTimeout(100);
  assert.ok(aborted > 0);
  isSlow = false;
  await page.click("#fault button");
  await settled(page);
  assert.equal(await page.locator("#fault").count(), 0);
  await page.unroute("**/api/position");
  await home();
});
await check("save: games, the board, the table and the tree as files; the command for a shell", async () => {
  assert.equal((await saved("#download")).suggestedFilename(), "games.sgf");
  const board = await readFile(await (await saved("#picture")).path(), "utf8");
  assert.match(board, /<svg[^]*<style[^]*candidate/);
  const table = (await readFile(await (await saved("#csv")).path(), "utf8")).trim().split("\n");
  assert.equal(table[0].split(",").slice(0, 3).join(), "color,next,count");
  assert.match(await readFile(await (await saved("#tree")).path(), "utf8"), /^\(;FF\[4\]GM\[1\][^]*C\[\d+ games? /);
  await menu("#copy");
  await page.waitForFunction(() => /sgfq find --position /.test(document.querySelector("#toast").textContent));
});
await check("charts: the report is within the page, and can be saved", async () => {
  await follow("#see-charts");
  await page.waitForSelector("#charts .report .facts");
  assert.ok((await page.locator("#charts svg.chart").count()) > 0 && (await page.locator("#charts h2").count()) > 3);
  const address = await page.evaluate(() => location.href);
  await page.locator("#charts nav a").last().click();
  assert.equal(await page.evaluate(() => location.href), address);
  await picture(page, "charts");
  assert.match(await savedBy(page, "#keep"), /<html/);
});
await check("all games: full width with a preview of the board", async () => {
  await follow("#see-games");
  assert.ok((await count(page)) >= all);
  const width = (await page.locator("#games").boundingBox()).width;
  assert.ok(width > 800, `${width}`);
  await page.locator("#list tbody tr").nth(2).hover();
  await page.waitForSelector("#preview .picture svg");
  await picture(page, "games");
  await page.click("button.more");
  await settled(page);
  assert.equal(await page.locator("#list tbody tr").count(), Math.min(200, await count(page)));
});
await check("sort: the heads sort the games, both ways", async () => {
  const column = () => page.locator("#list tbody td:nth-child(9)").allInnerTexts().then((cells) => cells.filter(Boolean).map(Number));
  await follow("#list thead th:nth-child(9) a");
  const rising = await column();
  assert.deepEqual(rising, [...rising].sort((one, other) => one - other));
  await follow("#list thead th:nth-child(9) a");
  const falling = await column();
  assert.deepEqual(falling, [...falling].sort((one, other) => other - one));
  assert.equal(await page.locator('#list th[aria-sort="descending"]').count(), 1);
});
await check("search: words find games, and a text opens at its node", async () => {
  await press("/");
  await page.keyboard.type("ladder");
  await press("Enter");
  const found = await count(page);
  assert.ok(found > 0 && found < status.games, `${found}`);
  const marks = await page.locator("#list td.excerpt").allInnerTexts();
  assert.ok(marks.length > 0 && marks.every((excerpt) => /ladder/i.test(excerpt)));
  assert.match(await text(page, "#list td.excerpt mark"), /^ladder$/i);
  await openFirst();
  assert.match((await page.locator("#game").innerText()).toLowerCase(), /ladder/);
  await leave();
});
await check("search: / goes to the field of the view, or to the games", async () => {
  for (const [view, expected] of [["players", "#see-players"], ["findings", "#see-games"]]) {
    await follow(`#see-${view}`);
    await page.evaluate(() => document.activeElement.blur());
    await press("/");
    await page.waitForFunction(() => document.activeElement.id === "search");
    assert.equal(await page.locator(`${expected}[aria-current]`).count(), 1, view);
  }
});
await check("players: a field finds one, and the counts lead to the games", async () => {
  await follow("#see-players");
  await page.waitForSelector("#players tbody tr");
  await picture(page, "players");
  const [title, name] = [await text(page, "#players-title"), await text(page, "#players tbody th")];
  await page.fill("#search", name);
  await page.waitForFunction((all) => document.querySelector("#players-title").textContent !== all, title);
  assert.equal(await text(page, "#players tbody th"), name);
  const cell = page.locator("#players tbody tr").first().locator("td").first();
  const games = number(await cell.innerText());
  await cell.locator("a").click();
  await page.waitForSelector("#list tbody tr");
  await settled(page);
  assert.ok((await count(page)) === games && games > 0, `${await count(page)} of ${games}`);
  await clear();
  await home();
});
await check("findings: they are of the games that the filters leave, with severity in a sign", async () => {
  const findings = async () => {
    await follow("#see-findings");
    return (await page.locator("#findings tbody tr td:nth-child(2)").allInnerTexts()).reduce((sum, cell) => sum + number(cell), 0);
  };
  const before = await findings();
  assert.ok(before > 0 && (await page.locator("#findings .severity").count()) > 0);
  await filter({ where: "winner = 'B'" });
  await page.waitForSelector(".chip");
  await settled(page);
  assert.ok((await findings()) < before);
  await clear();
  assert.equal(await findings(), before);
});
await check("findings: an example leads to its node, and a repair is shown", async () => {
  await picture(page, "findings");
  await page.locator("#findings summary").first().click();
  await page.locator("#findings li a").first().click();
  await page.waitForSelector("#game .step.at");
  await page.click("#repair summary");
  await page.waitForSelector("#repair ul, #repair p");
  assert.match(await text(page, "#repair"), /epaired at node [^ ]+: [^`]+\(/);
  if (await page.locator("#repair .changes").count()) assert.ok((await page.locator("#repair .changes :is(del, ins)").count()) > 0);
  await picture(page, "repair");
  await page.keyboard.press("Escape");
  await page.waitForSelector("#findings tbody tr");
  await settled(page);
  assert.match(await savedBy(page, "#repaired"), /^\(;/);
});
await check("findings: all games of a code are a list with previous and next", async () => {
  const link = page.locator("#findings a.listed").first();
  const games = number(await link.innerText());
  await link.click();
  await settled(page);
  assert.equal(await count(page), games);
  await openFirst();
  assert.match(await text(page, ".neighbors"), /of/);
  await leave();
});
await check("variations: all lines have more positions than main lines", async () => {
  const file = await written("variations.sgf", "(;GM[1]SZ[9];B[ee](;W[ce];B[gg])(;W[dd];B[cg]))(;GM[1]SZ[9];B[ee];W[cc])(;GM[1]SZ[9];B[ee];W[ce])");
  const lines = await open({}, await serve(file, "--variations"));
  await lines.locator("#next tbody a").first().click();
  await settled(lines);
  const moves = () => lines.locator("#next tbody th.move").count();
  const main = await moves();
  await lines.locator("#turn .switch a", { hasText: "All lines" }).click();
  await settled(lines);
  const all = await moves();
  await lines.locator("#turn .switch a", { hasText: "Main lines" }).click();
  await settled(lines);
  assert.equal(await moves(), main);
  assert.equal(all, main + 1);
  await lines.context().close();
});
await check("labels of the record: its letters stay on their points, and the table has them", async () => {
  const file = await written("labels.sgf", "(;GM[1]SZ[9];B[gc];W[fd]LB[gd:b][fe:a]C[b is a mistake](;B[gd];W[cc])(;B[fe])(;B[cg]))");
  const lines = await open({}, await serve(file, "--variations"));
  await go(lines, "game=0&path=/2&variations=true");
  await lines.waitForSelector("#board .candidate");
  const letters = lines.locator("#next tbody td.letter");
  assert.deepEqual((await letters.allInnerTexts()).sort(), ["C", "a", "b"]);
  assert.equal(await lines.locator("#board .candidate.ring").count(), 2);
  assert.deepEqual(await lines.locator("#board .candidate text").allTextContents(), ["C"]);
  assert.deepEqual((await lines.locator("#board .picture text.mid:not(.dim)").allTextContents()).sort(), ["a", "b"]);
  const row = lines.locator("#next tbody tr", { has: lines.locator("td.letter", { hasText: "b" }) });
  assert.match(await row.innerText(), /G6/);
  await picture(lines, "labels");
  await lines.context().close();
});
await check("turn: the heading, the ghost stone, the circles and the rows agree where no rule says who begins", async () => {
  const file = await written("hex.sgf", "(;GM[11]SZ[5];W[c3];B[a1])\n(;GM[11]SZ[5];W[c3];B[b1])\n(;GM[11]SZ[5];B[c3];W[b1])");
  const hex = await open({}, await serve(file));
  assert.match(await text(hex, "#turn"), /White to play/);
  const games = number(await text(hex, "#next tbody td.number"));
  const box = await hex.locator("#board .candidate .size").first().boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await hex.mouse.move(x, y);
  assert.equal(await hex.locator("#board .ghost.white").count(), 1);
  await hex.mouse.click(x, y);
  await settled(hex);
  assert.match(await text(hex, "#moves"), /W.*c3/s);
  assert.deepEqual([await count(hex), games], [2, 2]);
  await hex.context().close();
});
await check("alone: a position that only the opened game has shows no next moves", async () => {
  const file = await written("alone.sgf", "(;GM[1]SZ[9]RE[B+R];B[gc];W[fd])\n(;GM[1]SZ[9];B[ee];W[fd])");
  const alone = await open({}, await serve(file));
  await go(alone, "game=0&path=/1");
  assert.match(await text(alone, "#replies"), /Only this game has this position/);
  assert.equal(await alone.locator("#board .candidate").count(), 0);
  await alone.context().close();
});
await check("steps: after random steps, the board, the moves and the tree equal those that are drawn from scratch", async () => {
  const walk = await open();
  await walk.locator("#list tbody a").first().click();
  await walk.waitForSelector("#game .step.at");
  const drawn = (of) => of.evaluate(() => [document.querySelector("#board .picture"), document.querySelector("#game .line"),
    document.querySelector("#game .tree")].map((part) => part?.innerHTML));
  let seed = 7;
  for (let at = 1; at <= 40; at += 1) {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    await walk.keyboard.press(["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowDown", "End"][(seed >> 8) % 6]);
    if (at % 8) continue;
    await settled(walk);
    const moves = await drawn(walk);
    const hash = await walk.evaluate(() => location.hash);
    const fresh = watch(await walk.context().newPage(), url);
    await fresh.goto(`${origin}/${hash}`);
    await fresh.waitForSelector("#game .step.at");
    await settled(fresh);
    assert.deepEqual(moves, await drawn(fresh), hash);
    await fresh.close();
  }
  await walk.context().close();
});
await check("wheel: it walks the game and the page stays; a stone leads to its move; captured moves have a list", async () => {
  const file = await written("captured.sgf", "(;GM[1]SZ[9];B[ab];W[aa];B[ba];W[ee];B[aa])");
  const game = await open({}, await serve(file));
  await go(game, "game=0&path=/1");
  const { x, y } = await middle(game, 7, 7, 9);
  await game.mouse.move(x, y);
  await turnWheel(game, [[100, 2], [100, 3], [100, 4], [-100, 3]]);
  await game.keyboard.press("End");
  await settled(game);
  if (!(await game.locator("#captured").count())) await game.keyboard.press("m");
  await settled(game);
  assert.equal(await text(game, "#captured"), "2 at 5");
  await clickPoint(game, 4, 4, 9);
  assert.match(await text(game, "#game .step.at"), /^4\./);
  assert.equal(await game.locator("#tried").count(), 0);
  await game.context().close();
});
await check("print: a game is its board, names and moves, ten to a line, with dark stones", async () => {
  const paper = await open();
  const style = (selector, name) => paper.locator(selector).first().evaluate((part, of) => getComputedStyle(part)[of], name);
  await go(paper, "game=0&move=1");
  await paper.emulateMedia({ media: "print" });
  assert.equal(await style("#game .line", "gridTemplateColumns").then((columns) => columns.split(" ").length), 10);
  assert.equal(await style("#game .step .stone.b", "printColorAdjust"), "exact");
  for (const part of ["#tabs", "#tools", ".list-area", ".neighbors"]) assert.equal(await style(part, "display"), "none", part);
  assert.ok(await paper.locator("#game h2").isVisible());
  await go(paper, "");
  assert.ok(await paper.locator("#next").isVisible());
  assert.ok((await paper.pdf()).length > 1000);
  await paper.context().close();
});
await check("contrast themes: stones and bars keep their colors, and the view has an outline", async () => {
  const forced = await open({ forcedColors: "active" });
  const style = (selector, name) => forced.locator(selector).first().evaluate((part, of) => getComputedStyle(part)[of], name);
  assert.equal(await style(".stone.b", "forcedColorAdjust"), "none");
  assert.equal(await style("#tabs a[aria-current]", "outlineStyle"), "solid");
  await forced.context().close();
});
await check("no games: links take a move back, or search the corner as a shape", async () => {
  const none = await open();
  await go(none, "moves=B[pd] W[dp] B[aa]");
  assert.equal(await count(none), 0);
  assert.deepEqual(await none.locator("#replies .ways a").allInnerTexts(), ["Take the last move back", "Search this corner as a shape"]);
  await none.locator("#replies .ways a").nth(1).click();
  await settled(none);
  assert.equal(await none.locator("#board .frame-line").count(), 1);
  await none.goBack();
  await settled(none);
  await none.locator("#replies .ways a").first().click();
  await settled(none);
  assert.equal(await none.locator("#moves li").count(), 2);
  await none.context().close();
});
await check("wide windows: the name of a game has room", async () => {
  const wide = await open({ viewport: { width: 1920, height: 1080 } });
  const names = await wide.locator("#list td.name").evaluateAll((cells) => cells.map((cell) => cell.clientWidth));
  assert.ok(Math.min(...names) >= 22 * 9, `${names[0]}`);
  assert.ok(await wide.locator("#next td.rate").first().isVisible());
  await wide.context().close();
});
await check("keyboard only: five Tabs reach the first move, and Enter plays on", async () => {
  const plain = await open();
  let tabs = 0;
  do {
    await plain.keyboard.press("Tab");
    tabs += 1;
  } while (tabs < 9 && !(await plain.evaluate(() => document.activeElement.closest("#next") !== null)));
  assert.ok(tabs <= 5, `${tabs} Tabs`);
  await plain.keyboard.press("Enter");
  await settled(plain);
  assert.equal(await plain.locator("#moves li").count(), 1);
  await plain.keyboard.press("Enter");
  await settled(plain);
  assert.equal(await plain.locator("#moves li").count(), 2, "the focus stays on the first move");
  await plain.reload();
  await plain.waitForSelector("#list tbody tr");
  await plain.keyboard.press("Tab");
  assert.match(await plain.evaluate(() => document.activeElement.textContent), /Skip/);
  await plain.keyboard.press("Enter");
  assert.ok(await plain.evaluate(() => document.activeElement.closest("#next") !== null));
  await plain.keyboard.press("?");
  await plain.waitForSelector("#help[open]");
  await plain.context().close();
});
await check("names for screen readers: the board, its last move, the rows and the table", async () => {
  const board = await page.locator("#board [role=img]").count();
  if (!board) await home();
  await follow("#next tbody a");
  assert.match(await page.locator("#board svg.overlay").getAttribute("aria-label"), /1 move, last move [BW] [A-T]\d+/);
  assert.match(await page.locator(".below [aria-live]").textContent(), /Move 1: [BW] [A-T]\d+/);
  assert.match(await page.locator("#next tbody a").first().getAttribute("aria-label"), /games?, \d+ %/);
  assert.equal(await page.locator("#replies[aria-labelledby=next-title]").count(), 1);
});
await check("dark: another paper, and text that has contrast", async () => {
  const dark = await open({ colorScheme: "dark", reducedMotion: "reduce" });
  const color = (of, name) => of.evaluate((property) => getComputedStyle(document.body)[property], name);
  assert.notEqual(await color(dark, "backgroundColor"), await color(page, "backgroundColor"));
  const light = (rgb) => {
    const [r, g, b] = rgb.match(/\d+/g).map((part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  for (const of of [dark, page]) {
    const ground = light(await color(of, "backgroundColor"));
    for (const selector of ["#about", "#next a", "#next thead th:last-child"]) {
      const ink = light(await of.locator(selector).first().evaluate((element) => getComputedStyle(element).color));
      const contrast = (Math.max(ground, ink) + 0.05) / (Math.min(ground, ink) + 0.05);
      assert.ok(contrast >= 4.5, `${selector}: ${contrast}`);
    }
  }
  await picture(dark, "dark");
  await dark.context().close();
});
await check("phone: the board stays in view, targets are large, and a finger selects a shape", async () => {
  const phone = await open({ viewport: { width: 390, height: 844 }, hasTouch: true });
  assert.ok((await phone.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  await picture(phone, "phone");
  const table = await phone.locator("#next").boundingBox();
  assert.ok(table.y < 844, `${table.y}`);
  for (const selector of ["#next tbody a", "#list tbody a", "#back", "#tabs a"]) {
    const box = await phone.locator(selector).first().boundingBox();
    assert.ok(box.height >= 23.5 && box.width >= 23.5, `${selector}: ${box.width} x ${box.height}`);
  }
  await phone.locator("#list tbody tr").nth(5).scrollIntoViewIfNeeded();
  await phone.evaluate(() => scrollTo(0, 500));
  const board = await phone.locator("#board .board_frame").boundingBox();
  assert.ok(board.y >= 0 && board.y < 40, `${board.y}`);
  await phone.evaluate(() => scrollTo(0, 0));
  await phone.click("#select");
  await phone.evaluate(() => scrollTo(0, 0));
  const [from, to] = [await middle(phone, 12, 0), await middle(phone, 18, 6)];
  const touch = await phone.context().newCDPSession(phone);
  const send = (type, ...touchPoints) => touch.send("Input.dispatchTouchEvent", { type, touchPoints });
  await send("touchStart", from);
  for (let step = 1; step <= 5; step += 1) await send("touchMove", { x: from.x + ((to.x - from.x) * step) / 5, y: from.y + ((to.y - from.y) * step) / 5 });
  await send("touchEnd");
  assert.match(await phone.locator("#pattern").inputValue(), /^-{7}\n([.XO]{7}\|\n?){7}$/);
  await phone.context().close();
});
await check("narrow windows: no view is wider than the window, and names are in view", async () => {
  for (const width of [390, 768]) {
    const narrow = await open({ viewport: { width, height: 900 } });
    const fits = async (view) => {
      await settled(narrow);
      const over = await narrow.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${view}: ${over} at ${width}`);
    };
    for (const [view, ready] of [["games", "#list tbody tr"], ["players", "#players tbody tr"], ["charts", "#charts .report .facts"],
      ["findings", "#findings tbody tr"]]) {
      await narrow.click(`#see-${view}`);
      await narrow.waitForSelector(ready);
      if (view === "findings") await narrow.locator("#findings summary").first().click();
      await fits(view);
      if (view === "players") assert.ok((await narrow.locator("#players tbody th").first().boundingBox()).x >= 0);
    }
    await narrow.context().close();
  }
});
await check("files without players and boards: the name has room, and the preview says why there is no board", async () => {
  const name = `${"a-long-name-of-a-game-".repeat(3)}1.sgf`;
  const other = await open({}, await serve(await written(name, "(;GM[6];B[51])")));
  await other.goto(other.url().replace(/#.*/, "#list=games"));
  await other.waitForSelector("#preview .empty");
  assert.match(await text(other, "#preview .empty"), /Backgammon/);
  assert.ok((await other.locator("#list tbody a").boundingBox()).width > 300);
  await other.context().close();
});
await check("boards: a part of a name finds one of many", async () => {
  const records = Array.from({ length: 15 }, (_, at) => `(;GM[1]SZ[${at + 5}];B[cc];W[bb])`);
  const file = await written("boards.sgf", [...records, records[14], "(;GM[11]SZ[14];B[a1])"].join("\n"));
  const many = await open({}, await serve(file));
  const names = () => many.locator("#boards option").allInnerTexts();
  assert.equal((await names()).length, 16);
  await many.fill("#board-name", "hex");
  assert.deepEqual((await names()).map((name) => name.split(" (")[0]).sort(), ["Go 19x19", "Hex 14x14"]);
  await many.press("#board-name", "Enter");
  await settled(many);
  assert.equal(await many.inputValue("#boards"), "Hex 14x14");
  const listed = await page.locator("#boards option").count();
  assert.equal(await page.locator("#board-name").count(), listed > 12 ? 1 : 0);
  await picture(many, "boards");
  await many.context().close();
});
await check("without the token: the page explains, and a pasted address opens it", async () => {
  const stranger = watch(await (await newContext()).newPage(), url);
  await stranger.goto(`${origin}/#moves=B[pd]`);
  await stranger.waitForSelector("#locked");
  assert.equal(await stranger.locator("#list").count(), 0);
  await stranger.fill("#address", "http://127.0.0.1:1/");
  await stranger.click("#locked button");
  await stranger.waitForSelector("#locked .fault");
  await stranger.fill("#address", url);
  await stranger.click("#locked button");
  await stranger.waitForSelector("#list tbody tr");
  await stranger.context().close();
}, /status of 401/);
await check("pasted address: the printed address works in an open tab without a reload", async () => {
  const stranger = watch(await (await newContext()).newPage(), url);
  await stranger.goto(`${origin}/`);
  await stranger.waitForSelector("#locked");
  await stranger.goto(url);
  await stranger.waitForSelector("#list tbody tr");
  assert.ok(!(await stranger.evaluate(() => location.href)).includes("token"));
  await stranger.reload();
  await stranger.waitForSelector("#list tbody tr");
  await stranger.context().close();
}, /status of 401/);
await check("end: the page says that the server ended, and what to do", async () => {
  await home();
  servers.forEach((server) => server.kill("SIGINT"));
  await page.waitForTimeout(300);
  await page.locator("#next tbody a").nth(1).click();
  await page.waitForSelector("#fault");
  assert.match(await text(page, "#fault"), /Start it again in the terminal/);
}, /ERR_CONNECTION_REFUSED/);
await finish();
