// What the browser tests of the page of `sgfq explore` share: servers, pages, faults, and checks. Each test is a program:
//
//   node explore_NAME.mjs SGFQ GAMES [FOLDER FOR PICTURES]
//
// Needs the package playwright-core and Chromium (CHROMIUM names it, or /usr/bin/chromium). With ASSETS, the scripts and styles
// come from that folder instead of the program, so that a change of them needs no build.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const [, , sgfq, games, pictures] = process.argv;
const { CHROMIUM: executablePath = "/usr/bin/chromium", ASSETS: assets } = process.env;

export const scratch = await mkdtemp(join(tmpdir(), "sgfq-explore-"));
export const servers = [];
const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath, args });

process.on("exit", () => servers.forEach((server) => server.kill()));

/// Starts a server, and returns the address of its page.
export function serve(...words) {
  const server = spawn(sgfq, ["explore", "--no-open", ...words]);
  servers.push(server);
  let output = "";
  return new Promise((resolve, reject) => {
    server.on("exit", () => reject(new Error(`the server ended: ${output}`)));
    server.stderr.on("data", (data) => {
      output += data;
      const found = output.match(/http:\S+/);
      if (found) resolve(found[0]);
    });
  });
}

/// Writes a file of games, and returns its path.
export async function written(name, text) {
  const path = join(scratch, name);
  await writeFile(path, text);
  return path;
}

/// Runs the command, and returns its output.
export function run(words, input = undefined) {
  const { stdout, stderr, status } = spawnSync(sgfq, words, { input, encoding: "utf8", maxBuffer: 1 << 28 });
  assert.equal(status, 0, stderr);
  return stdout;
}

/// Rows that the command prints.
export const rowsOf = (...words) => run([...words, "-f", "jsonl"]).trim().split("\n").filter(Boolean).map((line) => JSON.parse(line));

/// Faults of pages since the last check: errors in the console, among them replies of an error and violations of the policy;
/// exceptions; requests that failed unless the page stopped them; and requests to other hosts.
const faults = [];

export function watch(page, address) {
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText;
    if (reason !== "net::ERR_ABORTED") faults.push(`${reason} of ${request.url()}`);
  });
  page.on("request", (request) => {
    const to = request.url();
    if (!to.startsWith(`${new URL(address).origin}/`) && !/^(data|blob):/.test(to)) faults.push(`a request to ${to}`);
  });
  return page;
}

/// Opens a window in a new session of the browser.
export async function newContext(options = {}) {
  const permissions = ["clipboard-read", "clipboard-write"];
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, permissions, ...options });
  if (assets) {
    await context.route(/\.(js|css)$/, (route) => {
      const path = join(assets, new URL(route.request().url()).pathname);
      return existsSync(path) ? route.fulfill({ path }) : route.continue();
    });
  }
  return context;
}

/// Opens the page at the address of a server, and waits until it has read the games.
export async function open(address, options = {}) {
  const page = watch(await (await newContext(options)).newPage(), address);
  await page.goto(address);
  await page.waitForSelector("#main", { timeout: 120_000 });
  await settled(page);
  return page;
}

export async function settled(page) {
  // Requests start after the browser has drawn the view.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 80))));
  await page.waitForSelector('#main[aria-busy="false"]', { timeout: 60_000 });
}

/// Goes to a state of the page: an address, or its fields.
export async function go(page, state) {
  await page.evaluate((to) => { location.hash = to; }, typeof state === "string" ? state : `${new URLSearchParams(state)}`);
  await settled(page);
}

/// The fields of the page's state.
export const stateOf = (page) => Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));

export async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await settled(page);
}

/// Plays a move by its name.
export async function play(page, move) {
  await page.fill("#move", move);
  await page.press("#move", "Enter");
  await settled(page);
}

/// The middle of a point of a board, by column and row from the top left.
export async function middle(page, column, row, size = 19) {
  const wood = await page.locator("#board .picture .wood").boundingBox();
  return { x: wood.x + ((column + 0.5) * wood.width) / size, y: wood.y + ((row + 0.5) * wood.height) / size };
}

export async function clickPoint(page, column, row, size = 19) {
  await page.evaluate(() => scrollTo(0, 0));
  const { x, y } = await middle(page, column, row, size);
  await page.mouse.click(x, y);
  await settled(page);
}

/// Turns the wheel over the board, and checks the moves at which the game is then.
export async function turnWheel(page, turns) {
  for (const [turn, move] of turns) {
    await page.waitForTimeout(250);
    await page.mouse.wheel(0, turn);
    await settled(page);
    assert.match(await page.locator("#game .step.at").innerText(), new RegExp(`^${move}\\.`));
  }
  assert.equal(await page.evaluate(() => scrollY), 0);
}

/// A function that returns the milliseconds of processor time that scripts of the page have used.
export async function scriptClock(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "ScriptDuration").value;
  };
}

/// Pastes a text into the page.
export const paste = (page, text) => page.evaluate((pasted) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", pasted);
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}, text);

/// The text of the file that a click saves.
export async function savedBy(page, selector) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(selector).first().click()]);
  return readFile(await download.path(), "utf8");
}

/// The server's answer to a request.
export const ask = (page, name, body) => page.evaluate(async ([to, asked]) => {
  const headers = { "content-type": "application/json" };
  return (await fetch(`./api/${to}`, { method: "POST", headers, body: JSON.stringify(asked) })).json();
}, [name, body]);

export const number = (text) => Number(text.replace(/\D/g, ""));

/// The number of games in the list.
export const listed = async (page) => number(await page.locator("#games h2").innerText());

export async function picture(page, name, options = {}) {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), ...options });
}

let passed = 0;

/// Runs a part of a test. It fails if the pages have a fault that does not match `expected`.
export async function check(name, walk, expected = /^$/) {
  try {
    await walk();
    assert.deepEqual(faults.splice(0).filter((fault) => !expected.test(fault)), []);
    passed += 1;
    console.log(`ok    ${name}`);
  } catch (error) {
    faults.length = 0;
    console.log(`FAIL  ${name}: ${error.message}`);
    process.exitCode = 1;
  }
}

/// Ends the test.
export async function finish() {
  assert.deepEqual(faults, []);
  console.log(`${passed} checks`);
  await browser.close();
  await rm(scratch, { recursive: true });
  process.exit();
}
