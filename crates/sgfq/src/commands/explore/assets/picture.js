// The picture of a board: a step replaces the elements that differ from the previous picture.

/// A picture that is shown: its parts as texts, and their elements.
/** @typedef {{ ground: string, stones?: string[], marks?: string[] }} Parts */
/** @typedef {{ picture: Element, group: Element, parts: Parts, stones: Element[], marks: Element[] }} Drawn */

const SVG = "http://www.w3.org/2000/svg";
const STONES = '<g class="stones">';

/// An element without elements inside.
const LEAF = /<(\w+)[^>]*?(?:\/>|>[^<]*<\/\1>)/g;

/// Parses a picture. The script sets its styles, because the policy of the page allows no styles in markup.
/** @type {(text: string) => Element | undefined} */
function parse(text) {
  const plain = text.replace("<svg ", `<svg xmlns="${SVG}" `).replaceAll(' style="', ' data-style="');
  const picture = new DOMParser().parseFromString(plain, "image/svg+xml").documentElement;
  if (picture.namespaceURI !== SVG) return undefined;
  for (const each of /** @type {NodeListOf<SVGElement>} */ (picture.querySelectorAll("[data-style]"))) {
    each.style.cssText = each.dataset.style ?? "";
    each.removeAttribute("data-style");
  }
  picture.setAttribute("aria-hidden", "true");
  return document.adoptNode(picture);
}

/// The elements of a text, or nothing if it has more than such elements.
/** @type {(text: string) => string[] | undefined} */
function leavesOf(text) {
  const leaves = text.match(LEAF) ?? [];
  return leaves.join("") === text ? leaves : undefined;
}

/// The parts of a picture: the ground, the stones, and the marks. The view has its own name, and the page draws the last move
/// itself if `hasLast` is false.
/** @type {(svg: string, hasLast: boolean) => Parts} */
export function split(svg, hasLast) {
  const text = svg.replace(/<title>[^<]*<\/title>/, "").replace(/<desc>[^<]*<\/desc>/, "");
  const start = text.indexOf(STONES) + STONES.length;
  const end = text.indexOf("</g>", start);
  const marks = leavesOf(text.slice(end + "</g>".length, -"</svg>".length));
  const shown = hasLast ? marks : marks?.filter((mark) => !/^<\w+ class="last[ "]/.test(mark));
  return { ground: text.slice(0, start), stones: leavesOf(text.slice(start, end)), marks: shown };
}

/// Replaces the elements of `before` by the elements of `after`, in the order of `after`. They stand one after the other in their
/// parent, before the element `end`.
/** @type {(parent: Element, end: Element | null, before: string[], after: string[], elements: Element[]) => Element[]} */
function replace(parent, end, before, after, elements) {
  /** @type {Map<string, Element[]>} */
  const kept = new Map();
  before.forEach((leaf, at) => kept.set(leaf, [...(kept.get(leaf) ?? []), elements[at]]));
  const found = after.map((leaf) => kept.get(leaf)?.shift());
  const fresh = after.filter((_, at) => !found[at]);
  const made = fresh.length ? [...(parse(`<svg >${fresh.join("")}</svg>`)?.children ?? [])] : [];
  const all = found.map((element) => element ?? made.shift()).filter((element) => element !== undefined);
  const isShown = new Set(all);
  elements.filter((element) => !isShown.has(element)).forEach((element) => element.remove());
  let next = end;
  for (const element of all.toReversed()) {
    if (element.nextElementSibling !== next || element.parentNode !== parent) parent.insertBefore(element, next);
    next = element;
  }
  return all;
}

/// Shows a picture in an element. `shown` is the result of the previous call.
/** @type {(frame: Element, svg: string | undefined, hasLast: boolean, shown?: Drawn) => Drawn | undefined} */
export function draw(frame, svg, hasLast, shown) {
  if (!svg) {
    frame.replaceChildren();
    return undefined;
  }
  const parts = split(svg, hasLast);
  if (
    shown?.parts.stones &&
    shown.parts.marks &&
    parts.stones &&
    parts.marks &&
    shown.parts.ground === parts.ground &&
    shown.picture.parentNode === frame
  ) {
    const { picture, group } = shown;
    const stones = replace(group, null, shown.parts.stones, parts.stones, shown.stones);
    const marks = replace(picture, null, shown.parts.marks, parts.marks, shown.marks);
    return { picture, group, parts, stones, marks };
  }
  const whole = parts.stones && parts.marks ? `${parts.ground}${parts.stones.join("")}</g>${parts.marks.join("")}</svg>` : svg;
  const picture = parse(whole);
  frame.replaceChildren(...(picture ? [picture] : []));
  const group = picture?.querySelector(".stones");
  if (!parts.stones || !parts.marks || !picture || !group) return undefined;
  const all = [...picture.children];
  return { picture, group, parts, stones: [...group.children], marks: all.slice(all.indexOf(group) + 1) };
}
