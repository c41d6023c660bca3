// Copies what the board shows: a link, the position as SGF or text, and its picture. Saves lists of games.

import { html } from "./html.js";
import { answerTo } from "./answers.js";
import { closeMenu, useDropdown } from "./dropdown.js";
import { download, notice, save } from "./save.js";

/** @import { Component } from "./html.js" */
/** @import { CopyReply, ExportRequest, PositionRequest } from "./protocol.d.ts" */

/// Pixels of an image for a unit of its picture.
const SCALE = 2;

/// Draws a picture as PNG.
/** @type {(svg: string) => Promise<Blob>} */
async function imageOf(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [SCALE * image.width, SCALE * image.height];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("The browser cannot draw the image."))), "image/png"),
  );
}

/// The forms of a position: identifier, name, file, media type, and content of the server's answer.
/** @typedef {[id: string, name: string, file: string, type: string, content: (answer: CopyReply) => string | Promise<Blob>]} Form */

/** @type {Form[]} */
const FORMS = [
  ["copy-sgf", "SGF", "position.sgf", "text/plain", (answer) => answer.sgf],
  ["copy-text", "Text", "position.txt", "text/plain", (answer) => answer.text],
  ["copy-svg", "SVG", "position.svg", "text/plain", (answer) => answer.svg],
  ["copy-png", "Image (PNG)", "position.png", "image/png", (answer) => imageOf(answer.svg)],
];

/// Copies a content that may arrive later. If the browser refuses to copy, the content becomes a file.
/** @type {(name: string, file: string, type: string, content: Promise<string | Blob>) => Promise<void>} */
async function copy(name, file, type, content) {
  const blob = content.then((part) => (part instanceof Blob ? part : new Blob([part], { type })));
  try {
    // The browser gets the promise during the click, because it allows no copy afterward.
    await navigator.clipboard.write([new ClipboardItem({ [type]: blob })]);
    return notice(`Copied: ${name}.`);
  } catch {
    return blob.then(
      (part) => {
        save(file, part);
        notice(`The browser does not allow the page to copy. Saved ${file}.`);
      },
      (err) => notice(err.message),
    );
  }
}

/// The menu beside a board. `asked` is the request for its position, or none if there is no board.
/** @type {Component<{ asked?: PositionRequest }>} */
export function CopyMenu({ asked }) {
  const menu = useDropdown();
  const act = (/** @type {() => void} */ work) => () => {
    closeMenu(menu.current, true);
    work();
  };
  const link = () => copy("link", "link.txt", "text/plain", Promise.resolve(location.href));
  const position = (/** @type {Form} */ [, name, file, type, content], /** @type {PositionRequest} */ body) =>
    copy(
      name,
      file,
      type,
      answerTo("copy", body).then(async (answer) => content(answer)),
    );
  return html`<details class="menu" ref=${menu}><summary id="copy-board">Copy</summary><div class="items" role="group"
    aria-label="Copy"><button id="copy-link" onClick=${act(link)}>Link</button>
    ${
      asked &&
      FORMS.map(
        (form) => html`<button key=${form[0]} id=${form[0]} onClick=${act(() => position(form, asked))}>${form[1]}</button>`,
      )
    }</div></details>`;
}

/// The button that saves the games of a list.
/** @type {Component<{ asked: ExportRequest, file?: string }>} */
export const SaveList = ({ asked, file = "games.sgf" }) =>
  html`<button class="save-list" onClick=${() => download("export", asked, file)}>Save as SGF</button>`;
