// The menu: files to save, what the board shows, and the keys.

import { html, useEffect, useRef } from "./html.js";
import { question, state } from "./state.js";
import { pictureFile } from "./board.js";
import { closeMenu, useDropdown } from "./dropdown.js";
import { chooseOwn } from "./road.js";
import { download, notice, save, saveTable } from "./save.js";

/** @import { Component, Ref } from "./html.js" */
/** @import { Insight } from "./page.js" */
/** @import { Settings } from "./solved.js" */

/** @type {[key: keyof Settings, name: string, letter: string][]} */
const SHOWN = [
  ["coordinates", "Coordinates", "c"],
  ["numbers", "Move numbers", "m"],
  ["candidates", "Candidates", "x"],
];

/** @type {Component<{ shown: Insight, settings: Settings, onSettings: (settings: Settings) => void, onHelp: () => void }>} */
export function Menu({ shown, settings, onSettings, onHelp }) {
  const menu = useDropdown();
  const act = (/** @type {() => void} */ work) => () => {
    closeMenu(menu.current, false);
    work();
  };
  const isGame = state.game !== "";
  const isBoard = isGame || state.list === "";
  const board = state.board || shown.answer?.board;
  const { command, answer } = shown;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command ?? "");
      notice(`Copied: ${command}`);
    } catch {
      notice(command ?? "");
    }
  };
  const games = () =>
    download("export", isGame ? { id: Number(state.game) } : { ...question(), board }, isGame ? "game.sgf" : "games.sgf");
  const replies = answer?.replies;
  const picture = async () => {
    const file = await pictureFile();
    if (file) save("board.svg", file);
  };
  /** @type {[id: string, name: string, work: unknown][]} */
  const items = [
    ["copy", "Copy as command", command && copy],
    ["download", isGame ? "Game as SGF" : "Games as SGF", (isGame || state.list === "" || state.list === "games") && games],
    [
      "tree",
      "Tree as SGF",
      !isGame && state.list === "" && !state.pattern && (() => download("tree", { ...question(), board }, "tree.sgf")),
    ],
    ["csv", "Table as CSV", isBoard && replies && (() => saveTable(replies))],
    ["picture", "Board as SVG", isBoard && picture],
  ];
  return html`<details class="menu" ref=${menu}><summary id="menu" aria-label="Menu">Menu</summary><div class="items"
    role="group" aria-label="Menu">
    <h3>Save</h3>${items
      .filter(([, , work]) => work)
      .map(
        ([id, name, work]) => html`<button key=${id} id=${id}
      onClick=${act(/** @type {() => void} */ (work))}>${name}</button>`,
      )}
    <h3>My game</h3><button id="own" onClick=${act(chooseOwn)}>Compare my game …</button>
    <h3>Board</h3>${SHOWN.map(
      ([key, name, letter]) => html`<label class="check"><input type="checkbox"
      id=${`show-${key}`} checked=${settings[key]}
      onChange=${() => onSettings({ ...settings, [key]: !settings[key] })} /> ${name} <kbd>${letter}</kbd>
        </label>`,
    )}
    <h3>Help</h3><button id="keys" onClick=${act(onHelp)}>Keyboard <kbd>?</kbd></button></div></details>`;
}

const KEYS = [
  ["← →", "One move back or forward"],
  ["Home End", "To the start or the end"],
  ["↑ ↓", "To another variation"],
  ["n p", "Next or previous game"],
  ["/", "Search games or players"],
  ["f", "Filters"],
  ["c", "Coordinates on or off"],
  ["m", "Move numbers on or off"],
  ["x", "Candidates on or off"],
  ["s", "Select a shape: Shift and arrows select, X O . ? * change a point"],
  ["Esc", "Back to the list"],
  ["?", "This help"],
];

/** @type {Component<{ onClose: () => void }>} */
export function Help({ onClose }) {
  /** @type {Ref<HTMLDialogElement>} */
  const dialog = useRef();
  useEffect(() => dialog.current.showModal(), []);
  return html`<dialog ref=${dialog} id="help" aria-labelledby="help-title" onClose=${onClose}><form method="dialog"><h2
    id="help-title">Keyboard</h2>
    <dl class="keys">${KEYS.map(
      ([keys, text]) => html`<dt>${keys.split(" ").map((key) => html`<kbd>${key}</kbd> `)}</dt>
      <dd>${text}</dd>`,
    )}</dl>
    <div class="bar end"><button class="primary">Close</button></div></form></dialog>`;
}
