// The page of `sgfq explore`: it shows the state in the address, and requests the data from the server.

import { html, render, useEffect, useErrorBoundary, useMemo, useState } from "./html.js";
import { Locked, ask, losses, takeToken } from "./ask.js";
import { stop, useBusy } from "./answers.js";
import { counted, fileOf, number, textOf } from "./format.js";
import { NO_GAME, NO_PERSON, go, href, onChange, open, readAddress, state } from "./state.js";
import { FilterDialog, Filters } from "./filters.js";
import { Help, Menu } from "./menu.js";
import { AllGames } from "./games.js";
import { Findings } from "./findings.js";
import { GameView, stepGame, stepVariation } from "./game.js";
import { PersonView } from "./people.js";
import { Players } from "./players.js";
import { PositionView, stepPosition } from "./position.js";
import { Report } from "./report.js";
import { onNotice } from "./save.js";
import { readSettings, writeSettings } from "./solved.js";

/// Milliseconds between two requests for the progress.
const OFTEN = 250;

/// Milliseconds without a request after which the page is at rest: an answer may lead to the next request.
const QUIET = 100;

/// Milliseconds that a notice stays.
const NOTICE = 6000;

const VIEWS = [
  ["", "Explore", "see-moves"],
  ["games", "Games", "see-games"],
  ["players", "Players", "see-players"],
  ["charts", "Charts", "see-charts"],
  ["findings", "Findings", "see-findings"],
];

/// Links to the views. Tab reaches one of them, and arrow keys move between them.
function Views() {
  const move = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const all = [...event.currentTarget.querySelectorAll("a")];
    all.at((all.indexOf(document.activeElement) + by) % all.length)?.focus();
  };
  const current = state.person ? "players" : state.list;
  return html`<nav id="tabs" aria-label="Views" onKeyDown=${move}>${VIEWS.map(
    ([list, name, id]) => html`<a key=${id}
    id=${id}
    tabindex=${current === list ? 0 : -1} aria-current=${current === list ? "page" : undefined}
    href=${href({ list, ...NO_GAME, ...NO_PERSON, sort: "", descending: false, search: "", code: "" })}>${name}</a>`,
  )}</nav>`;
}

/// The element at which the user last pressed a key. If an answer replaces the focused element, the focus returns there.
/** @type {{ region?: string, game: string }} */
const pressed = { region: undefined, game: "" };
addEventListener(
  "keydown",
  (event) => {
    if (!["Enter", "Escape", " "].includes(event.key) || !(event.target instanceof Element)) return;
    pressed.region = event.target.closest("section[id]")?.id ?? "";
    if (state.game) pressed.game = state.game;
  },
  true,
);
addEventListener(
  "pointerdown",
  () => {
    pressed.region = undefined;
  },
  true,
);

function refocus() {
  if (pressed.region === undefined || document.activeElement !== document.body) return;
  const own = { game: "#game .step.at", replies: "#replies tbody a" }[pressed.region];
  const all = [own, state.game ? "#leave" : `#list [data-id="${pressed.game}"]`, "#next a", "#list tbody a"];
  const found = all.map((selector) => selector && document.querySelector(selector)).find(Boolean);
  /** @type {HTMLElement} */ (found)?.focus({ preventScroll: state.game !== "" });
}

/// The bar of a request that takes a while.
function Progress() {
  const { isBusy, isLate } = useBusy();
  useEffect(() => {
    const show = (isShown) => document.getElementById("main")?.setAttribute("aria-busy", `${isShown}`);
    if (!isBusy) refocus();
    if (isBusy) show(true);
    const timer = setTimeout(() => show(isBusy), QUIET);
    return () => clearTimeout(timer);
  });
  return (
    isBusy &&
    isLate &&
    html`<div class="busy" role="status"><div class="busy-bar" /><p>Searching … <button
    id="stop" onClick=${stop}>Stop</button></p></div>`
  );
}

/// What the page shows before there are games.
function Welcome({ status, onToken }) {
  const enter = (event) => {
    event.preventDefault();
    onToken(event.target.elements.address.value);
  };
  if (status.state === "locked") {
    return html`<section id="locked" class="panel welcome"><h2>Open the printed address</h2>
      <p>This page needs the token of the address that <code>sgfq explore</code> printed in the terminal. Open that address,
        or paste it here.</p>
      <form class="bar" onSubmit=${enter}><input id="address" name="address" aria-label="Address from the terminal"
        placeholder="http://127.0.0.1:…/#token=…" autocomplete="off" />
        <button class="primary">Open</button></form>${
          status.message &&
          html`<p class="fault" role="alert"
          id="notice">${status.message}</p>`
        }</section>`;
  }
  if (status.state === "failed") return html`<p id="notice" class="fault box" role="alert">${status.message}</p>`;
  const part = status.total_bytes ? Math.min(1, status.read_bytes / status.total_bytes) : undefined;
  return html`<section class="panel welcome" role="status"><h2>Reading games</h2>
    <progress value=${part} aria-label="Progress" /><p id="notice">${number(
      status.games ?? 0,
    )} games so far${part === undefined ? "" : `, ${Math.floor(100 * part)} %`}</p></section>`;
}

/// Keys, where no field takes them.
function useKeys(acts) {
  useEffect(() => {
    const press = (event) => {
      if (
        event.defaultPrevented ||
        event.target.closest("input:not([type=checkbox]), textarea, select, dialog") ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey
      )
        return;
      const act = acts[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}

const click = (id) => document.getElementById(id)?.click();

/// Goes to the field that searches players or games. Views without one lead to the games.
function focusSearch() {
  const find = () => document.getElementById("search");
  if (!find()) go({ list: "games", ...NO_GAME });
  setTimeout(() => find()?.focus(), find() ? 0 : 50);
}

/// Shows the error of a page that failed.
function Boundary({ children }) {
  const [error, reset] = useErrorBoundary((err) => console.error(err));
  return error
    ? html`<p class="fault box" role="alert">The page failed: ${error.message} <button
    onClick=${reset}>Try again</button></p>`
    : children;
}

/// The component of the view that the address names, and its name.
function viewOf() {
  if (state.game) return [GameView, "game"];
  if (state.person) return [PersonView, "person"];
  const views = { games: AllGames, players: Players, charts: Report, findings: Findings };
  return state.list in views ? [views[state.list], state.list] : [PositionView, "position"];
}

function Page({ status, onToken }) {
  const [changes, update] = useState(0);
  const [shown, setShown] = useState({});
  const [settings, setSettings] = useState(readSettings);
  const [dialog, setDialog] = useState("");
  const [text, setText] = useState("");
  useEffect(() => {
    onChange(() => update((count) => count + 1));
    onNotice(setText);
  }, []);
  useEffect(() => {
    if (!text) return undefined;
    const timer = setTimeout(() => setText(""), NOTICE);
    return () => clearTimeout(timer);
  }, [text]);
  const change = (next) => {
    setSettings(next);
    writeSettings(next);
  };
  const toggle = (key) => () => change({ ...settings, [key]: !settings[key] });
  const isReady = status.state === "ready";
  const step = state.game ? stepGame : stepPosition;
  const isBoard = state.game || state.list === "";
  useKeys(
    isReady
      ? {
          ...(isBoard
            ? { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-Infinity), End: () => step(Infinity) }
            : {}),
          ...(state.game
            ? {
                ArrowDown: () => stepVariation(1),
                ArrowUp: () => stepVariation(-1),
                n: () => click("after"),
                p: () => click("before"),
                Escape: () => (state.tried.length ? go({ tried: [] }) : go(NO_GAME)),
              }
            : {}),
          "/": focusSearch,
          c: toggle("coordinates"),
          m: toggle("numbers"),
          x: toggle("candidates"),
          f: () => setDialog("filters"),
          s: () => click("select"),
          "?": () => setDialog("help"),
        }
      : {},
  );
  const title = (status.inputs ?? []).map(fileOf).join(", ") || "sgfq explore";
  useEffect(() => {
    document.title = `${title} · sgfq explore`;
  }, [title]);
  // What the menu gets to know is no reason to draw the view again.
  const view = useMemo(() => {
    const [View, key] = viewOf();
    return html`<${View} key=${key} ...${{ status, settings, onShown: setShown }} />`;
  }, [changes, status, settings]);
  const skip = (event) => {
    event.preventDefault();
    /** @type {HTMLElement} */ (document.querySelector("#next a, #list tbody a, #game .at, main a, main button"))?.focus();
  };
  const partial = status.partial ? ` Some inputs could not be read: ${losses}.` : "";
  return html`<a class="skip" href="#main" onClick=${skip} data-plain>Skip to the moves</a>
    <header class="top"><div class="brand"><h1 id="title" title=${title}>${title}</h1><p id="about" class="dim">${
      isReady ? `${counted(status.games, "game")}, ${counted(status.positions, "position")}.${partial}` : "sgfq explore"
    }</p></div>
      ${
        isReady &&
        html`<${Filters} onEdit=${() => setDialog("filters")} /><${Views} /><${Menu}
        ...${{ shown, settings }} onSettings=${change}
        onHelp=${() => setDialog("help")} />`
      }</header>
    ${
      isReady
        ? html`<${Progress} /><main id="main" aria-busy="false">
      <${Boundary}>${view}<//></main>`
        : html`<main id="start-view"><${Welcome} status=${status} onToken=${onToken} /></main>`
    }
    ${dialog === "filters" && html`<${FilterDialog} status=${status} onClose=${() => setDialog("")} />`}
    ${dialog === "help" && html`<${Help} onClose=${() => setDialog("")} />`}
    <p id="toast" class=${text ? "over" : ""} role="status" aria-live="polite">${text}</p>`;
}

const root = document.getElementById("app");
const show = (status) => render(html`<${Page} status=${status} onToken=${enterToken} />`, root);

/// Number of the latest start: an older one ends.
let starts = 0;

/// Shows the progress until the games are read, then the view of the address.
async function start() {
  starts += 1;
  const own = starts;
  while (own === starts) {
    let status;
    try {
      status = await ask("status");
    } catch (err) {
      show({ state: err instanceof Locked ? "locked" : "failed", message: err instanceof Locked ? "" : textOf(err) });
      return;
    }
    if (own !== starts) return;
    if (status.state === "ready") {
      await begin(status);
      return;
    }
    show(status);
    if (status.state === "failed") return;
    await new Promise((resolve) => setTimeout(resolve, OFTEN));
  }
}

/// Shows the view of the address. Problems begin with stones on the board, so that no start position has them, and the page
/// shows their list.
async function begin(status) {
  readAddress();
  const isStart = !location.hash.slice(1);
  const first = isStart && (await ask("position", {}).catch(() => ({})));
  if (first?.games < status.games / 2) go({ list: "games" }, false);
  show(status);
}

/// Takes the token of an address that a user pasted.
function enterToken(text) {
  if (takeToken(text)) start();
  else show({ state: "locked", message: "The address must end in #token= and 32 letters and digits." });
}

// Links of the page change its state without a scroll.
addEventListener("click", (event) => {
  const link = event.target instanceof Element && /** @type {HTMLElement} */ (event.target.closest("a[href^='#']"));
  if (
    !link ||
    link.dataset.plain !== undefined ||
    event.button ||
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  event.preventDefault();
  open(link.getAttribute("href") ?? "");
});
addEventListener("popstate", () => {
  // The user pasted the printed address over the one of this tab.
  if (takeToken()) start();
  else open(location.hash || "#", false);
});
takeToken();
readAddress();
show({ state: "reading", games: 0 });
start();
