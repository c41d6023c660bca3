// The page of `sgfq explore`. It holds what is shown as one state, which is in its address, and asks the server for the rest.
// Texts of games are only ever set as text.

const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

/// Makes an element with attributes, listeners and children; a text child is text.
function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== undefined && value !== null && value !== false) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

// The token is in the address that was printed, and leaves it at once: what stays there may be shared.
const given = new URLSearchParams(location.hash.slice(1));
if (given.has("token")) {
  sessionStorage.setItem("token", given.get("token"));
  given.delete("token");
  history.replaceState(null, "", `#${given}`);
}

class Refused extends Error {}

/// Asks the server.
async function ask(name, body, read = (response) => response.json()) {
  const headers = { "content-type": "application/json", authorization: `Bearer ${sessionStorage.getItem("token") ?? ""}` };
  let response;
  try {
    response = await fetch(`/api/${name}`, { method: "POST", headers, body: JSON.stringify(body ?? {}) });
  } catch {
    throw new Refused("sgfq explore does not answer: has it ended?");
  }
  if (!response.ok) throw new Refused((await response.json().catch(() => ({}))).error ?? `the server answered ${response.status}`);
  return read(response);
}

/// What is shown. `moves` are words of a question; `ahead` are those that were taken back.
const empty = { board: "", moves: [], where: "", player: "", from: "", to: "", winner: "", swap: false, pattern: "", game: "", path: "", move: "", list: "", hide: false };
let state = { ...empty };
let ahead = [];
let shown = {};

function readAddress() {
  const all = new URLSearchParams(location.hash.slice(1));
  state = { ...empty };
  for (const key of Object.keys(empty)) if (all.has(key)) state[key] = all.get(key);
  state.moves = state.moves.length ? state.moves.split(" ") : [];
  state.swap = state.swap === "true";
  state.hide = state.hide === "true";
}

/// Changes what is shown, as a step that the browser can take back.
function go(changes) {
  state = { ...state, ...changes };
  const all = new URLSearchParams();
  for (const [key, value] of Object.entries(state)) {
    const text = Array.isArray(value) ? value.join(" ") : value === false ? "" : String(value);
    if (text) all.set(key, text);
  }
  history.pushState(null, "", `#${all}`);
  return show();
}

const quoted = (text) => `'${text.replaceAll("'", "''")}'`;

/// The filters as one expression.
function condition() {
  const parts = [];
  if (state.player) parts.push(`player ILIKE ${quoted(`%${state.player}%`)}`);
  if (/^\d+$/.test(state.from)) parts.push(`year(date_max) >= ${state.from}`);
  if (/^\d+$/.test(state.to)) parts.push(`year(date_min) <= ${state.to}`);
  if (state.winner) parts.push(`winner = ${quoted(state.winner)}`);
  if (state.where) parts.push(parts.length ? `(${state.where})` : state.where);
  return parts.join(" AND ");
}

function question() {
  return { board: state.board || undefined, moves: state.moves.join(" "), pattern: state.pattern || undefined, where: condition(), swap_colors: state.swap };
}

function fault(message) {
  $("fault").textContent = message ?? "";
  $("fault").hidden = !message;
}

/// Puts a picture into the frame of the board.
function draw(svg) {
  const frame = $("board");
  frame.replaceChildren();
  if (!svg) return undefined;
  // Sizes of letters are set by script: no style of a text is allowed.
  const text = svg.replace("<svg ", `<svg xmlns="${SVG}" `).replaceAll(' style="', ' data-style="');
  const picture = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (picture.namespaceURI !== SVG) return undefined;
  frame.append(document.adoptNode(picture));
  for (const each of picture.querySelectorAll("[data-style]")) each.style.cssText = each.dataset.style;
  return picture;
}

/// Makes the points of a board answer to clicks, and to a rectangle that is drawn over them.
function listen(picture, points, rows, chosen) {
  if (!picture || !points) return;
  let first;
  const isSelecting = () => rows && $("select").ariaPressed === "true";
  const spot = (event) => points.all[event.target.dataset?.at];
  for (const [at, [, name, x, y]] of points.all.entries()) {
    const circle = document.createElementNS(SVG, "circle");
    for (const [key, value] of Object.entries({ class: "hit", cx: x, cy: y, r: points.radius, "data-at": at })) circle.setAttribute(key, value);
    const title = document.createElementNS(SVG, "title");
    title.textContent = name;
    circle.append(title);
    picture.append(circle);
  }
  const rectangle = document.createElementNS(SVG, "rect");
  rectangle.setAttribute("class", "rectangle");
  const drawRectangle = (one, other) => {
    const [left, right] = [Math.min(one[2], other[2]), Math.max(one[2], other[2])];
    const [top, low] = [Math.min(one[3], other[3]), Math.max(one[3], other[3])];
    const r = points.radius;
    for (const [key, value] of Object.entries({ x: left - r, y: top - r, width: right - left + 2 * r, height: low - top + 2 * r })) rectangle.setAttribute(key, value);
    picture.append(rectangle);
  };
  picture.addEventListener("pointerdown", (event) => {
    if (!isSelecting() || !spot(event)) return;
    first = spot(event);
    event.preventDefault();
    drawRectangle(first, first);
  });
  picture.addEventListener("pointermove", (event) => {
    if (first && spot(event)) drawRectangle(first, spot(event));
  });
  picture.addEventListener("pointerup", (event) => {
    if (!first) return;
    const other = spot(event) ?? first;
    $("pattern").value = patternOf(first, other, points, rows);
    first = undefined;
  });
  picture.addEventListener("click", (event) => {
    if (isSelecting() || !spot(event)) return;
    chosen(spot(event));
  });
}

/// The rows of a pattern: the stones of a rectangle, and the edges that it touches.
function patternOf(one, other, points, rows) {
  const [left, right] = [Math.min(one[4], other[4]), Math.max(one[4], other[4])];
  const [top, low] = [Math.min(one[5], other[5]), Math.max(one[5], other[5])];
  const [width, height] = [rows[0].length, rows.length];
  const all = rows.slice(top, low + 1).map((row) => (left === 0 ? "|" : "") + row.slice(left, right + 1).replaceAll("+", ".") + (right === width - 1 ? "|" : ""));
  const edge = "-".repeat(right - left + 1);
  if (top === 0) all.unshift(edge);
  if (low === height - 1) all.push(edge);
  return all.join("\n");
}

/// Whose turn it is after the moves: the colour that did not move last.
function turn() {
  const last = state.moves.at(-1);
  return last?.startsWith("B") ? "W" : "B";
}

function play(point) {
  ahead = [];
  go({ moves: [...state.moves, `${turn()}[${point}]`], pattern: "", game: "", path: "", move: "" });
}

const percent = (part) => (part === null || part === undefined ? "" : `${Math.round(100 * part)} %`);

/// Next moves that are shown at first.
const ROWS = 12;

/// The table of next moves.
function replies(answer) {
  const rows = (answer.replies ?? []).map((reply) => {
    const decided = reply.black_wins + reply.white_wins;
    const bar = el("span", { class: "wins", title: decided ? `Black won ${reply.black_wins}, White ${reply.white_wins} of ${reply.count}` : "no results" });
    for (const [side, wins] of [["b", reply.black_wins], ["w", reply.white_wins]]) {
      const part = el("i", { class: side });
      part.style.width = decided ? `${(100 * wins) / decided}%` : "0";
      bar.append(part);
    }
    const years = reply.first_year === null ? "" : reply.first_year === reply.last_year ? `${reply.first_year}` : `${reply.first_year}–${reply.last_year}`;
    const name = `${reply.color ?? ""} ${reply.next}`.trim();
    const next = reply.add
      ? el("button", { click: () => { ahead = []; go({ moves: [...state.moves, reply.add] }); } }, name)
      : name;
    const interval = reply.black_share === null ? "" : `${percent(reply.black_share)} (${Math.round(100 * reply.black_low)}–${Math.round(100 * reply.black_high)})`;
    return el("tr", {}, el("td", {}, reply.label ?? ""), el("td", {}, next), el("td", { class: "number" }, `${reply.count}`),
      el("td", { class: "number" }, percent(reply.share)), el("td", { class: "share" }, bar), el("td", { class: "number" }, interval), el("td", { class: "number" }, years));
  });
  const names = ["", "next", "games", "share", "result", "Black won", "years"];
  const head = names.map((name, at) => el("th", { scope: "col", class: [2, 3, 5, 6].includes(at) ? "number" : undefined }, name));
  const table = rows.length ? el("table", { id: "next" }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)) : el("p", { class: "dim" }, "No game has it.");
  // A board has many moves that were played once.
  if (rows.length > ROWS + 3) {
    const rest = rows.slice(ROWS);
    rest.forEach((row) => { row.hidden = true; });
    const more = el("button", { click: () => { rest.forEach((row) => { row.hidden = false; }); more.remove(); } }, `${rest.length} more`);
    table.append(el("caption", {}, more));
  }
  const title = answer.board ? `What was played next: ${answer.board}` : "What was played next";
  const csv = rows.length ? [el("button", { id: "csv", click: () => save("next.csv", new Blob([csvOf(answer.replies)], { type: "text/csv" })) }, "Save as CSV")] : [];
  $("replies").replaceChildren(el("h2", {}, title), table, ...csv);
}

/// Columns of the next moves, as `sgfq find --summary -f csv` names them.
const COLUMNS = ["color", "next", "count", "share", "black_wins", "white_wins", "black_share", "black_low", "black_high", "first_year", "last_year"];

function csvOf(replies) {
  const cell = (value) => (/[",\r\n]/.test(`${value ?? ""}`) ? `"${`${value}`.replaceAll('"', '""')}"` : `${value ?? ""}`);
  return [COLUMNS, ...replies.map((reply) => COLUMNS.map((name) => reply[name]))].map((row) => `${row.map(cell).join(",")}\n`).join("");
}

/// The list of games.
async function games(from = 0) {
  const asked = question();
  // Those of the board that is shown.
  const board = asked.board ?? (asked.pattern ? undefined : shown.answer?.board);
  const list = await ask("games", { ...asked, board, from, count: 100 });
  if (JSON.stringify(asked) !== JSON.stringify(question())) return;
  const player = (name, rank) => `${name || "?"}${rank ? ` ${rank}` : ""}`;
  const rows = list.rows.map((row) => {
    const open = () => go({ game: `${row.id}`, move: `${row.move}`, path: "" });
    const name = `${player(row.pb, row.br)} – ${player(row.pw, row.wr)}`;
    return el("tr", { class: "link", click: open }, el("td", { class: "name", title: name }, el("button", {}, name)), el("td", {}, row.re),
      el("td", { class: "date" }, row.dt), el("td", { class: "name", title: row.name }, row.ev || row.name.split(/[/\\!]/).pop()), el("td", { class: "number" }, `${row.move}`), el("td", {}, row.next));
  });
  const names = ["game", "result", "date", "event", "move", "next"];
  if (from === 0) {
    const head = names.map((name) => el("th", { scope: "col", class: name === "move" ? "number" : undefined }, name));
    $("games").replaceChildren(el("h2", {}, `${list.total.toLocaleString("en")} games`),
      el("table", { id: "list" }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {})));
  }
  $("games").querySelector("button.more")?.remove();
  $("list").tBodies[0].append(...rows);
  const count = from + rows.length;
  if (count < list.total && rows.length) {
    $("games").append(el("button", { class: "more", click: () => games(count).catch((err) => fault(err.message)) }, "More"));
  }
}

/// The players of all games that the filters leave.
async function players() {
  const asked = { where: condition() };
  const list = await ask("players", asked);
  if (asked.where !== condition()) return;
  const rows = list.rows.map((row) => el("tr", {},
    el("td", { class: "name", title: row.name }, el("button", { click: () => go({ player: row.name, list: "" }) }, row.name)),
    ...[row.games, row.black, row.white, row.won, row.lost, percent(row.share), row.years ? row.years.join("–") : "", row.opponents]
      .map((cell) => el("td", { class: "number" }, `${cell}`)),
    el("td", { class: "name", title: row.most_frequent }, row.most_frequent)));
  const names = ["player", "games", "black", "white", "won", "lost", "share", "years", "opponents", "most frequent"];
  const head = names.map((name, at) => el("th", { scope: "col", class: at > 0 && at < 9 ? "number" : undefined }, name));
  const title = rows.length >= 300 ? "The 300 players with the most games" : `${rows.length} players`;
  $("players").replaceChildren(el("h2", {}, title), el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)));
}

/// What is wrong with the games.
async function findings() {
  const list = await ask("findings");
  if (state.list !== "findings") return;
  const rows = list.rows.map((row) => {
    const examples = row.examples.map((example) => {
      const open = () => go({ game: `${example.id}`, path: example.path.includes("…") ? "" : example.path, move: "" });
      return el("li", {}, el("button", { title: example.game, click: open }, example.path || "the game"), ` ${example.message}`);
    });
    return el("tr", {}, el("td", {}, row.severity), el("td", {}, row.code), el("td", { class: "number" }, row.count.toLocaleString("en")),
      el("td", { class: "number" }, row.games.toLocaleString("en")), el("td", {}, el("details", {}, el("summary", {}, "examples"), el("ul", {}, ...examples))));
  });
  const head = ["severity", "code", "findings", "games", ""].map((name, at) => el("th", { scope: "col", class: at === 2 || at === 3 ? "number" : undefined }, name));
  const table = el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
  $("findings").replaceChildren(el("h2", {}, rows.length ? "Findings, by code" : "Nothing was found"), ...(rows.length ? [table] : []),
    el("p", { class: "dim" }, "sgfq explain CODE explains a finding; sgfq fix repairs what is sure."));
}

/// The node of a game to which a point of the board leads, if it is a move of the tree; to the answer to it, where what follows is
/// hidden.
async function answer([, point]) {
  const { line, at } = shown.node;
  const next = line[at + 1];
  const all = next ? [next, ...(next.others ?? [])] : [];
  const found = all.find((step) => step.move?.split(" ").pop().toLowerCase() === point.toLowerCase());
  if (!found) {
    $("notice").textContent = all.length ? `${point} is not in the tree.` : "The line ends here.";
    return;
  }
  $("notice").textContent = state.hide ? `${found.move} is in the tree.` : "";
  await go({ path: found.path });
  const reply = shown.node?.line[shown.node.at + 1];
  if (state.hide && reply?.move) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (state.path === found.path) await go({ path: reply.path });
  }
}

/// Pieces of a game that are compared as a whole: a value, a mark, a line.
const pieces = (text) => text.split(/(?<=\])|(?<=\n)|(?=[;()])/);

/// Pairs of pieces that are looked at to compare two games; beyond that, all between the first and the last change is one.
const PAIRS = 4_000_000;

/// The pieces of two texts: [0, both], [-1, before], [1, after].
function changes(before, after) {
  const [one, other] = [pieces(before), pieces(after)];
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [a, b] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const found = one.slice(0, start).map((piece) => [0, piece]);
  const width = b.length + 1;
  // Longest common part from each pair of places on.
  const same = a.length * width <= PAIRS ? new Uint32Array((a.length + 1) * width) : undefined;
  for (let i = a.length - 1; same && i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      same[i * width + j] = a[i] === b[j] ? same[(i + 1) * width + j + 1] + 1 : Math.max(same[(i + 1) * width + j], same[i * width + j + 1]);
    }
  }
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (same && i < a.length && j < b.length && a[i] === b[j]) {
      found.push([0, a[i]]);
      i += 1;
      j += 1;
    } else if (i < a.length && (j === b.length || !same || same[(i + 1) * width + j] >= same[i * width + j + 1])) {
      found.push([-1, a[i]]);
      i += 1;
    } else {
      found.push([1, b[j]]);
      j += 1;
    }
  }
  return [...found, ...one.slice(one.length - end).map((piece) => [0, piece])];
}

/// Characters that are shown on each side of a change.
const AROUND = 60;

/// The changes between two texts, each with what is around it.
function comparison(before, after) {
  const runs = [];
  for (const [kind, piece] of changes(before, after)) {
    if (runs.at(-1)?.[0] === kind) runs.at(-1)[1] += piece;
    else runs.push([kind, piece]);
  }
  const shown = runs.map(([kind, text], at) => {
    if (kind) return el(kind < 0 ? "del" : "ins", {}, text);
    const [head, tail] = [at ? text.slice(0, AROUND) : "", at + 1 < runs.length ? text.slice(-AROUND) : ""];
    return head.length + tail.length < text.length ? `${head} … ${tail}` : text;
  });
  return el("pre", { class: "changes" }, ...shown);
}

/// What a repair would do to the game.
async function repair(place) {
  const answer = await ask("repair", { id: Number(state.game) });
  const rows = answer.findings.map((finding) => el("li", {}, `${finding.left ? "left" : "repaired"}: ${finding.path} ${finding.code}: ${finding.message}`));
  const save = el("button", { click: () => download({ id: Number(state.game), repaired: true }, "repaired.sgf") }, "Download repaired");
  const texts = answer.changed ? [el("h3", {}, "Changes"), comparison(answer.before, answer.after), save] : [];
  place.replaceChildren(el("ul", {}, ...rows), el("p", {}, rows.length ? "" : "Nothing is to be repaired."), ...texts);
}

/// A game, at a node.
async function game() {
  const asked = { id: Number(state.game), path: state.path || undefined, move: state.path ? undefined : Number(state.move || 0) };
  const node = await ask("game", asked);
  shown = { node };
  listen(draw(node.svg), node.points, undefined, answer);
  if (node.no_board) $("board").append(el("p", { class: "dim" }, node.no_board));
  const line = node.line.slice(0, state.hide ? node.at + 1 : undefined).map((step, at) => {
    const open = (path) => () => go({ path });
    const text = step.move ?? (at ? "·" : "start");
    const button = el("button", { class: `${at === node.at ? "at" : ""} ${step.comment ? "noted" : ""}`, "aria-current": at === node.at ? "step" : undefined, click: open(step.path) }, text);
    if (!step.others?.length || (state.hide && at === node.at)) return [button];
    const others = step.others.map((other) => el("button", { click: open(other.path) }, other.move ?? "·"));
    return [button, el("span", { class: "others" }, " or ", ...others)];
  });
  const info = node.info.flatMap(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]);
  const list = el("div", { class: "line", role: "group", "aria-label": "Moves" }, ...line.flat());
  const repairs = el("details", { id: "repair" }, el("summary", {}, "What sgfq fix would do"), el("div", {}));
  const hide = el("input", { type: "checkbox", id: "hide", change: (event) => go({ hide: event.target.checked }) });
  hide.checked = state.hide;
  const named = Object.fromEntries(node.info);
  const title = named.Black || named.White ? `${named.Black ?? "?"} – ${named.White ?? "?"}` : named.Name ?? "A game";
  $("game").replaceChildren(el("h2", {}, title),
    el("div", { class: "bar" }, el("button", { id: "leave", click: leave }, "← Back to the position"), el("span", { class: "dim" }, node.file)),
    el("dl", {}, ...info), el("h2", {}, `${node.nodes.toLocaleString("en")} nodes`),
    el("label", {}, hide, " hide what follows, and answer on the board"), list, repairs);
  repairs.addEventListener("toggle", () => repairs.open && repair(repairs.lastChild).catch((err) => fault(err.message)), { once: true });
  list.querySelector(".at")?.scrollIntoView({ block: "nearest" });
  $("moves").textContent = [node.played ? `Move ${node.move}: ${node.played}` : `Move ${node.move ?? 0}`, node.name].filter(Boolean).join(" · ");
  $("comment").textContent = node.comment ?? "";
  $("comment").hidden = !node.comment;
  $("back").disabled = $("start").disabled = node.at === 0;
  $("forward").disabled = $("end").disabled = state.hide || node.at + 1 >= node.line.length;
}

function leave() {
  go({ game: "", path: "", move: "" });
}

/// Goes along the line of a game, or through the moves of the position.
function step(by) {
  if (state.game) {
    const line = shown.node?.line;
    const at = Math.max(0, Math.min((line?.length ?? 1) - 1, (shown.node?.at ?? 0) + by));
    if (line && at !== shown.node.at && !(state.hide && by > 0)) go({ path: line[at].path });
  } else if (by < 0 && state.moves.length) {
    const kept = by === -Infinity ? 0 : state.moves.length + by;
    ahead = [...state.moves.slice(kept), ...ahead];
    go({ moves: state.moves.slice(0, kept) });
  } else if (by > 0 && ahead.length) {
    const taken = ahead.slice(0, by === Infinity ? ahead.length : by);
    ahead = ahead.slice(taken.length);
    go({ moves: [...state.moves, ...taken] });
  }
}

/// To the node beside this one.
function beside() {
  const line = shown.node?.line?.[shown.node.at];
  if (state.game && line?.others?.length) go({ path: line.others[0].path });
}

async function position() {
  const asked = question();
  const answer = await ask("position", asked);
  if (JSON.stringify(asked) !== JSON.stringify(question())) return;
  shown = { answer };
  if (answer.pattern) {
    draw();
    $("board").append(el("pre", { class: "pattern", "aria-label": "Pattern" }, answer.pattern));
  } else {
    listen(draw(answer.svg), answer.points, answer.rows, ([name]) => play(name));
  }
  const boards = $("boards");
  const counts = new Map(answer.boards);
  const names = [...new Set([...counts.keys(), ...allBoards])];
  boards.replaceChildren(...names.map((name) => el("option", { value: name, selected: name === (state.board || answer.board) }, counts.has(name) ? `${name} (${counts.get(name)})` : name)));
  replies(answer);
  $("moves").textContent = state.moves.length ? state.moves.map((move, at) => `${at + 1}. ${move}`).join("  ") : "Click a point, or a move of the table.";
  $("comment").hidden = true;
  $("command").textContent = answer.command;
  $("back").disabled = $("start").disabled = !state.moves.length;
  $("forward").disabled = !ahead.length;
  fault(answer.impossible ? `${answer.impossible} is no move on any board of the archive` : "");
  await games();
}

let allBoards = [];

let showing = 0;

async function show() {
  showing += 1;
  $("main").ariaBusy = "true";
  const inGame = state.game !== "";
  const [inPlayers, inFindings] = [state.list === "players", state.list === "findings"];
  for (const id of ["filters", "patterns", "copy", "enter"]) $(id).hidden = inGame;
  for (const id of ["replies", "games"]) $(id).hidden = inGame || inPlayers || inFindings;
  $("players").hidden = inGame || !inPlayers;
  $("findings").hidden = inGame || !inFindings;
  $("see-games").parentElement.hidden = inGame;
  $("see-games").ariaPressed = `${!inPlayers && !inFindings}`;
  $("see-findings").ariaPressed = `${inFindings}`;
  $("see-players").ariaPressed = `${inPlayers}`;
  $("game").hidden = $("end").hidden = !inGame;
  for (const id of ["player", "from", "to", "where", "winner"]) $(id).value = state[id];
  $("swap").checked = state.swap;
  if (state.pattern) $("pattern").value = state.pattern;
  try {
    fault("");
    await (inGame ? game() : position());
    if (inPlayers && !inGame) await players();
    if (inFindings && !inGame) await findings();
  } catch (err) {
    if (!(err instanceof Refused)) throw err;
    fault(err.message);
  } finally {
    showing -= 1;
    if (!showing) $("main").ariaBusy = "false";
  }
}

async function start() {
  for (;;) {
    let status;
    try {
      status = await ask("status");
    } catch (err) {
      $("notice").textContent = err.message;
      return;
    }
    $("title").textContent = (status.inputs ?? []).map((name) => name.split(/[/\\]/).pop()).join(", ") || "sgfq explore";
    document.title = `${$("title").textContent} · sgfq explore`;
    if (status.state === "failed") {
      $("notice").textContent = status.message;
      return;
    }
    if (status.state === "ready") {
      allBoards = status.boards;
      const partial = status.partial ? "; some inputs could not be read, see the terminal" : "";
      $("about").textContent = `${status.games.toLocaleString("en")} games, ${status.positions.toLocaleString("en")} positions${partial}`;
      break;
    }
    $("notice").textContent = `Reading games: ${status.games.toLocaleString("en")} …`;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  $("notice").textContent = "";
  $("main").hidden = false;
  readAddress();
  await show();
}

function save(name, blob) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

$("filters").addEventListener("submit", (event) => {
  event.preventDefault();
  const fields = Object.fromEntries(["player", "from", "to", "where", "winner"].map((id) => [id, $(id).value.trim()]));
  go({ ...fields, swap: $("swap").checked, board: $("boards").value });
});
$("boards").addEventListener("change", () => { ahead = []; go({ board: $("boards").value, moves: [], pattern: "" }); });
$("see-games").addEventListener("click", () => go({ list: "" }));
$("see-findings").addEventListener("click", () => go({ list: "findings" }));
$("see-players").addEventListener("click", () => go({ list: "players" }));
$("clear").addEventListener("click", () => go({ player: "", from: "", to: "", where: "", winner: "", swap: false }));
$("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  const move = $("move").value.trim();
  $("move").value = "";
  if (move) play(move);
});
$("start").addEventListener("click", () => step(-Infinity));
$("back").addEventListener("click", () => step(-1));
$("forward").addEventListener("click", () => step(1));
$("end").addEventListener("click", () => step(Infinity));
$("select").addEventListener("click", () => {
  $("select").ariaPressed = $("select").ariaPressed === "true" ? "false" : "true";
  $("board").classList.toggle("selecting", $("select").ariaPressed === "true");
});
$("search").addEventListener("click", () => go({ pattern: $("pattern").value.trimEnd() }));
$("whole").addEventListener("click", () => go({ pattern: "" }));
$("copy").addEventListener("click", async () => {
  $("command").hidden = false;
  try {
    await navigator.clipboard.writeText($("command").textContent);
    $("notice").textContent = "The command is copied.";
  } catch {
    $("notice").textContent = "The command is below.";
  }
});
async function download(asked, name, question = "export") {
  try {
    save(name, await ask(question, asked, (response) => response.blob()));
  } catch (err) {
    fault(err.message);
  }
}

$("download").addEventListener("click", () => download(state.game ? { id: Number(state.game) } : question(), "games.sgf"));
$("charts").addEventListener("click", () => download({ where: condition() }, "stats.html", "stats"));
$("picture").addEventListener("click", async () => {
  const picture = $("board").querySelector("svg")?.cloneNode(true);
  if (!picture) return;
  picture.querySelectorAll(".hit, .rectangle").forEach((hit) => hit.remove());
  const style = document.createElementNS(SVG, "style");
  style.textContent = `${await (await fetch("/board.css")).text()} text { font: 12px sans-serif; } .mid { text-anchor: middle; } .end { text-anchor: end; }`;
  picture.prepend(style);
  save("board.svg", new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" }));
});
addEventListener("popstate", () => { readAddress(); show(); });
addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-Infinity), End: () => step(Infinity), ArrowDown: beside, Escape: () => state.game && leave() }[event.key];
  if (!act || $("main").hidden) return;
  event.preventDefault();
  act();
});
start();
