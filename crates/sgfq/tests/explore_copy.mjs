// Copies of positions and lists in the page of `sgfq explore`.
//
//   node explore_copy.mjs SGFQ GAMES [FOLDER FOR PICTURES]
//
// Needs what explore_support.mjs needs. GAMES is `web/explorer/sample`.

import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { check, finish, games, go, listed, open, picture, pictures, run, savedBy, scratch, serve, settled,
  written } from "./explore_support.mjs";

const archive = join(scratch, "games");
await cp(games, archive, { recursive: true });
await written("games/wrong.sgf", "(;FF[4]GM[1]SZ[9]PB[Ada]KM[much];B[ee];W[ee])");
const address = await serve(archive);

/// The board of the command's output: without the title, the next nodes and the comment.
const boardOf = (args, input = undefined) => run(["board", "--no-next", ...args], input).split("\n").slice(1).join("\n");

const page = await open(address);

/// Copies a form of the position, and returns the text of the clipboard.
async function copied(form) {
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await page.click("#copy-board");
  await page.click(`#copy-${form}`);
  let text = "";
  for (let tries = 0; !text && tries < 50; tries += 1) {
    await page.waitForTimeout(50);
    text = await page.evaluate(() => navigator.clipboard.readText());
  }
  return text;
}

const gamesIn = (sgf) => sgf.split("(;FF[4]").length - 1;

await check("a position as SGF: the stones and the side to move, by the keyboard alone", async () => {
  await go(page, "board=Go 19x19&moves=B[pd] W[qf] B[nc]");
  await page.focus("#copy-board");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.id), "copy-sgf");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#toast").textContent === "Copied: SGF.");
  const sgf = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(sgf, /^\(;FF\[4\]GM\[1\].*SZ\[19\].*AB\[nc\]\[pd\]AW\[qf\]PL\[W\]\)\s*$/);
  assert.equal(run(["check", "--legality", "--level", "note", "-f", "short"], sgf), "");
  // The last move has a mark only where there are moves.
  assert.equal(boardOf([], sgf).replace(/[() ]/g, ""), (await copied("text")).replace(/[() ]/g, ""));
  assert.equal(await page.evaluate(() => document.activeElement.id), "copy-board");
});
await check("Escape closes the menu, and keeps the view", async () => {
  await page.click("#copy-board");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#tools details[open]").count(), 0);
  assert.match(await page.evaluate(() => decodeURIComponent(location.hash)), /nc/);
});
await check("a node of a game as the command draws it: text and picture", async () => {
  const file = join(archive, "joseki.sgf");
  await go(page, "list=games&search=corner");
  await page.locator("#list tbody a").first().click();
  await settled(page);
  for (const path of ["/0", "0.0.0/2", "1/0"]) {
    const game = await page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("game"));
    await go(page, `game=${game}&path=${path}`);
    const own = boardOf(["--node", path, file]);
    const text = await copied("text");
    assert.ok(text.length > 400 && own.startsWith(text), `${path}:\n${text}\n${own}`);
    const drawn = run(["board", "-f", "svg", "--node", path, file]);
    const stones = (svg) => svg.match(/<g class="stones">.*?<\/g>/s)[0];
    const svg = await copied("svg");
    assert.equal(stones(svg), stones(drawn));
    assert.match(svg, /^<svg xmlns=.*<style>/s);
  }
});
await check("a position as an image: twice the size of the picture, with a dark stone", async () => {
  await go(page, "board=Go 19x19&moves=B[qd] W[dc]");
  await page.click("#copy-board");
  await page.click("#copy-png");
  await page.waitForFunction(() => document.querySelector("#toast").textContent === "Copied: Image (PNG).");
  const [width, height, light, dark] = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const image = await createImageBitmap(await item.getType("image/png"));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const svg = document.querySelector("#board .picture svg");
    const [black, white] = ["black", "white"].map((name) => svg.querySelector(`.stones .${name}`));
    const at = (stone) => [...context.getImageData(2 * Number(stone.getAttribute("cx")),
      2 * Number(stone.getAttribute("cy")), 1, 1).data].slice(0, 3).reduce((sum, part) => sum + part, 0) / 3;
    return [image.width, image.height, at(white), at(black)];
  });
  assert.ok(width > 800 && height > 800, `${width}x${height}`);
  assert.ok(dark < 90 && light > 170, `dark ${dark}, light ${light}`);
});
await check("a link shows the same position", async () => {
  const link = await copied("link");
  const other = await page.context().newPage();
  await other.goto(link);
  await other.waitForSelector("#list tbody tr");
  await settled(other);
  assert.equal(await other.locator("#moves li").count(), 2);
  await other.close();
});
await check("each list is saved as SGF: games, said, a person, a pair, findings", async () => {
  await go(page, "list=games");
  assert.equal(gamesIn(await savedBy(page, "#games .save-list")), 18);
  await go(page, "board=Go 19x19&moves=B[qd] W[dc]");
  assert.equal(gamesIn(await savedBy(page, "#games .save-list")), await listed(page));
  await go(page, "board=Go 19x19&moves=B[pd]");
  await page.waitForSelector("#said .save-list");
  const said = await savedBy(page, "#said .save-list");
  assert.ok(gamesIn(said) === 1 && said.includes("GN[Corner openings]"), said.slice(0, 200));
  await go(page, "list=players&person=Honinbo Shusaku");
  await page.waitForSelector(".person .save-list");
  assert.equal(gamesIn(await savedBy(page, ".person .save-list")), 3);
  await go(page, "list=players&person=Honinbo Shusaku&against=Ota Yuzo");
  await page.waitForSelector("#pair .save-list");
  assert.equal(gamesIn(await savedBy(page, "#pair .save-list")), 1);
  await go(page, "list=findings");
  await page.locator("#findings details summary").first().click();
  const wrong = await savedBy(page, "#findings details[open] .save-list");
  assert.ok(gamesIn(wrong) === 1 && wrong.includes("PB[Ada]"));
});
await check("the menu fits on a phone", async () => {
  const phone = await open(address, { viewport: { width: 390, height: 844 } });
  await go(phone, "board=Go 19x19&moves=B[pd]");
  await phone.click("#copy-board");
  const box = await phone.locator("#tools .items").boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
  await picture(phone, "copy-phone");
  await phone.close();
});
if (pictures) {
  for (const colorScheme of ["light", "dark"]) {
    const wide = await open(address, { colorScheme });
    await go(wide, "board=Go 19x19&moves=B[pd]");
    await wide.click("#copy-board");
    await picture(wide, `copy-${colorScheme}`);
    await wide.close();
  }
}

await finish();
