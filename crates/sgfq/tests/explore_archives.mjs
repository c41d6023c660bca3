// The page of `sgfq explore` on archives of real games: letters, circles, tints, and the print of a game.
//
//   node explore_archives.mjs SGFQ FOLDER
//
// Needs what explore_support.mjs needs. FOLDER has the archives joseki.tar.zst, nongo.tar.zst and go-pro.tar.zst.

import assert from "node:assert/strict";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { ask, check, finish, games as folder, go, listed, middle, number, open, rowsOf, scriptClock, serve, settled,
  turnWheel } from "./explore_support.mjs";

/// Opens the page of an archive.
const openArchive = async (name, ...more) => open(await serve(...more, join(folder, name)));

/// The nodes of a game tree that have labels and continue, with their paths.
function labeled(tree, path = []) {
  const own = tree.nodes.flatMap((node, at) => {
    const labels = node.find(([ident]) => ident === "LB")?.slice(1).flat() ?? [];
    const isLast = at === tree.nodes.length - 1 && tree.children.length === 0;
    return labels.length && !isLast ? [{ path: `${path.join(".")}/${at}`, labels }] : [];
  });
  return [...own, ...tree.children.flatMap((child, at) => labeled(child, [...path, at]))];
}

await check("joseki: on 100 nodes, no letter differs from the label of its point", async () => {
  const page = await openArchive("joseki.tar.zst", "--variations");
  const { rows } = await ask(page, "games", { all: true });
  const all = rowsOf("tree", join(folder, "joseki.tar.zst")).flatMap(({ file, tree }) => {
    const game = rows.find((row) => row.name.startsWith(file));
    return game ? labeled(tree[0]).map((node) => ({ ...node, id: game.id })) : [];
  });
  assert.ok(all.length > 100, `${all.length} nodes with labels`);
  let [nodes, letters, rings] = [0, 0, 0];
  for (let at = 0; at < 100; at += 1) {
    const { id, path, labels } = all[Math.floor((at * all.length) / 100)];
    await go(page, `game=${id}&path=${path}&variations=true`);
    const { points } = await ask(page, "game", { id, path });
    const places = new Map(points.all.map(([name, , x, y]) => [name, [x, y]]));
    const shown = await page.evaluate(() => [".picture text.mid", ".candidate text", ".candidate.ring .size"].map((selector) =>
      [...document.querySelectorAll(`#board ${selector}`)].map((part) => [Number(part.getAttribute("x") ?? part.getAttribute("cx")),
        Number(part.getAttribute("y") ?? part.getAttribute("cy")), part.textContent])));
    const near = (all, [x, y]) => all.filter((part) => Math.hypot(part[0] - x, part[1] - y) < points.radius);
    const used = new Set(labels.map((value) => value.split(":")[1].toUpperCase()));
    for (const value of labels) {
      const [point, label] = value.split(":");
      const place = places.get(point);
      const drawn = near(shown[0], place).map((part) => part[2]);
      assert.ok(drawn.some((text) => label.startsWith(text.replace("…", ""))), `${path} ${value}: ${drawn}`);
      assert.deepEqual(near(shown[1], place), [], `${path} ${value}`);
      rings += near(shown[2], place).length;
    }
    for (const [, , letter] of shown[1]) assert.ok(!used.has(letter), `${path}: ${letter} twice`);
    letters += shown[1].length;
    nodes += 1;
  }
  console.log(`      ${nodes} nodes, ${rings} rings on labels, ${letters} other letters`);
  assert.ok(nodes === 100 && rings > 100);
  await page.context().close();
});
await check("joseki: a step in a large tree is under 16 ms of script, and the tree is that of a reload", async () => {
  const page = await openArchive("joseki.tar.zst");
  const script = await scriptClock(page);
  const { rows } = await ask(page, "games", { all: true });
  const drawn = () => page.locator("#game .tree").evaluate((tree) =>
    [tree.innerHTML, tree.scrollLeft, tree.scrollTop, tree.querySelectorAll("a").length]);
  let large = 0;
  for (const { id } of rows) {
    const { nodes, tree } = await ask(page, "game", { id, path: "/0" });
    assert.equal(tree.is_cut, nodes > 2000);
    if (!tree.is_cut) continue;
    large += 1;
    const times = [];
    for (let run = 0; run < 2; run += 1) {
      await go(page, `game=${id}&path=/0`);
      const before = await script();
      let [seed, steps] = [11, 0];
      for (let presses = 0; presses < 40; presses += 1) {
        seed = (seed * 1103515245 + 12345) % 2 ** 31;
        const address = page.url();
        await page.keyboard.press(["ArrowRight", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowLeft"][(seed >> 8) % 6]);
        await page.waitForTimeout(150);
        if (page.url() !== address) steps += 1;
      }
      assert.ok(steps > 20, `${steps} steps`);
      times.push((await script() - before) / steps);
    }
    await settled(page);
    assert.equal(await page.locator("#game .tree a.at").count(), 1);
    const walked = await drawn();
    await page.reload();
    await page.waitForSelector("#game .tree a.at");
    await settled(page);
    assert.deepEqual(walked, await drawn());
    console.log(`      ${nodes} nodes, ${walked[3]} drawn; script ${times.map((time) => time.toFixed(1)).join(", ")} ms a step`);
    assert.ok(Math.min(...times) < 16, `${times}`);
  }
  assert.ok(large >= 3, `${large} large trees`);
  await page.context().close();
});
await check("nongo: a click on each of the first five circles is a click on its row, on all boards", async () => {
  const page = await openArchive("nongo.tar.zst");
  const { boards } = await ask(page, "status", {});
  let [used, clicks] = [0, 0];
  for (const board of boards) {
    const start = `board=${encodeURIComponent(board)}`;
    await go(page, start);
    const circles = await page.locator("#board .candidate .size").count();
    if (circles) used += 1;
    for (let at = 0; at < Math.min(5, circles); at += 1) {
      await go(page, start);
      const box = await page.locator("#board .candidate .size").nth(at).boundingBox();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      const row = page.locator("#next tbody tr.hovered").first();
      const games = number(await row.locator("td.number").first().innerText());
      const to = await row.locator("a").first().getAttribute("href");
      await page.mouse.click(x, y);
      await settled(page);
      assert.equal(await page.evaluate(() => location.hash), to, `${board}, circle ${at + 1}`);
      assert.equal(await listed(page), games, `${board}, circle ${at + 1}`);
      clicks += 1;
    }
  }
  console.log(`      ${boards.length} boards, ${used} with circles, ${clicks} clicks`);
  assert.ok(boards.length > 10 && clicks > 40);
  await page.context().close();
});

const pro = await openArchive("go-pro.tar.zst");
await check("go-pro: a circle has a tint exactly if its interval excludes the mean", async () => {
  const counts = { good: 0, bad: 0, even: 0 };
  for (const moves of ["", "B[pd]", "B[pd] W[dd]", "B[pd] W[dp]", "B[qd]", "B[qd] W[dc]", "B[pd] W[dd] B[pq]", "B[pd] W[qf]"]) {
    await go(pro, `board=${encodeURIComponent("Go 19x19")}&moves=${moves}`);
    const { replies, mean } = await ask(pro, "position", { board: "Go 19x19", moves });
    const tints = await pro.locator("#board .candidate").evaluateAll((all) => all.map((each) =>
      ["good", "bad", "even"].filter((name) => each.classList.contains(name)).join()));
    const firsts = new Map(replies.filter((reply) => reply.field).map((reply) => [`${reply.field}`, reply]).reverse());
    const shown = replies.filter((reply) => reply.field && firsts.get(`${reply.field}`) === reply).slice(0, tints.length);
    assert.ok(tints.length > 0, moves);
    shown.forEach(({ color, black_low: low, black_high: high }, at) => {
      const isOutside = low !== null && (mean < low || mean > high);
      const expected = !isOutside ? "even" : (low > mean) === (color === "B") ? "good" : "bad";
      assert.equal(tints[at], expected, `${moves} ${shown[at].next}: ${low}–${high}, mean ${mean}`);
      counts[expected] += 1;
    });
  }
  console.log(`      ${JSON.stringify(counts)}`);
  assert.ok(counts.even > 0 && counts.good + counts.bad > 0);
});

/// The filled shapes of a PDF: their colors as parts of 1, and their widths and heights in units of their pages.
function filled(pdf) {
  const shapes = [];
  const text = pdf.toString("latin1");
  for (const found of text.matchAll(/<<[^]*?>>\s*stream\r?\n/g)) {
    const length = Number(/\/Length (\d+)/.exec(found[0])?.[1]);
    const start = found.index + found[0].length;
    if (!length || !/FlateDecode/.test(found[0])) continue;
    const content = inflateSync(pdf.subarray(start, start + length)).toString("latin1");
    let [color, path, numbers] = [[0, 0, 0], [], []];
    for (const part of content.split(/\s+/)) {
      if (/^[-+.\d]+$/.test(part)) {
        numbers.push(Number(part));
        continue;
      }
      if (part === "rg") color = numbers;
      else if (["m", "l", "c"].includes(part)) path.push({ isCurve: part === "c", x: numbers.at(-2), y: numbers.at(-1) });
      else if (["f", "f*", "B", "B*"].includes(part) && path.length) {
        const [xs, ys] = [path.map((each) => each.x), path.map((each) => each.y)];
        const [width, height] = [Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)];
        shapes.push({ color, width, height, isRound: path.filter((each) => each.isCurve).length >= 4 });
      }
      if (["f", "f*", "B", "B*", "S", "n"].includes(part)) path = [];
      numbers = [];
    }
  }
  return shapes;
}

await check("print: the PDF of a game has a dark first black move", async () => {
  await go(pro, `board=${encodeURIComponent("Go 19x19")}&moves=`);
  const { rows } = await ask(pro, "games", { board: "Go 19x19", moves: "B[qd]", count: 1 });
  await go(pro, `game=${rows[0].id}&path=/1`);
  const played = await pro.locator("#board .picture .stones .black, #board .picture .black").count();
  assert.equal(played, 1);
  const shapes = filled(await pro.pdf());
  // The moves of the list have small stones, in their order.
  const stones = shapes.filter(({ isRound, width, height }) => isRound && Math.min(width, height) > 6 && Math.max(width, height) < 9);
  const isDark = stones.map(({ color }) => Math.max(...color) < 0.35);
  console.log(`      ${shapes.length} shapes, ${stones.length} moves`);
  assert.ok(stones.length > 50 && isDark[0] && !isDark[1] && isDark[2]);
});
await check("wheel: it walks a game of the archive, and the page stays", async () => {
  await go(pro, (await pro.evaluate(() => location.hash)).slice(1));
  const { x, y } = await middle(pro, 9, 9);
  await pro.mouse.move(x, y);
  await turnWheel(pro, [[100, 2], [100, 3], [-100, 2]]);
});

await finish();
