// Elements of the page. Texts of games are only ever set as text.

export const $ = (id) => document.getElementById(id);
export const SVG = "http://www.w3.org/2000/svg";

/// Makes an element with attributes, listeners and children; a text child is text.
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== undefined && value !== null && value !== false) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

/// Makes an element of a picture.
export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/// A table: the names of its columns, those that are numbers, and its rows.
export function table(id, names, numbers, rows) {
  const head = names.map((name, at) => el("th", { scope: "col", class: numbers.includes(at) ? "number" : undefined }, name));
  return el("table", { id }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
}

/// Says what is wrong with what was asked.
export function fault(message) {
  $("fault").textContent = message ?? "";
  $("fault").hidden = !message;
}

let clearing;

/// Says something that was done; on the page it goes away again.
export function notice(message) {
  clearTimeout(clearing);
  $("notice").textContent = message;
  const isOver = !$("main").hidden;
  $("notice").classList.toggle("over", isOver && message !== "");
  if (isOver) clearing = setTimeout(() => notice(""), 8000);
}

let working = 0;

/// Runs what takes a while: the page says that it is busy until it ends.
export async function busily(work) {
  working += 1;
  $("main").ariaBusy = "true";
  try {
    return await work();
  } finally {
    working -= 1;
    if (!working) $("main").ariaBusy = "false";
  }
}

export function save(name, blob) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export const number = (count) => count.toLocaleString("en");
export const percent = (part) => (part === null || part === undefined ? "" : `${Math.round(100 * part)} %`);
export const counted = (count, what) => `${number(count)} ${what}${count === 1 ? "" : "s"}`;
