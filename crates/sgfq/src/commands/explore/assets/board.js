// Boards: pictures that answer to clicks, parts of them that are selected, and patterns.

import { $, SVG, svg } from "./elements.js";

/// Puts a picture into the frame of the board.
export function draw(text) {
  const frame = $("board");
  frame.replaceChildren();
  if (!text) return undefined;
  // Sizes of letters are set by script: no style of a text is allowed.
  const plain = text.replace("<svg ", `<svg xmlns="${SVG}" `).replaceAll(' style="', ' data-style="');
  const picture = new DOMParser().parseFromString(plain, "image/svg+xml").documentElement;
  if (picture.namespaceURI !== SVG) return undefined;
  frame.append(document.adoptNode(picture));
  for (const each of picture.querySelectorAll("[data-style]")) each.style.cssText = each.dataset.style;
  return picture;
}

const isSelecting = () => $("select").ariaPressed === "true";

/// Makes the points of a board answer to clicks; if it has `rows`, to a rectangle that is drawn over them, too.
export function listen(picture, points, rows, chosen) {
  if (!picture || !points) return;
  const r = points.radius;
  for (const [at, [, name, x, y]] of points.all.entries()) {
    picture.append(svg("circle", { class: "hit", cx: x, cy: y, r, "data-at": at }, svg("title", {}, name)));
  }
  // The point below the pointer: a finger that moves stays with the point on which it began.
  const spot = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    const away = ([, , x, y]) => (x - at.x) ** 2 + (y - at.y) ** 2;
    return points.all.reduce((best, point) => (away(point) < away(best) ? point : best));
  };
  const rectangle = svg("rect", { class: "rectangle" });
  const drawRectangle = (one, other) => {
    const [left, right] = [Math.min(one[2], other[2]), Math.max(one[2], other[2])];
    const [top, low] = [Math.min(one[3], other[3]), Math.max(one[3], other[3])];
    const place = { x: left - r, y: top - r, width: right - left + 2 * r, height: low - top + 2 * r };
    for (const [key, value] of Object.entries(place)) rectangle.setAttribute(key, value);
    picture.append(rectangle);
  };
  let first;
  picture.addEventListener("pointerdown", (event) => {
    if (!rows || !isSelecting()) return;
    first = spot(event);
    event.preventDefault();
    picture.setPointerCapture(event.pointerId);
    drawRectangle(first, first);
  });
  picture.addEventListener("pointermove", (event) => first && drawRectangle(first, spot(event)));
  picture.addEventListener("pointerup", (event) => {
    if (!first) return;
    $("pattern").value = patternOf(first, spot(event), rows);
    first = undefined;
  });
  picture.addEventListener("pointercancel", () => { first = undefined; });
  picture.addEventListener("click", (event) => {
    const point = points.all[event.target.dataset?.at];
    if (point && !(rows && isSelecting())) chosen(point);
  });
}

/// The rows of a pattern: the stones of a rectangle, and the edges that it touches.
function patternOf(one, other, rows) {
  const [left, right] = [Math.min(one[4], other[4]), Math.max(one[4], other[4])];
  const [top, low] = [Math.min(one[5], other[5]), Math.max(one[5], other[5])];
  const [width, height] = [rows[0].length, rows.length];
  const all = rows.slice(top, low + 1).map((row) => (left === 0 ? "|" : "") + row.slice(left, right + 1).replaceAll("+", ".") + (right === width - 1 ? "|" : ""));
  const edge = "-".repeat(right - left + 1);
  if (top === 0) all.unshift(edge);
  if (low === height - 1) all.push(edge);
  return all.join("\n");
}

/// What a click makes of a point of a pattern.
const AFTER = { ".": "X", X: "O", O: "?", "?": "*", "*": "." };

/// Draws a pattern, with letters where it goes on; a click on a point changes it, and `changed` gets the rows.
export function drawPattern(text, replies, changed) {
  const lines = text.split(/[\n/]/).map((line) => line.trim()).filter(Boolean);
  const isEdge = (line) => /^[-+|]+$/.test(line) && line.includes("-");
  const rows = lines.map((line, at) => [line, at]).filter(([line]) => !isEdge(line));
  const cells = rows.map(([line]) => [...line.replaceAll("|", "").replaceAll(" ", "")]);
  const [width, height] = [cells[0]?.length ?? 0, cells.length];
  if (!width) return;
  const edges = { top: isEdge(lines[0]), low: isEdge(lines.at(-1)), left: rows[0][0].startsWith("|"), right: rows[0][0].endsWith("|") };
  const size = Math.min(26, 420 / width);
  const middle = (at) => (at + 0.5) * size;
  const picture = svg("svg", { class: "board pattern", viewBox: `0 0 ${width * size} ${height * size}`, width: width * size, role: "img", "aria-label": "Pattern" });
  picture.append(svg("rect", { class: "wood", width: width * size, height: height * size }));
  const ends = (isFirst, isLast, count) => [isFirst ? middle(0) : 0, isLast ? middle(count - 1) : count * size];
  const [[left, right], [top, low]] = [ends(edges.left, edges.right, width), ends(edges.top, edges.low, height)];
  const across = cells.map((_, row) => `M${left} ${middle(row)}H${right}`);
  const down = cells[0].map((_, column) => `M${middle(column)} ${top}V${low}`);
  picture.append(svg("path", { class: "lines", d: [...across, ...down].join("") }));
  const letters = new Map((replies ?? []).filter((reply) => reply.field && reply.label).map((reply) => [`${reply.field}`, reply.label]));
  for (const [row, cell] of cells.entries()) {
    for (const [column, sign] of cell.entries()) {
      const [cx, cy, r] = [middle(column), middle(row), 0.47 * size];
      const stone = { X: "black", O: "white", x: "black half", o: "white half" }[sign];
      const label = letters.get(`${[column, row]}`) ?? (/[?*1-9]/.test(sign) ? sign : undefined);
      if (stone) picture.append(svg("circle", { class: stone, cx, cy, r }));
      if (label && !stone) picture.append(svg("circle", { class: "patch", cx, cy, r: 0.38 * size }));
      if (label) picture.append(svg("text", { class: `mid ${stone ? `on-${stone}` : ""}`, x: cx, y: cy + 0.2 * size }, label));
      const hit = svg("circle", { class: "hit", cx, cy, r: size / 2 }, svg("title", {}, "Click to change"));
      hit.addEventListener("click", () => {
        cell[column] = AFTER[sign] ?? ".";
        // The next move is one.
        const others = (at, other) => at !== row || other !== column;
        if (cell[column] === "*") cells.forEach((line, at) => line.forEach((each, other) => { if (each === "*" && others(at, other)) line[other] = "."; }));
        const drawn = [...lines];
        rows.forEach(([line, place], at) => { drawn[place] = `${line.startsWith("|") ? "|" : ""}${cells[at].join("")}${line.endsWith("|") ? "|" : ""}`; });
        changed(drawn.join("\n"));
      });
      picture.append(hit);
    }
  }
  $("board").replaceChildren(picture);
}

/// The picture of the board as a file of its own.
export async function pictureFile() {
  const picture = $("board").querySelector("svg")?.cloneNode(true);
  if (!picture) return undefined;
  picture.querySelectorAll(".hit, .rectangle").forEach((hit) => hit.remove());
  picture.prepend(svg("style", {}, `${await (await fetch("./board.css")).text()} text { font: 12px sans-serif; } .mid { text-anchor: middle; } .end { text-anchor: end; }`));
  return new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" });
}
