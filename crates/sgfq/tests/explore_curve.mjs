// The curve of a game on the page of `sgfq explore`, and the user's own game against the archive.
//
//   node explore_curve.mjs SGFQ GAMES [FOLDER FOR PICTURES]
//
// Needs what explore_support.mjs needs. GAMES has games with evaluations.

import assert from "node:assert/strict";
import { check, clickPoint, finish, games, go, open, picture, play, press, savedBy, serve, settled, written } from "./explore_support.mjs";

const addressOf = (page) => decodeURIComponent(page.url()).replaceAll("+", " ");

// Black's first move cost 10 %, White's answer 30 %; then the record has a gap, an engine's lines, and clocks.
const evaluated = `(;SZ[19]PB[Ada]PW[Finn]TM[100]SBKV[50];B[pd]BL[95]SBKV[40];W[dp]WL[80]SBKV[70];B[dd]BL[60];W[pp]WL[70]SBKV[65]
;B[nc]LZ[Kata 60.0 50 1.0
move R14 visits 40 winrate 4000 scoreMean -1.0 pv R14 R12 O3 info move C14 visits 10 winrate 3900 pv C14])`;
const file = await written("evaluated.sgf", `${evaluated}\n(;SZ[19]PB[Bo]PW[Cy];B[pd];W[dp];B[cc])`);
const page = await open(await serve(file));

await check("the curve says what the record says, and a missing evaluation is a gap", async () => {
  await go(page, "game=0&move=2");
  assert.match(await page.locator("#stated").innerText(), /^Move 2, W D4 · Black 70\.0 % · took 20 s · 1:20 left$/);
  assert.equal(await page.locator(".winrate .values").getAttribute("d"), "M0 50L1 60L2 30M4 35L5 40");
  assert.equal(await page.locator(".lead .values").getAttribute("d"), "M5 60h.01");
  assert.equal(await page.locator(".time .values").getAttribute("d"), "M1 50V42.86M2 50V78.57M3 50V0M4 50V64.29");
  await page.locator("#curve summary").click();
  await page.waitForSelector("#curve tbody");
  const rows = await page.locator("#curve tbody tr").allInnerTexts();
  assert.deepEqual(rows.map((row) => row.trim().split(/\t/)[0].trim()), ["Start", "1. B Q16", "2. W D4", "3. B D16", "4. W Q4",
    "5. B O17"]);
  await page.locator("#curve tbody a").nth(4).click();
  await settled(page);
  assert.match(await page.locator("#stated").innerText(), /^Move 4, W Q4/);
});

await check("the largest drops lead to the moves of their players", async () => {
  const drops = await page.locator("#drops li").allInnerTexts();
  assert.deepEqual(drops.map((drop) => drop.replace(/\s+/g, " ")), ["Move 2, W D4 lost 30.0 %", "Move 1, B Q16 lost 10.0 %"]);
  await page.locator("#drops a").nth(1).click();
  await settled(page);
  assert.match(await page.locator("#stated").innerText(), /^Move 1, B Q16/);
});

await check("a click on the curve and keys go to a move", async () => {
  const box = await page.locator(".winrate .plot").boundingBox();
  await page.mouse.click(box.x + 0.61 * box.width, box.y + 8);
  await settled(page);
  const slider = page.getByRole("slider", { name: "Move on the curve" });
  assert.deepEqual([await slider.getAttribute("aria-valuenow"), await slider.getAttribute("aria-valuemax")], ["3", "5"]);
  assert.match(await slider.getAttribute("aria-valuetext"), /^Move 3, B D16 · took 35 s/);
  await slider.focus();
  await press(page, "ArrowRight");
  assert.equal(await slider.getAttribute("aria-valuenow"), "4");
  await press(page, "PageUp");
  assert.equal(await slider.getAttribute("aria-valuenow"), "0");
  await press(page, "PageDown");
  assert.equal(await slider.getAttribute("aria-valuenow"), "5");
});

await check("a line of the engine opens on the board", async () => {
  await go(page, "game=0&move=5");
  const lines = await page.locator("#engine li").allInnerTexts();
  assert.deepEqual(lines.map((line) => line.replace(/\s+/g, " ")), ["Black 60.0 % · B+1.0 · 40 visits W R14 R12 O3",
    "Black 61.0 % · 10 visits W C14"]);
  await page.locator("#engine a", { hasText: "R12" }).click();
  await settled(page);
  assert.match(addressOf(page), /tried=W\[qf\] B\[qh\]/);
  assert.match(await page.locator("#tried").innerText(), /2 tried moves/);
  await press(page, "ArrowLeft");
  assert.match(await page.locator("#tried").innerText(), /1 tried move/);
});

await check("a game without evaluations has no curve", async () => {
  await go(page, "game=1&move=2");
  assert.equal(await page.locator("#curve, #engine").count(), 0);
});

await check("the next moves of a long game are guessed, and the first guesses count", async () => {
  const moves = Array.from({ length: 70 }, (_, at) => `;${"BW"[at % 2]}[${"abcdefghijklmnopqrs"[at % 19]}${"bdfhjl"[Math.floor(at / 19)]}]`);
  const file = await written("long.sgf", `(;SZ[19]PB[Ada]PW[Finn]${moves.join("")})`);
  const long = await open(await serve(file));
  await go(long, "game=0&move=2");
  await long.getByLabel("Guess the next move").check();
  await settled(long);
  assert.match(await long.locator("#judged").innerText(), /^Guess Black’s next move\./);
  assert.equal(await long.locator("#next, #curve, #said").count(), 0);
  await play(long, "K10");
  assert.match(await long.locator("#judged").innerText(), /Right at the first try: 0 of 1/);
  await play(long, "C18");
  assert.match(await long.locator("#judged").innerText(), /^Guess White’s next move\. Right at the first try: 0 of 1/);
  await play(long, "D18");
  await long.locator("#reveal").click();
  await settled(long);
  assert.match(await long.locator("#judged").innerText(), /^Guess White’s next move\. Right at the first try: 1 of 3 \(33 %\)\./);
  assert.equal(await long.locator("#game .step").count(), 6);
  await long.locator("#again").click();
  await settled(long);
  assert.equal((await long.locator("#judged").innerText()).trim(), "Guess Black’s next move.");
  await long.context().close();
});

/// Drops a file on a part of the page.
const drop = (of, selector, name, text) => of.evaluate(([to, file, content]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([content], file));
  for (const type of ["dragover", "drop"]) {
    document.querySelector(to).dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }
}, [selector, name, text]);

await check("a problem with two moves of one color in a row lets the user play both, and introductions are no problems", async () => {
  const text = "(;SZ[9]AB[aa]AW[ab];B[ca];B[cb];W[da])(;SZ[9]C[Introduction])(;SZ[9]AW[aa];B[cc])";
  const solver = await open(await serve(await written("problems.sgf", text)));
  await go(solver, "list=games&game=0&hide=true");
  const steps = (count) => solver.waitForFunction((all) => document.querySelectorAll("#game .step").length === all, count);
  await clickPoint(solver, 2, 0, 9);
  await steps(2);
  await clickPoint(solver, 2, 1, 9);
  await steps(4);
  await solver.click("#unsolved");
  await solver.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("game") === "2");
  await solver.context().close();
});

await check("a game dropped on the board is compared, exactly or up to symmetry and color", async () => {
  await go(page, "");
  // A game with analysis is long. The page sends it once.
  const sizes = [];
  page.on("request", (request) => request.url().endsWith("/road") && sizes.push(request.postData().length));
  await drop(page, "#board svg", "mine.sgf", `(;SZ[19];B[dp]C[${"long ".repeat(100_000)}];W[pd];B[qq])`);
  await page.waitForSelector("#own-road .road");
  const counts = async () => {
    await settled(page);
    return page.locator("#own-road .road b").allInnerTexts();
  };
  assert.deepEqual(await counts(), ["2", "2", "1"]);
  await page.locator("#own-road").getByText("Exact").click();
  assert.deepEqual(await counts(), ["–", "–", "–"]);
  assert.match(addressOf(page), /exact=true/);
  assert.deepEqual(sizes.map((size) => size > 500_000), [true, false, false]);
  await page.locator("#own-road").getByText("Up to symmetry").click();
  assert.deepEqual(await counts(), ["2", "2", "1"]);
  await page.locator("#own-road").getByText("And color").click();
  assert.deepEqual(await counts(), ["2", "2", "1"]);
});

await check("the user's own game is guessed, too", async () => {
  await page.locator("#guess-own").click();
  await settled(page);
  assert.equal((await page.locator("#own-road #judged").innerText()).trim().split("\n")[0].trim(), "Guess the next move.");
  assert.equal(await page.locator("#next, #said, #board .candidate").count(), 0);
  for (const move of ["Q16", "D4"]) await play(page, move);
  assert.match(await page.locator("#own-road #judged").innerText(), /Right at the first try: 0 of 1 \(0 %\)/);
  assert.match(addressOf(page), /moves=B\[dp\]/);
  await page.locator("#own-road #reveal").click();
  await settled(page);
  assert.match(addressOf(page), /moves=B\[dp\] W\[pd\]/);
  await page.locator("#close-own").click();
  assert.equal(await page.locator("#own-road").count(), 0);
});

await check("tried moves stay as lines with comments and bookmarks, and are saved as one file", async () => {
  await go(page, "game=1&move=2");
  for (const move of ["R4", "C17"]) await play(page, move);
  await page.locator("#notes summary").click();
  assert.match(await page.locator("#notes").innerText(), /My lines \(\d\)/);
  await page.locator("#own-comment").fill("A joseki [old]");
  await page.locator("#mark").check();
  await settled(page);
  await press(page, "ArrowLeft");
  await play(page, "C4");
  const lines = (await page.locator("#notes li").allInnerTexts()).map((line) => line.replace(/\s+/g, " ").trim());
  assert.ok(lines.includes("★ 4 moves: … W D4, B R4, W C17 A joseki [old] ×"), lines.join("; "));
  assert.ok(lines.includes("4 moves: … W D4, B R4, W C4 ×"), lines.join("; "));
  const text = await savedBy(page, "#save-lines");
  assert.ok(text.includes(";B[qp]\n(;W[cc]C[A joseki [old\\]]HO[1])\n(;W[cp])"), text);
  await page.reload();
  await page.waitForSelector("#notes");
  await page.locator("#notes summary").click();
  assert.equal(await page.locator("#notes li").count(), lines.length);
  await page.locator("#notes li a", { hasText: "C17" }).click();
  await settled(page);
  assert.match(addressOf(page), /moves=B\[pd\] W\[dp\] B\[qp\] W\[cc\]/);
});

await check("lines that leave the user's own game are saved after it", async () => {
  await page.evaluate(() => localStorage.removeItem("sgfq-lines"));
  await go(page, "");
  await drop(page, "#board svg", "mine.sgf", "(;SZ[19]AB[dd][pp];W[dp];B[pd])");
  await page.waitForSelector("#own-road");
  await settled(page);
  assert.match(await page.locator("#own-road").innerText(), /No other game has a position/);
  await play(page, "Q10");
  await page.waitForFunction(() => JSON.parse(localStorage.getItem("sgfq-lines"))?.length === 1);
  if (!await page.locator("#notes").evaluate((notes) => notes.open)) await page.locator("#notes summary").click();
  const text = await savedBy(page, "#save-lines");
  assert.match(text, /^\(;FF\[4\]GM\[1\].*SZ\[19\]AB\[dd\]\[pp\]\n?\(;W\[dp\];B\[pd\]\)\n\(;B\[pj\]\)\)\n$/);
  await page.locator("#close-own").click();
});

await check("real games: the cursor follows, and two engines in turn have no drops", async () => {
  const real = await open(await serve(games), { colorScheme: "dark" });
  const rows = await real.evaluate(async () => {
    const answers = await import("./answers.js");
    return (await answers.answerTo("games", { all: true, count: 100 })).rows.map(({ id, name }) => [id, name]);
  });
  const idOf = (part) => rows.find(([, name]) => name.includes(part))[0];
  await go(real, `game=${idOf("t-shin")}&move=76`);
  const drops = await real.locator("#drops li").allInnerTexts();
  assert.match(drops[0].replace(/\s+/g, " "), /^Move 77, B L15 lost 23\.6 % and 2\.4 points$/);
  assert.equal(drops.length, 5);
  await real.locator("#engine a").first().click();
  await settled(real);
  assert.match(await real.locator("#stated").innerText(), /Black 45\.1 %/);
  await go(real, `game=${idOf("Gibo14")}&move=70`);
  assert.equal(await real.locator("#drops").count(), 0);
  assert.match(await real.locator("#curve").innerText(), /no engine evaluated the\s+position before and after it/);
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    await real.setViewportSize({ width, height });
    await settled(real);
    assert.ok(await real.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await picture(real, `curve-${width}`, { fullPage: true });
  }
  await real.context().close();
});

await finish();
