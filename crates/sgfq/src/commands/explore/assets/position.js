// A position: its board, the next moves, and the games. If a shape is selected, the page searches for it instead.

import { html, useEffect, useMemo, useState } from "./html.js";
import { answerTo, useAnswer } from "./answers.js";
import { counted, partsOf, textOf } from "./format.js";
import { NO_SHAPE, go, href, open, question, session, state } from "./state.js";
import { Board, candidateAt, candidatesOf, lettered, placeOf, placesOf, ratioOf } from "./board.js";
import { Fault } from "./fault.js";
import { NextMoves, widerWays } from "./next_moves.js";
import { PositionGames } from "./games.js";
import { Notes } from "./notes.js";
import { OwnRoad, guessOwn, hasLeftOwn, isGuessing, ownLine } from "./road.js";
import { Said, judgedMoves, useSaid } from "./said.js";
import { SetupTools, brushActs, brushTyped, useBrush } from "./setup.js";
import { isSetup, moveCount, setupCount, waysToStarts } from "./start.js";
import { ShapeTools, cornerAt, painted, patternOf, shapeActs, useShape } from "./shape.js";
import { Line, Tools, Turn, refusalOf, turnOf, useRefusal, writtenPoint } from "./workbench.js";

/** @import { LetteredReply } from "./board.js" */
/** @import { Way } from "./next_moves.js" */
/** @import { ViewComponent } from "./page.js" */
/** @import { NextMoveReply, Point } from "./protocol.d.ts" */

/// Goes `by` moves back or forward. Forward steps play the moves that the user took back.
/** @type {(by: number) => void} */
export function stepPosition(by) {
  if (by < 0 && state.moves.length) {
    // The start keeps its stones, unless the board shows the start already.
    const setup = setupCount(state.moves);
    const kept = by === -Infinity ? (setup < state.moves.length ? setup : 0) : state.moves.length + by;
    go({ moves: state.moves.slice(0, kept), ...NO_SHAPE });
  } else if (by > 0 && session.ahead.length) {
    const taken = session.ahead.slice(0, by === Infinity ? session.ahead.length : by);
    go({ moves: [...state.moves, ...taken], ...NO_SHAPE });
  }
}

/** @type {ViewComponent} */
export function PositionView({ status, settings, onShown }) {
  const asked = question();
  const onBoard = { ...asked, pattern: undefined, mover: undefined };
  const searched = state.pattern;
  const isShape = searched !== "";
  const board = useAnswer("position", onBoard);
  const found = useAnswer("position", isShape ? asked : undefined);
  // If the filters are wrong, the board shows all games.
  const plain = useAnswer("position", board.error && !board.answer ? { ...onBoard, where: "" } : undefined);
  const answer = board.answer ?? plain.answer;
  const results = isShape ? found : board;
  const said = useSaid(isShape ? undefined : onBoard);
  const shape = useShape(answer?.rows, searched);
  const brush = useBrush();
  const [hovered, setHovered] = useState(/** @type {string | undefined} */ (undefined));
  const [refusal, refuse, forget] = useRefusal(answer?.points);
  useEffect(() => onShown({ command: results.answer?.command, answer: results.answer }), [results.answer]);
  useEffect(forget, [asked.moves]);

  const isSearched = isShape && shape.text === state.pattern.replaceAll("/", "\n") && shape.mover === state.mover;
  const turn = turnOf(answer?.to_play, answer?.line?.at(-1));
  const play = async (/** @type {string} */ word) => {
    const move = `${turn}[${writtenPoint(answer?.points, word)}]`;
    if (isGuessing()) {
      const refused = guessOwn(move);
      return refused && refuse(word, refused);
    }
    const moves = [...state.moves, move];
    try {
      const next = await answerTo("position", { ...onBoard, moves: moves.join(" ") });
      const refused = refusalOf(answer, next);
      if (refused) return refuse(word, refused);
    } catch (err) {
      return refuse(word, textOf(err));
    }
    return go({ moves, ...NO_SHAPE });
  };
  // The next moves of a shape are on points of its rectangle.
  const replies = useMemo(() => {
    const all = results.answer?.replies ?? [];
    const { draft } = shape;
    if (!isShape || !draft) return lettered(all, answer?.marks);
    const places = placesOf(answer?.points);
    return lettered(
      all.map((reply) => {
        if (!reply.field) return reply;
        /** @type {[column: number, row: number]} */
        const field = [reply.field[0] + draft.left, reply.field[1] + draft.top];
        return { ...reply, field, next: places.get(placeOf(...field))?.[1] ?? reply.next };
      }),
    );
  }, [results.answer, isShape, shape.draft, answer]);
  // Next moves would tell what the user guesses.
  const isHidden = isGuessing();
  const hasCandidates = settings.candidates && !isHidden && (!isShape || isSearched);
  const candidates = useMemo(() => candidatesOf(hasCandidates ? replies : [], results.answer?.mean), [replies, hasCandidates]);
  // The shape after a next move.
  const rows = answer?.rows;
  const shapeAfter = (/** @type {NextMoveReply | undefined} */ reply) => {
    if (!isSearched || !shape.draft || !rows || !reply?.field || !reply.color) return undefined;
    const draft = painted(shape.draft, ...reply.field, reply.color === "B" ? "X" : "O", rows);
    return { pattern: patternOf(draft, rows), at: placeOf(draft.left, draft.top), mover: reply.color === "B" ? "W" : "B" };
  };
  const playInShape = (/** @type {Point} */ [, , , , column, row]) => {
    const after = shapeAfter(replies.find((each) => each.field?.[0] === column && each.field?.[1] === row));
    if (after) go(after);
  };
  const leaveShape = () => {
    shape.setIsOn(false);
    shape.setDraft(undefined);
    if (isShape) go(NO_SHAPE);
  };
  const linkTo = (/** @type {LetteredReply | undefined} */ reply) => {
    if (!isShape) return reply?.add && href({ moves: [...state.moves, reply.add] });
    const after = shapeAfter(reply);
    return after && href(after);
  };
  const acts = brush.isOn
    ? brushActs(brush)
    : shape.isOn && rows
      ? { ...shapeActs(shape, rows), onPoint: playInShape }
      : {
          onPoint: (/** @type {Point} */ point) => {
            // A click on a circle is a click on its row.
            const to = linkTo(candidateAt(candidates, point)?.reply);
            return to && !isHidden ? open(to) : play(point[0]);
          },
        };

  const line = answer?.line ?? [];
  const last = partsOf(isSetup(line.at(-1) ?? "") ? "" : line.at(-1));
  const played = moveCount(line);
  // Pieces are more than the stones on their points.
  const hasStones = rows && !/class="field"|class="prong/.test(answer?.svg ?? "");
  const says = `${answer?.board ?? "Board"}, ${counted(played, "move")}${last.point ? `, last move ${line.at(-1)}` : ""}`;
  const title = isShape ? "Next moves of the shape" : "Next moves";
  const empty = isShape ? "No games have this shape. Enlarge “Any”." : "No games have this position.";
  /** @type {Way[]} */
  const ways = [
    ["Take the last move back", !isShape && state.moves.length > 0 && { moves: state.moves.slice(0, -1) }],
    ["Search this corner as a shape", !isShape && rows && answer.last && cornerAt(rows, answer.last)],
    ...(isShape || state.moves.length ? [] : waysToStarts(status, answer?.board)),
    ...widerWays(status),
  ];
  const counts = new Map(answer?.boards ?? []);
  const impossible = answer?.impossible && `${answer.impossible} does not fit on a board of the archive`;
  const fault = refusal && !refusal.place ? refusal.text : (answer?.illegal ?? impossible);
  const refused = useMemo(() => (fault ? { message: fault } : undefined), [fault]);
  const games = useMemo(
    () => html`<${PositionGames} asked=${asked} board=${isShape ? undefined : results.answer?.board} />`,
    [JSON.stringify(asked), results.answer],
  );
  return html`<div class="bench" style=${ratioOf(answer?.svg, answer?.points, settings.coordinates)}>
    <section id="board" aria-label="Board"><${Board} svg=${answer?.svg} points=${answer?.points} label=${says}
      candidates=${candidates} hovered=${hovered}
      ghost=${shape.isOn || brush.brush === "AE" ? undefined : ({ AB: "B", AW: "W" }[brush.brush] ?? turn)} last=${answer?.last} numbers=${settings.numbers ? answer?.numbers : []}
        refusal=${refusal}
      hasCoordinates=${settings.coordinates} isStale=${board.isStale && !answer} onHover=${setHovered}
      onStep=${state.moves.length || session.ahead.length ? stepPosition : undefined} ...${acts} />
        </section>
    <div class="side"><${Fault} error=${board.error ?? found.error} onRetry=${board.error ? board.retry : found.retry} />
      ${brush.isOn && html`<${SetupTools} ...${brush} />`}
      ${
        shape.isOn &&
        rows &&
        html`<${ShapeTools} shape=${shape} rows=${rows} isSearched=${isSearched}
        onSearch=${go} onLeave=${leaveShape} />`
      }
      <${OwnRoad} />
      ${
        !isHidden &&
        html`<${NextMoves} answer=${results.answer && { ...results.answer, replies }} linkTo=${linkTo} hovered=${hovered}
        onHover=${setHovered}
        isStale=${results.isStale || (shape.isOn && Boolean(shape.draft) && !isSearched)} title=${title} empty=${empty}
        ways=${ways} isStart=${!isShape && played === 0} judged=${isShape ? undefined : judgedMoves(said.isStale ? undefined : said.answer)} />`
      }
      ${!isShape && !isHidden && html`<${Said} said=${said} turn=${turn} linkTo=${linkTo} />`}
      ${
        !isShape &&
        answer?.board &&
        html`<div class="panel"><${Notes} board=${state.board || answer.board}
        words=${state.moves} isTried=${hasLeftOwn()} own=${ownLine()} /></div>`
      }
          </div>
    <div class="below"><${Turn} toPlay=${turn} captures=${answer?.captures} hasLines=${status.variations} />
      <${Line} moves=${line} linkTo=${(/** @type {number} */ count) => href({ moves: state.moves.slice(0, count), ...NO_SHAPE })}
        empty="Click a point, or a move of the table." />
      <${Fault} id="refused" error=${refused} />
      <${Tools} step=${stepPosition} canBack=${state.moves.length > 0} canForward=${session.ahead.length > 0}
        onMove=${brush.isOn ? brushTyped(brush, answer?.points, refuse) : play} isSelecting=${shape.isOn}
        onSelect=${rows && !brush.isOn && (() => (shape.isOn ? leaveShape() : shape.setIsOn(true)))}
        isSettingUp=${brush.isOn} onSetUp=${hasStones && !shape.isOn && (() => brush.setBrush(brush.isOn ? "" : "AB"))}
        copied=${answer?.svg && onBoard} status=${status} shown=${state.board || answer?.board || status.boards[0]} counts=${counts} />
      <p class="hidden" role="status"
        aria-live="polite">${
          last.point ? `Move ${played}: ${line.at(-1)}. ${counted(results.answer?.games ?? 0, "game")}.` : ""
        }
        ${refusal?.text ?? ""}</p></div>
    <div class="list-area">${games}</div></div>`;
}
