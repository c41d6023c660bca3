// Parts of the page of `sgfq explore` that need no browser: node --test explore_views.mjs

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";

const assets = new URL("../src/commands/explore/assets/", import.meta.url);
const load = (name) => import(new URL(name, assets).href);
const { candidateAt, candidatesOf, lettered } = await load("board.js");
const { eventOf, shortName } = await load("format.js");
const { cornerAt } = await load("shape.js");
const { capturedMoves, nextPaths, stepAlong, variationBeside } = await load("game.js");
const { Locked, Refused, createClient } = await load("ask.js");
const { hasLeftOwn, isGuessing, leftAt, wordsOf } = await load("road.js");
const { NO_OWN, aheadOf, condition, href, question, stateOf } = await load("state.js");
const { filterAt, setupName, startAt, startsOf, withStone, withTurn } = await load("start.js");
const { requestsOf, withLine } = await load("notes.js");
const { dropsOf, duration, pathOf } = await load("curve.js");
const { barsOf } = await load("people.js");
const { areaAround, areaOf, hasArea } = await load("tree.js");

const reply = (column, row, more = {}) => ({ field: [column, row], color: "B", share: 0.5, ...more });

test("labels and marks of the record keep their points and their letters", () => {
  const marks = [{ column: 1, row: 0, label: "a", mark: null }, { column: 2, row: 0, label: null, mark: "triangle" }];
  const replies = lettered([reply(0, 0), reply(1, 0), reply(2, 0), reply(1, 0, { color: "W" }), reply(3, 0),
    { field: null, next: "end" }], marks);
  assert.deepEqual(replies.map(({ label }) => label), ["B", "a", "△", "a", "C", ""]);
  assert.deepEqual(replies.map(({ isMarked }) => isMarked), [false, true, true, true, false, false]);
  const candidates = candidatesOf(replies, 0.5);
  assert.deepEqual(candidates.map(({ place }) => place), ["0,0", "1,0", "2,0", "3,0"]);
  assert.equal(candidateAt(candidates, ["ba", "B9", 0, 0, 1, 0]).reply, replies[1]);
});

test("a circle has a tint only if its interval excludes the mean", () => {
  const tints = (color, low, high, mean) => candidatesOf([reply(0, 0, { color, black_low: low, black_high: high })], mean)[0].tint;
  assert.deepEqual([tints("B", 0.52, 0.6, 0.5), tints("B", 0.4, 0.49, 0.5)], ["good", "bad"]);
  assert.deepEqual([tints("W", 0.52, 0.6, 0.5), tints("W", 0.4, 0.49, 0.5)], ["bad", "good"]);
  assert.deepEqual([tints("B", 0.2, 1, 0.5), tints("W", 0, 0.79, 0.5), tints("B", 0.5, 0.6, 0.5)], ["even", "even", "even"]);
  assert.deepEqual([tints("B", null, null, 0.5), tints("B", 0.6, 0.7, null)], ["even", "even"]);
});

test("a captured move names the stone on its point, or the point", () => {
  const steps = ["B A1", "W B1", "B pass", "W A2", "B A1"].map((move, at) => ({ path: `/${at + 1}`, number: at + 1, move }));
  const all = [["aa", "A1", 0, 0, 0, 0], ["ba", "B1", 0, 0, 1, 0], ["ab", "A2", 0, 0, 0, 1]];
  const node = { points: { all }, numbers: [[0, 0, 5], [0, 1, 4]], line: [{ path: "/0", number: null, move: null }, ...steps], at: 5 };
  assert.deepEqual(capturedMoves(node), ["1 at 5", "2 at B1"]);
  assert.deepEqual(capturedMoves({ ...node, at: 1, numbers: [[0, 0, 1]] }), []);
});

test("keys reach each variation of a move, and after the last one the first", () => {
  const nodes = [0, 1, 2, 12].map((number) => ({ path: `0.${number}/0` }));
  const walk = (by) => nodes.map((node) => variationBeside({ ...node, others: nodes.filter((other) => other !== node) }, by).path);
  assert.deepEqual(walk(1), ["0.1/0", "0.2/0", "0.12/0", "0.0/0"]);
  assert.deepEqual(walk(-1), ["0.12/0", "0.0/0", "0.1/0", "0.2/0"]);
});

test("the name of a game begins with the input that the user named", () => {
  const inputs = ["/data/go", "/data/go/pro.zip", "old/"];
  const names = ["/data/go/a/b.sgf#1", "/data/go/pro.zip!c.sgf", "old/d.sgf", "/data/gone/e.sgf"];
  assert.deepEqual(names.map((name) => shortName(name, inputs)), ["go/a/b.sgf#1", "pro.zip!c.sgf", "old/d.sgf", "/data/gone/e.sgf"]);
  assert.deepEqual(["null", "", undefined, "Cup"].map(eventOf), ["", "", "", "Cup"]);
});

test("the corner at a point is a pattern with its edges", () => {
  const rows = [".....", ".X...", ".....", ".....", "...O."];
  assert.deepEqual(cornerAt(rows, [1, 1]), { pattern: "--\n|..\n|.X", at: "0,0", mover: "" });
  assert.deepEqual(cornerAt(rows, [3, 4]), { pattern: "..|\nO.|\n--", at: "3,3", mover: "" });
});

test("a curve has gaps where values are missing, and the worst moves come first", () => {
  assert.equal(pathOf([1, 2, null, 3, undefined, 4, 5]), "M0 1L1 2M3 3h.01M5 4L6 5");
  assert.equal(pathOf([undefined, 0]), "M1 0h.01");
  const line = [0.1, null, -0.3, 0.4, 0, 0.1, 0.2, 0.05, 0.3].map((cost, number) => ({ number, evaluation: { cost } }));
  assert.deepEqual(dropsOf([{ number: 9 }, ...line]).map(({ number }) => number), [3, 8, 6, 0, 5]);
  assert.deepEqual([0, 4.25, 59.97, 125, 3725].map(duration), ["0 s", "4.3 s", "60 s", "2:05", "1:02:05"]);
});

test("bars of years have one width and all games", () => {
  const years = (...all) => all.map(([name, games]) => ({ name: `${name}`, games, won: 1 }));
  assert.deepEqual(barsOf([]), []);
  assert.deepEqual(barsOf(years([1990, 2], [1992, 3])).map((bar) => [bar.from, bar.to, bar.games, bar.won]),
    [[1990, 1990, 2, 1], [1991, 1991, 0, 0], [1992, 1992, 3, 1]]);
  const long = barsOf(years([1699, 1], [1700, 1], [2024, 4]));
  assert.ok(long.length <= 41 && new Set(long.map((bar) => bar.to - bar.from)).size === 1);
  assert.deepEqual([long[0].from, long.at(-1).to], [1690, 2029]);
  assert.equal(long.reduce((sum, bar) => sum + bar.games, 0), 6);
});

test("brushes change the setup at the end of a position", () => {
  const clicks = (words, ...all) => all.reduce((after, [brush, point, hasStone]) => withStone(after, brush, point, hasStone), words);
  assert.deepEqual(clicks([], ["AB", "pd"], ["AB", "dp"], ["AW", "dd"]), ["AB[pd][dp]", "AW[dd]"]);
  assert.deepEqual(clicks(["AB[pd][dp]", "PL[W]"], ["AW", "dp"], ["AB", "pd"]), ["AW[dp]", "PL[W]"]);
  assert.deepEqual(clicks(["AB[aa]", "B[pd]"], ["AE", "pd", true], ["AE", "qq", false]), ["AB[aa]", "B[pd]", "AE[pd]"]);
  assert.deepEqual(clicks(["AB[aa:cc]"], ["AE", "bb", true], ["AE", "bb", false]), ["AB[aa:cc]"]);
  assert.deepEqual([withTurn(["PL[W]"], "B"), withTurn(["B[aa]"], "W"), withTurn(["PL[W]"], "")], [["PL[B]"], ["B[aa]", "PL[W]"], []]);
  assert.deepEqual(["AB[pd][dp]", "AW[dd]", "AE[aa:cc]", "PL[W]", "BO[33]"].map(setupName),
    ["2 black stones", "1 white stone", "removed stones", "White plays", "BO[33]"]);
});

test("starts are listed by board, and none is left out", () => {
  const start = (board, games, moves, more = {}) => ({ board, games, moves, handicap: 0, black: 0, white: 0, setups: 1, ...more });
  const starts = startsOf({ games: 92, boards: ["Hex 11x11", "Go 19x19"], starts: [start("Go 19x19", 3, "", { handicap: 2 }),
    start("Go 19x19", 9, "AB[dp][pd]", { handicap: 2, black: 2 }), start("Go 19x19", 5, ""),
    start("Go 19x19", 2, "AB[aa] AW[bb]", { black: 1, white: 1 }), start("Go 19x19", 70, null, { setups: 60 })] });
  assert.deepEqual(starts.map(({ name, games, words }) => [name, games, words?.join(" ")]), [["Go 19x19", 5, ""],
    ["Go 19x19, handicap 2, no setup", 3, ""], ["Go 19x19, 2 stones", 9, "AB[dp][pd]"],
    ["Go 19x19, 1 black and 1 white stone", 2, "AB[aa] AW[bb]"], ["Go 19x19, 60 other setups", 70, undefined], ["Hex 11x11", 0, ""],
    ["No known board", 3, undefined]]);
  const { where } = starts[1];
  const named = (words, filter) => startAt(starts, "Go 19x19", words, filter)?.name;
  assert.deepEqual([named([], ""), named([], where), named(["AB[dp][pd]", "W[qf]"], "")],
    ["Go 19x19", "Go 19x19, handicap 2, no setup", "Go 19x19, 2 stones"]);
  const filtered = filterAt("km = 0 OR km = 1", starts[0], starts[1]);
  assert.deepEqual([filtered, filterAt(filtered, starts[1], starts[0]), filterAt(where, starts[1], starts[0])],
    [`(km = 0 OR km = 1) AND ${where}`, "km = 0 OR km = 1", ""]);
});

test("a line replaces the shorter lines that it goes on from, unless they have a comment or a bookmark", () => {
  const line = (words, more = {}) => ({ board: "Go 9x9", words, ...more });
  const grown = ["B[aa]", "B[aa] W[bb]", "B[aa]"].reduce((lines, words) => withLine(lines, line(words)), []);
  assert.deepEqual(grown, [line("B[aa] W[bb]")]);
  const noted = withLine(grown, line("B[aa]", { comment: "good" }));
  assert.deepEqual(withLine(noted, line("B[aa] W[bb] B[cc]")), [line("B[aa]", { comment: "good" }), line("B[aa] W[bb] B[cc]")]);
  assert.deepEqual(withLine(noted, line("B[aa]")), grown);
  assert.equal(withLine(grown, { board: "Go 19x19", words: "B[aa]" }).length, 2);
  const asked = requestsOf([line("AB[aa] B[bb]"), line("B[cc]", { marked: true }), line("AB[aa] B[dd]")]);
  assert.deepEqual(asked.map(({ moves, lines }) => [moves, ...lines.map((each) => each.moves)]), [["AB[aa]", "B[bb]", "B[dd]"],
    ["", "B[cc]"]]);
});

test("a tree draws the same part for most neighbors, and all that is in view", () => {
  const all = areaOf([["/0", 0, 0], ["/1", 1, 0], ["1/0", 2, 40]]);
  assert.deepEqual(all, { left: 0, top: 0, right: 3, low: 41 });
  assert.deepEqual([areaAround(8, 0), areaAround(15, 7)].map(({ left, top, right, low }) => [left, top, right, low]),
    [[-16, -13, 40, 21], [-16, -13, 40, 21]]);
  const view = (left, top) => ({ left, top, right: left + 18, low: top + 12.5 });
  assert.ok(hasArea(areaAround(0, 0), view(0, 0), all));
  assert.ok(!hasArea(areaAround(0, 0), view(0, 20), all));
  assert.ok(hasArea(areaAround(0, 26), view(0, 20), all) && hasArea(areaAround(0, 40), view(0, 28.5), all));
});

test("an address and the state that it contains are the same", () => {
  const state = stateOf("#board=Go+9x9&moves=B%5Bcc%5D+W%5Bdd%5D&swap=true&player=%22O%27Hara%22&komi=6.5&from=nonsense");
  assert.deepEqual([state.board, state.moves, state.swap, state.tried, state.list], ["Go 9x9", ["B[cc]", "W[dd]"], true, [], ""]);
  assert.deepEqual(stateOf(href({}, state)), state);
  assert.deepEqual(stateOf(href({ moves: [], swap: false }, state)), { ...state, moves: [], swap: false });
  assert.equal(condition(state), "player = 'O''Hara' AND km = 6.5");
  const asked = (changes) => JSON.parse(JSON.stringify(question({ ...state, player: "", komi: "", ...changes })));
  assert.deepEqual(asked({ sort: "dt", search: "ko" }),
    { board: "Go 9x9", moves: "B[cc] W[dd]", where: "", swap_colors: true, sort: "dt" });
  assert.deepEqual(asked({ list: "games", search: "ko", pattern: "X" }), { all: true, where: "", swap_colors: true, search: "ko" });
});

test("moves that the user took back stay ahead while the position stays on their line", () => {
  const at = (moves, board = "") => ({ ...stateOf(""), moves, board });
  const line = at(["a", "b", "c"]);
  assert.deepEqual(aheadOf(line, ["d"], at(["a"])), ["b", "c", "d"]);
  assert.deepEqual(aheadOf(line, ["d"], at(["a", "b", "c", "d"])), []);
  assert.deepEqual(aheadOf(line, ["d"], at(["a", "x"])), []);
  assert.deepEqual(aheadOf(line, ["d"], at(["a"], "Go 9x9")), []);
});

test("steps go along the line of a game, from the node of the address", () => {
  const line = Array.from({ length: 30 }, (_, at) => ({ path: `/${at}` }));
  const walk = { game: "7", line, at: 4, by: 1 };
  assert.deepEqual(stepAlong(walk, "/10", 1), { path: "/11", by: 1 });
  assert.deepEqual(stepAlong(walk, "elsewhere", -1), { path: "/3", by: -1 });
  assert.deepEqual([stepAlong(walk, "/10", Infinity), stepAlong(walk, "/10", -Infinity)], [{ path: "/29", by: -1 }, { path: "/0", by: 1 }]);
  assert.deepEqual(stepAlong(walk, "/29", 1), { path: undefined, by: -1 });
  assert.deepEqual(stepAlong({ game: "", line: [], at: 0, by: 0 }, "", 1).path, undefined);
  assert.deepEqual(nextPaths(walk, "7", "/28"), ["/28", "/29"]);
  assert.deepEqual(nextPaths({ ...walk, by: -1 }, "7", "/2"), ["/2", "/1", "/0"]);
  assert.equal(nextPaths(walk, "7", "/0").length, 13);
  assert.deepEqual([nextPaths(walk, "8", "/2"), nextPaths({ ...walk, by: 0 }, "7", "/2")], [[], []]);
});

test("a game leaves the archive where no other game has its position", () => {
  const step = (add, games, setup = "") => ({ path: "", setup, add, name: add, games });
  const steps = [step(null, 99, "AB[aa] PL[W]"), step("W[bb]", 12), step("B[cc]", 2), step("W[dd]", 0)];
  assert.equal(leftAt(steps), "Common until move 1 (12 games), rare until move 2 (2 games); no other game has move 3, W[dd].");
  assert.equal(leftAt(steps.slice(0, 3)), "Common until move 1 (12 games), rare until move 2 (2 games), its last move.");
  assert.equal(leftAt([step("B[aa]", 0)]), "No other game has a position of this game.");
  assert.deepEqual(wordsOf({ board: "", steps }), ["AB[aa]", "PL[W]", "W[bb]", "B[cc]", "W[dd]"]);
  assert.deepEqual(wordsOf({ board: "", steps }, 1), ["AB[aa]", "PL[W]", "W[bb]"]);
  const own = { ...NO_OWN, text: "(;)", words: ["B[aa]", "W[bb]"], isGuessed: true };
  assert.deepEqual([[], ["B[aa]"], ["B[aa]", "W[bb]"], ["B[cc]"]].map((moves) => isGuessing(own, moves)), [true, true, false, false]);
  assert.deepEqual([hasLeftOwn(own, ["B[cc]"]), hasLeftOwn(own, ["B[aa]"]), hasLeftOwn(NO_OWN, ["B[cc]"])], [true, false, false]);
});

test("a client sends its token, and says why it has no answer", async () => {
  const token = "0123456789abcdef0123456789abcdef";
  const sent = [];
  const clientOf = (status, body) => createClient(async (address, { headers }) => {
    sent.push([address, headers.authorization]);
    return { ok: status === 200, status, json: async () => body };
  });
  const client = clientOf(200, { games: 3 });
  assert.deepEqual(["", "#moves=B[aa]", `x#token=${token}0`].map((text) => client.take(text)), [false, false, false]);
  assert.deepEqual(await client.ask("status"), { games: 3 });
  assert.ok(client.take(` http://127.0.0.1:1/#token=${token}`));
  await client.ask("status");
  assert.deepEqual(sent, [["./api/status", undefined], ["./api/status", `Bearer ${token}`]]);
  await assert.rejects(clientOf(401, {}).ask("status"), Locked);
  await assert.rejects(clientOf(400, { error: "no such game" }).ask("game"), (err) => err instanceof Refused && err.message === "no such game");
  await assert.rejects(createClient(() => Promise.reject(new TypeError("refused"))).ask("status"), /does not answer/);
});

test("the types of the page have the fields of the requests and replies of the server", async () => {
  const questions = new URL("../../explore/src/questions/", import.meta.url);
  const files = ["requests.rs", "replies.rs", "person_replies.rs", "../remarks.rs"];
  const rust = (await Promise.all(files.map((name) => readFile(new URL(name, questions), "utf8")))).join("\n");
  const types = await readFile(new URL("protocol.d.ts", assets), "utf8");
  const interfaces = new Map([...types.matchAll(/^export interface (\w+).*? \{\n(.*?)^\}/gms)].map(([, name, body]) =>
    [name, [...body.matchAll(/^  (\w+)\??:/gm)].map(([, field]) => field)]));
  const compared = [];
  for (const [, name, body] of rust.matchAll(/struct (\w+)(?:<\w+>)? \{\n(.*?)^\}/gms)) {
    const fields = [...body.matchAll(/((?:^ +#\[serde.*\n)*)^ +pub(?:\(crate\))? (\w+):/gm)]
      .filter(([, serde]) => !/flatten|skip\)/.test(serde))
      .map(([, serde, field]) => /rename = "(\w+)"/.exec(serde)?.[1] ?? field);
    if (!interfaces.has(name)) continue;
    const upper = name === "Captures" ? fields.map((field) => field.toUpperCase()) : fields;
    assert.deepEqual(interfaces.get(name).toSorted(), upper.toSorted(), name);
    compared.push(name);
  }
  const others = [...interfaces.keys()].filter((name) => !compared.includes(name));
  assert.deepEqual(others.sort(), ["Failed", "GameNames", "Questions", "Reading", "Ready", "ShownNode", "Tally"]);
});
