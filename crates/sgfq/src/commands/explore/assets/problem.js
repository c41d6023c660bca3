// Problems: the page hides the later moves, judges the moves of the user, and replies to them.

import { html, useEffect, useState } from "./html.js";
import { answerTo } from "./answers.js";
import { COLORS, partsOf } from "./format.js";
import { go, href, question, state } from "./state.js";
import { nextNodes, nodeQuestion } from "./game.js";
import { addGuess, addSolved, clearGuesses, scoreOf, solved } from "./solved.js";

/** @import { Component } from "./html.js" */
/** @import { GameReply, OtherNode } from "./protocol.d.ts" */

/// The result of the last move of a problem.
/** @typedef {{ isWrong?: boolean, isRight?: boolean, isOver?: boolean }} Result */

/** @typedef {(child: OtherNode | undefined, point: string) => Promise<void>} Play */
/** @typedef {{ result?: Result, play: Play, again: () => void }} SolvingState */

/// A game with more nodes in its line counts as a problem only if it marks right or wrong moves.
const LONG = 60;

/// Whether the user guesses the moves of a node's game, because it is no problem.
/** @type {(node: GameReply) => boolean} */
const isGame = (node) => !node.judged && node.line.length > LONG;

/// Milliseconds before the page replies to a move.
const PAUSE = 500;

/// Whether a move is right, by the answer of the archive, or by the main line if there is none.
/** @type {(node: GameReply, child: OtherNode) => "right" | "wrong" | undefined} */
function judgedOf(node, child) {
  const judged = node.judged?.find((each) => each.path === child.path)?.judged;
  return judged ?? (child === node.line[node.at + 1] ? "right" : undefined);
}

/// The state of solving: `result` is right or wrong once a move was played.
/** @type {(node: GameReply | undefined, refuse: (word: string, text: string) => void) => SolvingState} */
export function useSolving(node, refuse) {
  const [result, setResult] = useState(/** @type {Result | undefined} */ (undefined));
  useEffect(() => setResult(undefined), [state.game, state.hide]);
  /** @type {Play} */
  const play = async (child, point) => {
    if (!node || result?.isOver) return;
    if (isGame(node)) {
      const isRight = child && child === node.line[node.at + 1];
      addGuess(node.file, node.line[node.at].path, Boolean(isRight));
      if (isRight) go({ path: child.path });
      else refuse(point, "The game has another move");
      return;
    }
    if (!child) {
      refuse(point, nextNodes(node).length ? "This move is not in the problem" : "The line ends here");
      return;
    }
    const isWrong = result?.isWrong || judgedOf(node, child) === "wrong";
    const isMain = !isWrong && judgedOf(node, child) === "right";
    setResult({ isWrong, isRight: isMain });
    go({ path: child.path });
    const after = await answerTo("game", nodeQuestion(child.path));
    const [reply] = nextNodes(after);
    // Where one color has two moves in a row, the user plays both.
    if (reply && partsOf(reply.move).color === partsOf(child.move).color) return;
    if (reply?.move) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      if (state.path !== child.path) return;
      go({ path: reply.path });
      const end = await answerTo("game", nodeQuestion(reply.path));
      if (nextNodes(end).length) return;
    }
    if (isMain) addSolved(after.file);
    setResult({ isWrong, isRight: isMain, isOver: true });
  };
  return {
    result,
    play,
    again: () => {
      setResult(undefined);
      go({ path: "/0", tried: [] });
    },
  };
}

/// Goes to the next unsolved problem of the list.
/** @type {(node: GameReply) => Promise<void>} */
async function openUnsolved(node) {
  const known = solved();
  const asked = question();
  for (let skip = node.list?.number ?? 0; ; skip += 200) {
    const { rows } = await answerTo("games", { ...asked, skip, count: 200 });
    // A record without moves is an introduction.
    const next = rows.find((row) => !known.has(row.name) && Number(row.moves) > 0);
    if (next) return go({ game: `${next.id}`, move: `${next.move}`, path: next.path ?? "", tried: [] });
    if (!rows.length) return undefined;
  }
}

/// The score of the guesses in a game.
/** @type {Component<{ node: GameReply }>} */
function Guesses({ node }) {
  const next = node.line[node.at + 1];
  const { color = "" } = partsOf(next?.move);
  const reveal = () => {
    if (next.move) addGuess(node.file, node.line[node.at].path, false);
    go({ path: next.path });
  };
  const again = () => {
    clearGuesses(node.file);
    go({ path: "/0" });
  };
  return html`<p id="judged" class="note" role="status">${
    next ? `Guess ${COLORS[color] ?? "the"}${color ? "’s" : ""} next move.` : "The game ends here."
  } ${scoreOf(node.file)}</p><div class="bar"><button id="reveal" disabled=${!next}
      onClick=${reveal}>Show the move</button><button id="again" onClick=${again}>Start again</button></div>`;
}

/// The switch that hides the later moves, and the result of the last move.
/** @type {Component<{ node: GameReply, solving: SolvingState }>} */
export function Solving({ node, solving }) {
  const { result } = solving;
  const isSolved = solved().has(node.file);
  const says = result?.isOver
    ? result.isRight
      ? "Right. The problem is solved."
      : result.isWrong
        ? "Wrong. The line ends here."
        : "The line ends here."
    : result?.isWrong
      ? "Wrong. Another move solves the problem."
      : result?.isRight
        ? "Right. Go on."
        : "Play a move on the board.";
  const kind = result?.isRight ? "right" : result?.isWrong ? "wrong" : "";
  return html`<div id="solving"><label class="check"><input type="checkbox" id="hide" checked=${state.hide}
      onChange=${() => go({ hide: !state.hide, tried: [] })} /> ${isGame(node) ? "Guess the next move" : "Solve as a problem"}</label>
    ${isSolved && html`<span class="solved">✓ solved</span>`}
    ${state.hide && isGame(node) && html`<${Guesses} node=${node} />`}
    ${
      state.hide &&
      !isGame(node) &&
      html`<p id="judged" class=${`note ${kind}`} role="status">${says}</p><div class="bar">
      <button id="again" onClick=${solving.again}>Try again</button><a class="button"
        href=${href({ hide: false })}>Show solution</a>
      <button id="unsolved" onClick=${() => openUnsolved(node)}>Next unsolved</button></div>`
    }</div>`;
}
