// Accessibility of the page of `sgfq explore`: axe finds nothing against WCAG 2.2, levels A and AA, in any view, at two widths,
// in light and dark.
//
//   node explore_axe.mjs SGFQ GAMES
//
// Needs what explore_support.mjs needs, and the package axe-core. GAMES has games of Go.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { check, finish, games, go, open, serve } from "./explore_support.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules = { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] };
const views = {
  start: {},
  position: { moves: "B[pd]" },
  pattern: { pattern: "X", list: "games" },
  games: { list: "games" },
  players: { list: "players" },
  findings: { list: "findings" },
  charts: { list: "charts" },
  game: { game: "0" },
  "a move of a game": { game: "0", move: "20" },
  "a move that was tried": { game: "1", path: "/3" },
};
const address = await serve(games);

for (const colorScheme of ["light", "dark"]) {
  for (const width of [390, 1440]) {
    const page = await open(address, { viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
    await page.evaluate(axe);
    for (const [name, changes] of Object.entries(views)) {
      await check(`${name}, ${width} px, ${colorScheme}`, async () => {
        await go(page, changes);
        const { violations } = await page.evaluate((rules) => window.axe.run(document, rules), rules);
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0].html} (${nodes.length})`);
        assert.deepEqual(found, []);
      });
    }
    await page.context().close();
  }
}
await finish();
