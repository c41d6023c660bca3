// A game: its board at a node, the next moves of the archive at that position, and its moves, comments and variations.

import {
  Fragment,
  TextBox,
  classes,
  html,
  markCurrent,
  scrollSoon,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "./html.js";
import { answerTo, askAhead, useAnswer } from "./answers.js";
import { counted, eventOf, fileOf, number, partsOf, shortName, textOf } from "./format.js";
import { NO_GAME, NO_SHAPE, chosen, go, href, open, question, session, state, toPerson } from "./state.js";
import { Board, candidateAt, candidatesOf, lettered, placeOf, ratioOf } from "./board.js";
import { Curve, EngineLines } from "./curve.js";
import { Fault } from "./fault.js";
import { Move, NextMoves, widerWays } from "./next_moves.js";
import { PositionGames } from "./games.js";
import { Notes } from "./notes.js";
import { Repair } from "./repair.js";
import { Solving, useSolving } from "./problem.js";
import { GameRoad } from "./road.js";
import { Said, judgedMoves, useSaid } from "./said.js";
import { ShapeTools, cornerAt, shapeActs, useShape } from "./shape.js";
import { Tree } from "./tree.js";
import { Line, Tools, Turn, refusalOf, turnOf, useRefusal, writtenPoint } from "./workbench.js";

/** @import { Component, Ref } from "./html.js" */
/** @import { Way } from "./next_moves.js" */
/** @import { ViewComponent } from "./page.js" */
/** @import { GameReply, GameRequest, LineNode, Neighbor, OtherNode, PatternPlace, Point } from "./protocol.d.ts" */
/** @import { Search } from "./shape.js" */
/** @import { Walk } from "./state.js" */

/// Question for a node of the opened game: the one at `path`, or the one after a move.
/** @type {(path?: string) => GameRequest} */
export const nodeQuestion = (path = state.path) => ({
  ...question(),
  id: Number(state.game),
  ...(path ? { path } : { move: Number(state.move || 0) }),
  rotation: state.rotation || (state.pattern ? "hit" : undefined),
  pattern: state.pattern || undefined,
});

/// Number of nodes that the page asks for ahead.
const AHEAD = 12;

/// The step `by` nodes along a line from the node at `path`, or from the one that is shown if the line lacks it: the path to
/// which it leads, if it leads on, and the direction of the walk.
/** @type {(walk: Walk, path: string, by: number) => { path?: string, by: number }} */
export function stepAlong({ line, at: shown }, path, by) {
  const asked = line.findIndex((step) => step.path === path);
  const at = asked < 0 ? shown : asked;
  const to = Math.max(0, Math.min(line.length - 1, at + by));
  return { path: to === at ? undefined : line[to]?.path, by: to === 0 || (by > 0 && to < line.length - 1) ? 1 : -1 };
}

/// Paths of the node of an address and of those to which the next steps of a walk lead.
/** @type {(walk: Walk, game: string, path: string) => string[]} */
export function nextPaths(walk, game, path) {
  const at = walk.line.findIndex((step) => step.path === path);
  if (walk.game !== game || at < 0 || !walk.by) return [];
  const steps = Array.from({ length: AHEAD + 1 }, (_, count) => walk.line[at + count * walk.by]);
  return steps.filter(Boolean).map((step) => step.path);
}

/// While the user walks, asks for nodes before they are shown.
function askNext() {
  if (state.hide) return;
  for (const path of nextPaths(session.walk, state.game, state.path)) askAhead("game", nodeQuestion(path));
}

/** @type {(by: number) => void} */
export function stepGame(by) {
  if (state.tried.length) {
    if (by < 0) go({ tried: by === -Infinity ? [] : state.tried.slice(0, by) });
    return;
  }
  if (state.hide && by > 0) return;
  // The user may press keys before answers arrive: then the address names another node than the board shows.
  const step = stepAlong(session.walk, state.path, by);
  session.walk = { ...session.walk, by: step.by };
  if (step.path) go({ path: step.path });
}

/// Number of the variation that begins at the node with this path.
/** @type {(path: string) => number} */
const variationOf = (path) => Number(/(\d+)\/\d+$/.exec(path)?.[1] ?? 0);

/// The variation `by` places below a node that begins one. After the last variation comes the first.
/** @type {(node: LineNode, by: number) => OtherNode | undefined} */
export function variationBeside(node, by) {
  /** @type {OtherNode[]} */
  const all = [node, ...(node.others ?? [])];
  all.sort((one, other) => variationOf(one.path) - variationOf(other.path));
  return all.at((all.indexOf(node) + by) % all.length);
}

/// Goes to the variation below or above the current one.
/** @type {(by: number) => void} */
export function stepVariation(by) {
  const { line, at } = session.walk;
  const to = line[at]?.others && variationBeside(line[at], by);
  if (to && !state.tried.length) go({ path: to.path });
}

/** @type {(node: GameReply) => OtherNode[]} */
export const nextNodes = (node) => {
  const next = node.line[node.at + 1];
  return next ? [next, ...(next.others ?? [])] : [];
};
/** @type {(step: OtherNode, point: string) => boolean} */
export const isPlayed = (step, point) => partsOf(step.move).point.toLowerCase() === point.toLowerCase();

/// The last move up to the node that is on the point.
/** @type {(node: GameReply, point: string) => LineNode | undefined} */
const placedBy = (node, point) => node.line.slice(0, node.at + 1).findLast((step) => isPlayed(step, point));

/// Moves whose stones are captured, as `20 at 112`: the number of the stone on the point now, or the name of the point.
/** @type {(node: GameReply) => string[]} */
export function capturedMoves(node) {
  const points = new Map((node.points?.all ?? []).map((point) => [point[1], placeOf(point[4], point[5])]));
  const shown = new Map((node.numbers ?? []).map(([column, row, number]) => [placeOf(column, row), number]));
  const all = [];
  for (const step of node.line.slice(0, node.at + 1)) {
    const { point } = partsOf(step.move);
    const place = points.get(point);
    if (!step.number || !place || shown.get(place) === step.number) continue;
    all.push(`${step.number} at ${shown.get(place) ?? point}`);
  }
  return all;
}

/** @type {Component<{ node: GameReply, isHidden: boolean }>} */
function MoveList({ node, isHidden }) {
  /** @type {Ref} */
  const place = useRef();
  const line = isHidden ? node.line.slice(0, node.at + 1) : node.line;
  const step = (
    /** @type {LineNode} */ each,
    /** @type {number} */ at,
  ) => html`<a key=${each.path} href=${href({ path: each.path, tried: [] })}
    tabindex="-1" class=${classes({ step: true, noted: each.comment })}>
    ${each.number ? html`<span class="dim">${each.number}.</span> ` : ""}${
      each.move
        ? html`<${Move}
      move=${each.move} />`
        : at
          ? "·"
          : "Start"
    }</a>`;
  const others = (/** @type {LineNode} */ each, /** @type {number} */ at) =>
    each.others &&
    each.others.length > 0 &&
    !(isHidden && at === node.at) &&
    html`<span class="others">or
    ${each.others.map(
      (other) => html` <a href=${href({ path: other.path, tried: [] })}
      tabindex="-1">${partsOf(other.move).point || "·"}</a>`,
    )}</span>`;
  // The last node names the line. Links keep the rest of the address.
  const key = [node.id, line.at(-1)?.path, line.length, isHidden, href({ path: "", tried: [] })].join(" ");
  const steps = useMemo(() => html`<${Fragment}>${line.map((each, at) => [step(each, at), others(each, at)])}<//>`, [key]);
  useLayoutEffect(() => {
    const list = place.current;
    const at = /** @type {HTMLElement | undefined} */ (list.querySelectorAll(".step")[node.at]);
    markCurrent(list, at, { tabindex: ["0", "-1"], "aria-current": ["step", undefined] });
    if (!at) return undefined;
    return scrollSoon(list, () => ({ top: Math.round(at.offsetTop - list.clientHeight / 2) }));
  }, [node, key]);
  return html`<div class="line" ref=${place} role="group" aria-label="Moves of the game">${steps}</div>`;
}

/// A title and the facts of a game.
/** @type {Component<{ node: GameReply, inputs: string[] }>} */
function Facts({ node, inputs }) {
  const named = Object.fromEntries(node.info);
  const side = (/** @type {string} */ name) =>
    named[name]
      ? html`<a href=${href(toPerson(named[name]))}
    title=${`What is known of ${named[name]}`}>${named[name]}</a> ${named[`Rank of ${name}`]}`
      : "?";
  const title =
    named.Black || named.White
      ? html`<i class="stone b" />${side("Black")} <span
    class="dim">–</span> <i class="stone w" />${side("White")}`
      : (named.Name ?? fileOf(node.file));
  const line = [named.Result, named.Date, eventOf(named.Event), named.Round].filter(Boolean).join(" · ");
  return html`<h2>${title}</h2><p class="dim facts-line">${line}</p>
    <details id="facts"><summary>Game information</summary><dl>${node.info.map(
      ([name, text]) => html`<dt>${name}</dt>
      <dd>${text}</dd>`,
    )}
      <dt>Nodes</dt><dd>${number(node.nodes)}</dd><dt>File</dt><dd class="path">${shortName(node.file, inputs)}</dd></dl></details>`;
}

/** @type {Component<{ node: GameReply }>} */
function Neighbors({ node }) {
  const { list } = node;
  const to = (/** @type {Neighbor} */ game) =>
    href({ ...NO_GAME, game: `${game.id}`, move: `${game.move}`, path: game.path ?? "" });
  const link = (/** @type {string} */ id, /** @type {string} */ text, /** @type {Neighbor | null} */ game) =>
    game
      ? html`<a id=${id} href=${to(game)} class="button">${text}</a>`
      : html`<button
    id=${id} disabled>${text}</button>`;
  return html`<div class="bar neighbors"><a id="leave" class="button" href=${href(NO_GAME)}>← Back to the list</a>
    ${
      list && [
        link("before", "Previous", list.before),
        link("after", "Next", list.after),
        html`<span
      class="dim">${number(list.number)} of ${number(list.total)}</span>`,
      ]
    }</div>`;
}

/** @type {Record<string, string>} */
const TRANSFORMS = {
  identity: "as you drew it",
  "mirror-columns": "mirrored left to right",
  "mirror-rows": "mirrored top to bottom",
  transpose: "mirrored diagonally",
  antitranspose: "mirrored diagonally",
};
/** @type {(name: string) => string} */
const transformOf = (name) =>
  TRANSFORMS[name] ?? `${name.startsWith("t") ? "mirrored and " : ""}rotated by ${name.match(/\d+/)}°`;

/// The orientations of the searched shape in the game, and of the board.
/** @type {Component<{ hit?: PatternPlace | null, rotation?: string }>} */
function HitNote({ hit, rotation }) {
  const transform = hit?.transform ?? rotation;
  if (!state.pattern || !transform) return null;
  return html`<p id="hit" class="note"><span>${
    hit ? `The game has the shape ${transformOf(transform)}${hit.exchanged ? ", with swapped colors" : ""}.` : ""
  } ${rotation ? "The board has the orientation of the shape." : ""}</span>
    ${
      rotation
        ? html`<a class="button" href=${href({ rotation: "identity" })}>Show as in the file</a>`
        : transform !== "identity" &&
          html`<a class="button"
        href=${href({ rotation: transform })}>Show as the shape</a>`
    }</p>`;
}

/** @type {ViewComponent} */
export function GameView({ status, settings, onShown }) {
  useEffect(askNext, [state.path, session.walk.line]);
  const game = useAnswer("game", nodeQuestion());
  // The previous game stays until the next one arrives, so that the page does not jump.
  const node = game.answer;
  const isOther = node && `${node.id}` !== state.game;
  if (node && !isOther) {
    const by = session.walk.game === state.game ? session.walk.by : 0;
    session.walk = { game: state.game, line: node.line, at: node.at, by };
  }
  const path = node?.line[node.at].path;
  const from = useMemo(
    () => (node && !state.hide ? { from: { id: node.id, path }, moves: state.tried.join(" ") } : undefined),
    [node, state.hide, state.tried.join(" ")],
  );
  const rotation = node?.rotation ?? undefined;
  const asked = from && !node?.no_board && !isOther ? { ...from, ...chosen(), rotation } : undefined;
  const beside = useAnswer("position", asked, { isPatient: true });
  const said = useSaid(asked);
  const replies = !beside.isStale && asked ? beside.answer : undefined;
  const isTried = state.tried.length > 0;
  // The board shows a tried move when its answer arrives.
  const shown = isTried ? (replies ?? beside.answer ?? node) : node;
  const [hovered, setHovered] = useState(/** @type {string | undefined} */ (undefined));
  const [refusal, refuse, forget] = useRefusal(shown?.points);
  const shape = useShape(replies?.rows);
  const solving = useSolving(node, refuse);
  useEffect(() => onShown({ command: node?.command, answer: beside.answer }), [node, beside.answer]);
  useEffect(forget, [path, isTried]);
  // The nodes that follow keep the rotation of the hit.
  useEffect(() => {
    if (rotation && !isOther && !state.rotation) go({ rotation }, false);
  }, [node]);

  const turn = isTried ? turnOf(replies?.to_play, state.tried.at(-1)) : turnOf(node?.to_play ?? node?.turn, node?.played);
  const childAt = (/** @type {string} */ name) =>
    node && !isTried ? nextNodes(node).find((step) => isPlayed(step, name)) : undefined;
  const play = async (/** @type {string} */ point, name = point) => {
    if (game.isStale) return undefined;
    const child = childAt(name);
    if (state.hide) return solving.play(child, point);
    if (!asked) return undefined;
    if (child) return go({ path: child.path });
    try {
      const move = `${turn}[${writtenPoint(shown?.points, point)}]`;
      const tried = [...state.tried, move];
      const moves = asked.moves ? `${asked.moves} ${move}` : move;
      const next = await answerTo("position", { ...asked, moves });
      const refused = refusalOf(replies, next);
      return refused ? refuse(point, refused) : go({ path, tried });
    } catch (err) {
      return refuse(point, textOf(err));
    }
  };
  const linkTo = (/** @type {{ add: string | null, next: string }} */ reply) => {
    if (!reply.add) return undefined;
    const child = childAt(reply.next);
    return child ? href({ path: child.path }) : href({ path, tried: [...state.tried, reply.add] });
  };
  // The next move of the opened game alone is no statistics, but its variations are.
  const isAlone = replies?.is_alone && (replies.replies ?? []).length < 2;
  const others = useMemo(() => lettered(isAlone ? [] : (replies?.replies ?? []), shown?.marks), [replies, shown]);
  const hasCandidates = settings.candidates && !state.hide;
  const candidates = useMemo(() => candidatesOf(hasCandidates ? others : [], replies?.mean), [others, hasCandidates]);
  const games = useMemo(
    () => asked && html`<${PositionGames} asked=${{ ...from, ...chosen() }} board=${node?.board} />`,
    [JSON.stringify(asked)],
  );
  if (!node || !shown)
    return html`<div class="bench"><${Fault} error=${game.error} onRetry=${game.retry} />${
      !game.error && html`<p class="empty">Opening the game …</p>`
    }</div>`;

  const last = isTried ? state.tried.at(-1) : node.played;
  const says = `${replies?.board ?? "Board"}, move ${node.move ?? 0}${last ? `, last move ${last}` : ""}`;
  const line = replies?.line ?? [];
  const touch = (/** @type {Point} */ point, /** @type {boolean} */ hasStone) => {
    const placed = hasStone && !isTried && !state.hide ? placedBy(node, point[1]) : undefined;
    if (placed) return go({ path: placed.path });
    // A click on a circle is a click on its row.
    const found = candidateAt(candidates, point);
    const to = found && linkTo(found.reply);
    return to ? open(to) : play(point[0], point[1]);
  };
  const hit =
    !isTried && node.hit && state.pattern
      ? { left: node.hit.column, top: node.hit.row, width: node.hit.width, height: node.hit.height, isFixed: true }
      : undefined;
  const rows = replies?.rows;
  const acts = shape.isOn && rows ? shapeActs(shape, rows) : { shape: hit, onPoint: touch };
  const search = (/** @type {Search} */ found) => go({ ...NO_GAME, ...found, moves: [], list: "" });
  const selection = asked?.where ? " of the filtered ones" : "";
  const empty = isAlone ? `Only this game${selection} has this position.` : `No other game${selection} has this position.`;
  const corner = replies?.rows && replies.last && cornerAt(replies.rows, replies.last);
  /** @type {Way[]} */
  const ways = [
    ["Search this corner as a shape", corner && { ...NO_GAME, ...corner, moves: [], list: "" }],
    ...widerWays(status),
  ];
  const captured = settings.numbers && !isTried && node.captures ? capturedMoves(node) : [];
  const hasTree = node.tree.is_cut || node.tree.nodes.some((each) => each[3]);
  const isLeft = state.hide || node.at + 1 >= node.line.length;
  const copied = { from: { id: node.id, path }, moves: state.tried.join(" "), ...chosen(), rotation };
  const tools = {
    step: stepGame,
    copied: node.no_board ? undefined : copied,
    canBack: isTried || node.at > 0,
    canForward: !isTried && !isLeft,
    goOn:
      typeof node.moves === "string" &&
      !state.hide &&
      href({ ...NO_GAME, ...NO_SHAPE, list: "", board: node.board, moves: [node.moves, ...state.tried].filter(Boolean) }),
    onMove: (/** @type {string} */ word) => play(word),
    isSelecting: shape.isOn,
    onSelect: rows && (() => shape.setIsOn(!shape.isOn)),
  };
  return html`<div class="bench with-game" style=${
    node.no_board ? { "--ratio": "9" } : ratioOf(shown.svg, shown.points, settings.coordinates)
  }>
    <section id="board" aria-label="Board">${
      node.no_board
        ? html`<p class="empty">${node.no_board}</p>`
        : html`<${Board}
      svg=${shown.svg} points=${shown.points} label=${says} candidates=${candidates} hovered=${hovered}
      ghost=${turn} last=${isTried ? shown.last : undefined} numbers=${settings.numbers ? shown.numbers : []}
        refusal=${refusal}
      hasCoordinates=${settings.coordinates} onHover=${setHovered} onStep=${stepGame} ...${acts} />`
    }</section>
    <section id="game" class=${classes({ panel: true, stale: game.isStale })} aria-label="Game"><${Neighbors} node=${node} />
      ${
        shape.isOn &&
        rows &&
        html`<${ShapeTools} shape=${shape} rows=${rows} onSearch=${search}
        onLeave=${() => shape.setIsOn(false)} />`
      }
      <${Fault} error=${game.error ?? beside.error} /><${Facts} node=${node}
        inputs=${status.inputs} />
      ${!state.hide && !node.no_board && html`<${GameRoad} id=${node.id} path=${path} />`}
      ${!state.hide && html`<${Curve} node=${node} />`}
      <${HitNote} hit=${isTried ? undefined : node.hit} rotation=${rotation} />
      ${
        isTried &&
        html`<p id="tried" class="note"><span>${counted(state.tried.length, "tried move")}</span>
        <a id="untry" class="button" href=${href({ tried: [] })}>← Back to the game</a></p>`
      }
      ${
        !isTried &&
        (node.name || node.comment) &&
        html`<${TextBox} id="comment" class="comment">${node.name && html`<b>${node.name}</b>\n`}${node.comment}<//>`
      }
      <${Solving} node=${node} solving=${solving} />
      ${hasTree && !state.hide && html`<${Tree} tree=${node.tree} path=${path} />`}
      <${MoveList} node=${node} isHidden=${state.hide} />${
        !state.hide &&
        html`<${EngineLines}
        lines=${node.engine} path=${path} /><${Notes} board=${node.board} isTried=${isTried && !game.isStale}
        words=${node.moves?.split(" ").filter(Boolean).concat(state.tried)} />`
      }<${Repair} key=${node.id} id=${node.id} /></section>
    ${
      !state.hide &&
      !node.no_board &&
      html`<div class="side"><${NextMoves}
      answer=${beside.answer && { ...beside.answer, replies: others }} linkTo=${linkTo} hovered=${hovered}
      onHover=${setHovered} isStale=${beside.isStale} isStart=${!isTried && !node.move} title="Next moves in the archive" empty=${empty} ways=${ways}
      judged=${judgedMoves(said.isStale ? undefined : said.answer)} /><${Said} said=${said} turn=${turn} linkTo=${linkTo}
        own=${isTried ? undefined : { id: node.id, path }} /></div>`
    }
    <div class="below"><${Turn} toPlay=${turn} captures=${shown.captures} hasLines=${status.variations}><span
      class="dim">${node.played && !isTried ? ` Move ${node.move}: ${node.played}` : ""}</span><//>
      ${captured.length > 0 && html`<p id="captured" class="dim">${captured.join(", ")}</p>`}
      ${
        isTried &&
        html`<${Line} moves=${line.slice(-state.tried.length)}
        linkTo=${(/** @type {number} */ count) => href({ tried: state.tried.slice(0, count) })} empty="" />`
      }
      <${Fault} id="refused" error=${refusal && !refusal.place ? { message: refusal.text } : undefined} /><${Tools}
        ...${tools} />
      <p class="hidden" role="status" aria-live="polite">${`Move ${node.move ?? 0}: ${last ?? "start"}.`} ${
        refusal?.text ?? ""
      }</p></div>
    <div class="list-area">${games}</div></div>`;
}
