// Draws the sections of the report that the document `page` contains as JSON, and the page around them. Uses charts.js.

const ROWS = 10;
// Most dates outside these years are typing errors.
const [FIRST_YEAR, LAST_YEAR] = [1500, 2100];

const report = JSON.parse(page.getElementById("data").textContent,
  (_, value) => (typeof value === "string" ? clean(value) : value));
// The page already contains the drawn boards.
const drawnPicture = (at) => page.getElementById(`picture-${at}`).content.firstElementChild;

function duration(seconds) {
  const parts = [[seconds / 3600, "h"], [(seconds / 60) % 60, "min"], [seconds % 60, "s"]];
  const shown = parts.map(([count, unit]) => [Math.trunc(count), unit]).filter(([count]) => count !== 0);
  return shown.map((part) => part.join(" ")).join(" ") || "none";
}

const stones = (handicap) => ({ 0: "none", 1: "1 stone" })[handicap] ?? `${handicap} stones`;

// Sections. A section is null if it has nothing to show.

function missing({ none, unreadable }) {
  const notes = [[none, "does not say", "do not say"],
    [unreadable, "has a value that cannot be read", "have a value that cannot be read"]];
  const shown = notes.filter(([count]) => count > 0);
  return shown.map(([count, one, many]) => `${counted(count, "games")} ${count === 1 ? one : many}.`).join(" ");
}

const byCount = (rows) => [...rows].sort((one, other) => other[1] - one[1]);
const byNumber = (rows) => [...rows].sort((one, other) => one[0] - other[0]);
const inOrder = (all) => (rows) => all.filter((one) => rows.includes(one));

// The most frequent values, in the order of `sort`.
function tally(title, counts, sort = byCount, name = (value) => value) {
  const most = byCount(counts.rows);
  if (most.length === 0) return null;
  // Omit a last row that stands for one value: the value itself takes no more space.
  const shown = most.splice(0, most.length === ROWS + 1 && counts.other === 0 ? ROWS + 1 : ROWS);
  const rest = sum(most, ([, count]) => count) + counts.other;
  const total = sum(shown, ([, count]) => count) + rest;
  const rows = sort(shown).map(([value, count]) => [name(value), count]);
  if (rest > 0) rows.push([`${number(most.length)} others`, rest]);
  return section(title, missing(counts), bars("games", rows, total));
}

function names(title, { rows, error, empty, total }, winner) {
  if (rows.length === 0) return null;
  const notes = [];
  if (error > 0) notes.push(`The list is incomplete: counts may be up to ${number(error)} too high.`);
  const hidden = empty.map(([name, count]) => `“${name}” (${counted(count, "times")})`);
  if (hidden.length > 0) notes.push(`Not shown: ${hidden.join(", ")}.`);
  const hasWins = winner && rows.some(([, , won, lost]) => won + lost > 0);
  return section(title, notes.join(" "), hasWins ? wins(winner, rows) : bars("games", rows, total));
}

function strongest(title) {
  const note = "Sorted by the lower end of the 95 % interval of the wins, so that players with few games do not lead. " +
    "The strength of the opponents does not count.";
  return report.strongest.length < 3 ? null : section(title, note, wins("won", report.strongest));
}

function results(title) {
  if (report.games === 0) return null;
  const counts = Object.fromEntries(report.result.rows);
  const of = (...outcomes) => sum(outcomes, (outcome) => counts[outcome] ?? 0);
  const [black, white] = ["B", "W"].map((side) => of(...["score", "R", "T", "F", ""].map((how) => `${side}+${how}`)));
  const who = [["black", "Black won", black], ["white", "White won", white],
    ["draw", "another player won", of("player+")], ["draw", "no winner", of("draw", "void")],
    ["unknown", "not known", of("?", "unreadable", "none")]];
  const how = [["by points", "score"], ["by resignation", "R"], ["on time", "T"], ["by forfeit", "F"],
    ["not said how", ""]].map(([name, end]) => [name, of(`B+${end}`, `W+${end}`)]).filter(([, count]) => count > 0);
  return section(title, missing({ none: of("none"), unreadable: of("unreadable") }), ...parts(who),
    how.length > 0 ? bars("games", how, black + white) : null);
}

// Shares of Black's wins, for rows [name, games, won, lost]. Omits rows with fewer than one in a thousand decided games.
function blackWins(title, rows, note = "") {
  const decided = ([, , won, lost]) => won + lost;
  const least = Math.max(Math.floor(sum(rows, decided) / 1000), 1);
  const shown = rows.filter((one) => decided(one) >= least).slice(0, ROWS + 1);
  return shown.length > 0 ? section(title, note, wins("Black won", shown)) : null;
}

function winsByFirstMove(title) {
  const [start] = report.openings.boards;
  if (!start) return null;
  const rows = start.first_moves.map((line) => [line.moves[0], line.count, line.black_wins, line.white_wins]);
  return blackWins(title, rows, `Games on an empty board of ${start.board}.`);
}

function winsByKomi(title) {
  const decided = report.komi.rows.filter(([, , won, lost]) => won + lost > 0);
  return blackWins(title, byNumber(byCount(decided).slice(0, ROWS)));
}

const years = report.year.rows.map(([year, ...counts]) => [Number(year), ...counts]);
const likely = years.filter(([year]) => year >= FIRST_YEAR && year <= LAST_YEAR);
const knownYears = likely.length > 0 ? likely : years;

function winsByYear(title) {
  const decided = knownYears.filter(([, , won, lost]) => won + lost > 0);
  if (decided.length === 0) return null;
  const [first, last] = [decided[0][0], decided.at(-1)[0]];
  const by = stepThat((step) => Math.floor(last / step) - Math.floor(first / step) < ROWS);
  const rows = new Map();
  for (const [year, ...counts] of decided) {
    const start = Math.floor(year / by) * by;
    const before = rows.get(start) ?? [by === 1 ? `${start}` : `${start}–${start + by - 1}`, 0, 0, 0];
    rows.set(start, [before[0], ...counts.map((count, at) => before[at + 1] + count)]);
  }
  return blackWins(title, [...rows.values()]);
}

const handicaps = Object.entries(report.result_by_handicap).map(([handicap, { black, white, draw, unknown }]) =>
  [stones(handicap), black + white + draw + unknown, black, white]);

function handicap(title) {
  if (handicaps.length < 2) return null;
  const { none } = report.handicap;
  const note = none > 0 ? `${counted(none, "games")} without a handicap in the record are counted as even.` : "";
  return section(title, note, bars("games", handicaps, report.games));
}

// Every year from the first to the last, grouped by tens or hundreds if there are many.
function gamesByYear(title) {
  if (knownYears.length === 0) return null;
  const [first, last] = [knownYears[0][0], knownYears.at(-1)[0]];
  const by = last - first < 120 ? 1 : last - first < 1000 ? 10 : 100;
  const start = Math.floor(first / by);
  const rows = Array.from({ length: Math.floor(last / by) - start + 1 }, (_, at) => {
    const text = `${(start + at) * by}`;
    return { label: text, name: by > 1 ? `${text}s` : text, count: 0 };
  });
  for (const [year, count] of knownYears) rows[Math.floor(year / by) - start].count += count;
  const outside = sum(years, ([, count]) => count) - sum(rows, ({ count }) => count);
  const note = outside > 0
    ? ` ${counted(outside, "games")} from before ${FIRST_YEAR} or after ${LAST_YEAR} are not drawn.` : "";
  const across = { 1: "year", 10: "decade", 100: "century" }[by];
  return section(title, (missing(report.year) + note).trim(), columns(title, across, rows));
}

function lengths(title) {
  const { median, max, columns: { step, count, rows } } = report.length;
  if (median === null) return null;
  const drawn = Array.from({ length: count }, (_, at) => {
    const first = at * step;
    return { label: `${first}`, name: step > 1 ? `${first}–${first + step - 1} moves` : `${first} moves`, count: 0 };
  });
  let longer = 0;
  for (const [first, games] of rows) {
    if (first < count * step) drawn[Math.floor(first / step)].count += games;
    else longer += games;
  }
  const note = longer > 0
    ? ` ${counted(longer, "games")} are longer than the chart; the longest has ${counted(max, "moves")}.` : "";
  return section(title, `Half of the games have ${counted(median, "moves")} or fewer.${note}`,
    columns(title, "moves of the main line", drawn));
}

function problems(title) {
  const rows = report.problems.rows;
  if (rows.length === 0) {
    return section(title, "The reader found no problems. `sgfq check` finds more.");
  }
  return section(title, "Problems that the reader found. For advice, run `sgfq explain CODE`; `sgfq check` finds more.",
    bars("times", rows, sum(rows, ([, count]) => count)));
}

// Openings from left to right: a column for each move, as high as the share of games that played it.
function tree({ board, games, tree: start }) {
  const [top, height, width] = [18, 360, WIDTH / report.openings.depth];
  const parts = Array.from({ length: report.openings.depth }, (_, at) =>
    label(at * width + 4, 12, "dim", at === 0 ? "move 1" : `${at + 1}`));
  // Other move orders reach the same position, so more games than this order has may continue from it. `room` limits the columns.
  const draw = ({ next, other_ways, other_games }, depth, from, room) => {
    const all = share(sum(next, ({ count }) => count) + other_games, games) * height;
    const scale = all > room ? room / all : 1;
    const block = (count, className, title) => {
      const high = share(count, games) * height * scale;
      const size = { x: depth * width, y: from, width: width - 1, height: Math.max(high - 1, 0.5) };
      from += high;
      return svg("g", {}, svg("title", {}, title), svg("rect", { ...size, class: className }));
    };
    for (const line of next) {
      draw(line.after, depth + 1, from, share(line.count, games) * height * scale);
      const [y, last, count] = [from, line.moves.at(-1), number(line.count)];
      const won = line.black_share === null ? ""
        : `; Black wins ${interval(line.black_wins, line.white_wins).text} of ${number(line.black_wins + line.white_wins)}`;
      const moves = isolated(line.moves.join(" "));
      const part = block(line.count, line.color, `${moves}: ${count} of ${counted(games, "games")}${won}`);
      if (from - y >= 13) {
        // The fill shows the color. A column that is too narrow for the count shows the move alone.
        const played = last.replace(/^\S+ /, "");
        const hasCount = (played.length + count.length + 1) * LETTER <= width - 6;
        part.append(label(depth * width + 4, y + 11, `on-${line.color}`, hasCount ? `${played} ` : short(played, width - 6),
          hasCount ? svg("tspan", { class: "count" }, count) : ""));
      }
      parts.push(part);
    }
    if (other_games > 0) {
      parts.push(block(other_games, "rest", `${counted(other_games, "games")} in ${counted(other_ways, "other ways")}`));
    }
  };
  draw(start, 0, top, height);
  const { first_moves } = report.openings.boards.find((start) => start.board === board);
  const first = first_moves.map((line) => `${line.moves[0]}: ${counted(line.count, "games")}`);
  return picture("tree", top + height, `Openings: ${board}`, `First moves. ${firstFive(first)}`, ...parts);
}

// A board with the letters of the next moves, and a list of them with bars.
function position({ name, games, next, other_ways, other_games, picture: at }) {
  const rows = next.map((line) => {
    const cells = [line.moves.at(-1), number(line.count), fixed(share(line.count, games))].map((text) => cell(text));
    const decided = line.black_wins + line.white_wins;
    if (decided === 0) return row(html("th", {}, line.label), ...cells, cell(), cell());
    const { part, low, high, text } = interval(line.black_wins, line.white_wins);
    const bar = svg("svg", { class: "wins", viewBox: "0 0 100 12", preserveAspectRatio: "none", role: "img" },
      svg("title", {}, `Black wins ${text} of ${number(decided)}`), svg("desc", {}, fixed(part)),
      svg("rect", { class: "white", width: 100, height: 12 }),
      svg("rect", { class: "black", width: 100 * part, height: 12 }),
      svg("path", { class: "interval", d: `M${low} 6H${high}` }));
    return row(html("th", {}, line.label), ...cells, cell(text), cell(bar));
  });
  const rest = other_ways > 0
    ? `; ${counted(other_ways, "more moves")}, in ${counted(other_games, "games")}, are not shown` : "";
  const note = `The next moves of ${counted(games, "games")}${rest}. ` +
    "Bars: how often Black won; the line is the 95 % interval.";
  return section(name, note, drawnPicture(at), html("table", { class: "next" }, html("tbody", {}, ...rows)));
}

function openings() {
  const { boards, others, games } = report.openings.drawn;
  const shown = boards.flatMap((start) => [
    section(`${start.board}: the first moves`, "Each column is a move; its height is the share of " +
      `${counted(start.games, "games")} that begin on an empty board. Rare moves are gray.`, tree(start)),
    ...start.positions.map(position)]);
  const rest = `${counted(games, "games")} on ${counted(others, "other boards")} are not shown here.`;
  return [...shown, others > 0 ? section("Other boards", rest) : null];
}

function heat({ board, moves, passes, off_board, too_long, picture: at }) {
  const notes = [[passes, "passes", ""], [off_board, "moves", " off the board"], [too_long, "moves", " too long to be read"]];
  const rest = notes.filter(([count]) => count > 0).map(([count, what, how]) => `, ${counted(count, what)}${how}`);
  return section(board, `${counted(moves, "moves")}${rest.join("")}.`, drawnPicture(at));
}

// The page.

function summary() {
  const [most] = byCount(report.board.rows);
  const part = most ? share(most[1], report.games) : 0;
  const of = part === 1 ? ` of ${most[0]}` : part >= 0.9 ? `, nearly all of ${most[0]}` : "";
  const [first, last] = [knownYears[0]?.[0], knownYears.at(-1)?.[0]];
  const from = first === undefined ? "" : first < last ? `, from ${first} to ${last}` : `, from ${first}`;
  return `${counted(report.games, "games")}${of}${from}`;
}

function overview() {
  const decided = sum(handicaps, ([, , black, white]) => black + white);
  const mebibytes = report.bytes / 2 ** 20;
  const facts = [["games", report.games], ["decided", decided],
    ["players", report.players.exact ? report.players.count : 0], ["moves", report.moves], ["nodes", report.nodes],
    ["variations", report.variations], ["files", report.files], ["bytes", mebibytes < 1 ? report.bytes : 0]];
  const shown = facts.filter(([name, count]) => count > 0 || name === "games")
    .map(([name, count]) => [number(count), count === 1 ? singular(name) : name]);
  if (mebibytes >= 1) shown.push([`${mebibytes.toFixed(1)} MiB`, "of SGF"]);
  return html("ul", { class: "facts" }, ...shown.map(([count, name]) => html("li", {}, html("b", {}, count), ` ${name}`)));
}

const isLarge = ({ is_large }) => is_large;
const groups = [
  ["Results", "results", [results("Results"), winsByFirstMove("Black's wins by first move"),
    winsByKomi("Black's wins by komi"), winsByYear("Black's wins by year"),
    handicaps.length < 2 ? null : blackWins("Black's wins by handicap", handicaps)]],
  ["Players and events", "players", [names("Most frequent players", report.players, "won"),
    strongest("Strongest players"), tally("Ranks", report.rank, inOrder(report.rank.rows)),
    names("Events", report.events)]],
  ["Openings", "openings", openings()],
  ["Move locations", "boards", report.heat.filter(isLarge).map(heat)],
  [null, "small", report.heat.filter((board) => !isLarge(board)).map(heat)],
  ["Games", "games", [gamesByYear("Games by year"), lengths("Length of main lines"),
    tally("Games and boards", report.board), tally("Komi", report.komi, byNumber), handicap("Handicap"),
    tally("Rules", report.rules), tally("Main time", report.time, byNumber, duration),
    tally("Overtime", report.overtime)]],
  ["Files", "files", [tally("Programs", report.ap), tally("Charsets", report.ca), problems("Problems by code")]],
];
const main = page.querySelector("main");
page.getElementById("summary").append(summary());
main.before(overview());
for (const [title, id, all] of groups) {
  const sections = all.filter((one) => one !== null);
  if (sections.length === 0) continue;
  if (title) {
    page.querySelector("nav").append(html("a", { href: `#${id}` }, title), " ");
    main.append(html("h2", { id }, title));
  }
  main.append(html("div", { class: `group ${id}` }, ...sections));
}
