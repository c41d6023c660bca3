// What the page of `sgfq explore` tells of persons.
//
//   node explore_people.mjs SGFQ GAMES [FOLDER FOR PICTURES]
//
// Needs what explore_support.mjs needs. GAMES has games of Go with names, in any order.

import assert from "node:assert/strict";
import { check, finish, games as archive, go, listed, number, open, picture, rowsOf, serve, settled,
  stateOf } from "./explore_support.mjs";

const page = await open(await serve(archive));

/// The person with the most games, and the most frequent opponent.
const [most] = rowsOf("players", "--top", "1", "-q", archive);
const against = most.most_frequent.replace(/ \(\d+\).*/, "");
const pair = rowsOf("players", "--player", most.player, "--against", against, "-q", archive);

await check("ten names of `get pb` are found in Players", async () => {
  const names = [...new Set(rowsOf("get", "pb", "-q", archive).map((row) => row.pb).filter(Boolean))];
  const shuffled = names.map((name) => [Math.random(), name]).sort(([one], [other]) => one - other);
  await go(page, { list: "players" });
  for (const [, name] of shuffled.slice(0, 10)) {
    const [row] = rowsOf("players", "--player", name, "-q", archive);
    await page.fill("#search", row.player);
    const found = page.locator("#players tbody tr").filter({ has: page.getByRole("link", { name: row.player, exact: true }) });
    await found.first().waitFor({ timeout: 20_000 });
    assert.equal(number(await found.first().locator("td").first().innerText()), row.games, name);
  }
});

await check("Players leads to a person, whose numbers are those of `players`", async () => {
  await go(page, { list: "players" });
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
  await picture(page, "person", { fullPage: true });
});

await check("openings are small boards that lead to their games", async () => {
  // The games of the person with the most games may begin with stones.
  const [{ player }] = rowsOf("players", "--openings", "4", "--top", "1", "-q", archive);
  await go(page, { person: player });
  const first = page.locator(".openings a").first();
  await first.waitFor();
  const box = await page.locator(".small-board svg").first().boundingBox();
  assert.ok(Math.abs(box.width - 90) < 1, `${box.width}`);
  const says = await first.getAttribute("aria-label");
  const games = number(/([\d,]+) games?/.exec(says)[1]);
  await first.click();
  await page.waitForSelector("#list tbody tr");
  await settled(page);
  assert.ok(await listed(page) >= games && games > 0, says);
  assert.equal(stateOf(page).player, `"${player}"`);
});

await check("the address of two persons shows their games, as `players --against`", async () => {
  await go(page, { person: most.player, against });
  await page.waitForSelector("#pair-games tbody tr");
  const [all, ...more] = pair;
  const rows = await page.locator("#pair .record tbody tr").evaluateAll((trs) => trs.map((tr) => [...tr.querySelectorAll("td")]
    .slice(0, 3).map((cell) => cell.innerText)));
  const expected = [all, ...more.filter((row) => !row.reference)].map((row) => [row.games, row.won, row.lost]);
  assert.deepEqual(rows.map((row) => row.map(number)), expected);
  const list = more.filter((row) => row.reference);
  while (await page.locator("#pair .more").count()) {
    await page.locator("#pair .more").click();
    await settled(page);
  }
  const dates = await page.locator("#pair-games td.date").allInnerTexts();
  assert.deepEqual(dates, list.map((row) => row.dt ?? ""));
  assert.deepEqual(await page.locator("#people h2").allInnerTexts(), [`${most.player} – ${against}: ${all.games} game${all.games === 1
    ? "" : "s"}`, most.player, against]);
  await picture(page, "pair", { fullPage: true });
});

await check("a second name is typed, persons are exchanged, and keys open a game", async () => {
  await go(page, { person: most.player });
  await page.locator("#search").fill(against);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#pair-games tbody tr");
  assert.equal(stateOf(page).against, against);
  await page.getByRole("link", { name: "Swap" }).click();
  await settled(page);
  assert.deepEqual([stateOf(page).person, stateOf(page).against], [against, most.player]);
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
  await go(page, { list: "games" });
  await page.locator("#edit-filters").click();
  await page.fill("#player", `"${most.player}"`);
  await page.fill("#opponent", `"${against}"`);
  await page.locator("#apply").click();
  await page.waitForSelector(".chip >> text=against");
  await settled(page);
  assert.equal(await listed(page), pair[0].games);
});

await check("a name that no game has leads to names that are there", async () => {
  await go(page, { person: `${most.player}x` });
  await page.getByRole("link", { name: "All players" }).last().waitFor();
  assert.match(await page.locator("#people .empty").innerText(), /No game names/);
  await go(page, { person: most.player, against: "nobody at all" });
  assert.match(await page.locator("#pair .empty").innerText(), /no games against each other/);
});

await check("the page of two persons fits a narrow window", async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await go(page, { person: most.player, against });
  await page.waitForSelector("#pair-games tbody tr");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await picture(page, "narrow", { fullPage: true });
});

await finish();
