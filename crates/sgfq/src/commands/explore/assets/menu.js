// The menu: files to save, what the board shows, and the keys.

import { html, useEffect, useRef } from "./html.js";
import { question, state } from "./state.js";
import { pictureFile } from "./board.js";
import { useDropdown } from "./dropdown.js";
import { chooseOwn } from "./road.js";
import { download, notice, save, saveTable } from "./save.js";

const SHOWN = [
  ["coordinates", "Coordinates", "c"],
  ["numbers", "Move numbers", "m"],
  ["candidates", "Candidates", "x"],
];

export function Menu({ shown, settings, onSettings, onHelp }) {
  const menu = useDropdown();
  const act = (work) => () => {
    menu.current.open = false;
    work();
  };
  const isGame = state.game !== "";
  const isBoard = isGame || state.list === "";
  const board = state.board || shown.answer?.board;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(shown.command);
      notice(`Copied: ${shown.command}`);
    } catch {
      notice(shown.command);
    }
  };
  const games = () =>
    download("export", isGame ? { id: Number(state.game) } : { ...question(), board }, isGame ? "game.sgf" : "games.sgf");
  const items = [
    ["copy", "Copy as command", shown.command && copy],
    ["download", isGame ? "Game as SGF" : "Games as SGF", (isGame || state.list === "" || state.list === "games") && games],
    [
      "tree",
      "Tree as SGF",
      !isGame && state.list === "" && !state.pattern && (() => download("tree", { ...question(), board }, "tree.sgf")),
    ],
    ["csv", "Table as CSV", isBoard && shown.answer?.replies && (() => saveTable(shown.answer.replies))],
    ["picture", "Board as SVG", isBoard && (async () => save("board.svg", await pictureFile()))],
  ];
  return html`<details class="menu" ref=${menu}><summary id="menu" aria-label="Menu">Menu</summary><div class="items"
    role="group" aria-label="Menu">
    <h3>Save</h3>${items
      .filter(([, , work]) => work)
      .map(
        ([id, name, work]) => html`<button key=${id} id=${id}
      onClick=${act(work)}>${name}</button>`,
      )}
    <h3>My game</h3><button id="own" onClick=${act(chooseOwn)}>Compare my game …</button>
    <h3>Board</h3>${SHOWN.map(
      ([key, name, letter]) => html`<label class="check"><input type="checkbox"
      id=${`show-${key}`} checked=${settings[key]}
      onChange=${(event) => onSettings({ ...settings, [key]: event.target.checked })} /> ${name} <kbd>${letter}</kbd>
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

export function Help({ onClose }) {
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
