// What the page of `sgfq explore` tells of words: remarks about a position, and the lines of the user's own game.
//
//   node explore_words.mjs SGFQ GAMES [FOLDER FOR PICTURES]
//
// Needs what explore_support.mjs needs. GAMES has commented games of Go.

import assert from "node:assert/strict";
import { check, finish, games, go, open, paste, picture, rowsOf, serve, settled, written } from "./explore_support.mjs";

const file = await written("words.sgf", `(;SZ[19]PB[Ada]PW[Finn]DT[2001]RE[B+R];B[pd];W[dp]C[Black has 'a' or 'b'.]LB[qf:a][dc:b](;B[dd]TE[1];W[pp])(;B[aa]BM[1]))
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

await check("keys reach a long remark and a long comment, to scroll them", async () => {
  const remarks = ["short", "long\n".repeat(60)];
  const page = await open(await serve(await written("long.sgf", remarks.map((text) => `(;SZ[9];B[ee]C[${text}])`).join("\n"))));
  await go(page, "moves=B[ee]");
  const boxes = page.locator("#said .words");
  const focus = async () => (await boxes.evaluateAll((all) => all.map((box) => [box.innerText.slice(0, 4), box.tabIndex]))).sort();
  assert.deepEqual(await focus(), [["long", 0], ["shor", -1]]);
  for (const [game, tabIndex] of [[0, -1], [1, 0]]) {
    await go(page, { game, path: "/1" });
    assert.equal(await page.locator("#comment").evaluate((box) => box.tabIndex), tabIndex);
  }
  await page.context().close();
});

await check("the page and `find --said` tell the same of the archive", async () => {
  const page = await open(await serve(games));
  const moves = "B[pd]";
  const expected = rowsOf("find", "--said", "--position", moves, games).filter((row) => !row.next);
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
  await picture(page, "said");
});

await check("a pasted game shows where it leaves the archive", async () => {
  await go(words, "");
  await paste(words, "(;SZ[19];B[pd];W[dp];B[dd];W[pq];B[qq])");
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
  await picture(words, "road");
});

await finish();
