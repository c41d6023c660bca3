// The page of `sgfq explore`: it shows the state in the address, and requests the data from the server.

import { html, render, useEffect, useErrorBoundary, useMemo, useState } from "./html.js";
import { Locked, ask, losses, takeToken } from "./ask.js";
import { stop, useBusy } from "./answers.js";
import { counted, fileOf, number, textOf } from "./format.js";
import { NO_GAME, NO_PERSON, go, href, onChange, open, readAddress, session, state } from "./state.js";
import { FilterDialog, Filters } from "./filters.js";
import { Help, Menu } from "./menu.js";
import { AllGames } from "./games.js";
import { Findings } from "./findings.js";
import { GameView, stepGame, stepVariation } from "./game.js";
import { PersonView } from "./people.js";
import { Players } from "./players.js";
import { PositionView, stepPosition } from "./position.js";
import { Report } from "./report.js";
import { dropOwn, pasteOwn } from "./road.js";
import { onNotice } from "./save.js";
import { readSettings, writeSettings } from "./solved.js";

/** @import { Component } from "./html.js" */
/** @import { Failed, PositionReply, Reading, Ready } from "./protocol.d.ts" */
/** @import { Settings } from "./solved.js" */

/// What a view tells the menu: the command that shows the same, and the position on its board.
/** @typedef {{ command?: string, answer?: PositionReply }} Insight */

/** @typedef {Component<{ status: Ready, settings: Settings, onShown: (shown: Insight) => void }>} ViewComponent */

/// How far the page is: it reads games, it cannot, it needs the token, or it has them.
/** @typedef {Partial<Reading> & { state: "reading" } | Failed | { state: "locked", message: string } | Ready} Status */

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
  const move = (/** @type {KeyboardEvent & { currentTarget: Element }} */ event) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!by) return;
    event.preventDefault();
    const all = [...event.currentTarget.querySelectorAll("a")];
    all.at((all.findIndex((link) => link === document.activeElement) + by) % all.length)?.focus();
  };
  const current = state.person ? "players" : state.list;
  return html`<nav id="tabs" aria-label="Views" onKeyDown=${move}>${VIEWS.map(
    ([list, name, id]) => html`<a key=${id}
    id=${id}
    tabindex=${current === list ? 0 : -1} aria-current=${current === list ? "page" : undefined}
    href=${href({ list, ...NO_GAME, ...NO_PERSON, sort: "", descending: false, search: "", code: "" })}>${name}</a>`,
  )}</nav>`;
}

// If an answer replaces the focused element, the focus returns to the region in which the user last pressed a key.
addEventListener(
  "keydown",
  (event) => {
    if (!["Enter", "Escape", " "].includes(event.key) || !(event.target instanceof Element)) return;
    session.pressed = { region: event.target.closest("section[id]")?.id ?? "", game: state.game || session.pressed.game };
  },
  true,
);
addEventListener(
  "pointerdown",
  () => {
    session.pressed = { ...session.pressed, region: undefined };
  },
  true,
);

/// Elements of regions that take their focus.
/** @type {Record<string, string[]>} */
const OWN = { game: ["#game .step.at"], replies: ["#replies tbody a"] };

function refocus() {
  const { region, game } = session.pressed;
  if (region === undefined || document.activeElement !== document.body) return;
  const opened = state.game ? "#leave" : `#list [data-id="${game}"]`;
  const all = [...(OWN[region] ?? []), opened, "#next a", "#list tbody a"];
  const found = all.map((selector) => document.querySelector(selector)).find(Boolean);
  /** @type {HTMLElement | undefined} */ (found)?.focus({ preventScroll: state.game !== "" });
}

/// The bar of a request that takes a while.
function Progress() {
  const { isBusy, isLate } = useBusy();
  useEffect(() => {
    const show = (/** @type {boolean} */ isShown) => document.getElementById("main")?.setAttribute("aria-busy", `${isShown}`);
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
/** @type {Component<{ status: Exclude<Status, Ready>, onToken: (text: string) => void }>} */
function Welcome({ status, onToken }) {
  const enter = (/** @type {Event & { currentTarget: HTMLFormElement }} */ event) => {
    event.preventDefault();
    onToken(`${new FormData(event.currentTarget).get("address")}`);
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
  const { games = 0, read_bytes: read = 0, total_bytes: total } = status;
  const part = total ? Math.min(1, read / total) : undefined;
  return html`<section class="panel welcome" role="status"><h2>Reading games</h2>
    <progress value=${part} aria-label="Progress" /><p id="notice">${number(games)} games so far${part === undefined ? "" : `, ${Math.floor(100 * part)} %`}</p></section>`;
}

/// Keys, where no field takes them.
/** @type {(acts: Record<string, () => unknown>) => void} */
function useKeys(acts) {
  useEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      const isTyped =
        event.target instanceof Element && event.target.closest("input:not([type=checkbox]), textarea, select, dialog");
      if (event.defaultPrevented || isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
      const act = acts[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}

/** @type {(id: string) => void} */
const click = (id) => document.getElementById(id)?.click();

/// Goes to the field that searches players or games. Views without one lead to the games.
function focusSearch() {
  const find = () => document.getElementById("search");
  if (!find()) go({ list: "games", ...NO_GAME });
  setTimeout(() => find()?.focus(), find() ? 0 : 50);
}

/// Shows the error of a page that failed.
/** @type {Component<{ children?: unknown }>} */
function Boundary({ children }) {
  const [error, reset] = useErrorBoundary(console.error);
  return error
    ? html`<p class="fault box" role="alert">The page failed: ${error.message} <button
    onClick=${reset}>Try again</button></p>`
    : children;
}

/// The component of the view that the address names, and its name.
/** @type {() => [view: ViewComponent, key: string]} */
function viewOf() {
  if (state.game) return [GameView, "game"];
  if (state.person) return [PersonView, "person"];
  /** @type {Record<string, ViewComponent>} */
  const views = { games: AllGames, players: Players, charts: Report, findings: Findings };
  return state.list in views ? [views[state.list], state.list] : [PositionView, "position"];
}

/** @type {Component<{ status: Status, onToken: (text: string) => void }>} */
function Page({ status, onToken }) {
  const [changes, update] = useState(0);
  const [shown, setShown] = useState(/** @type {Insight} */ ({}));
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
  const change = (/** @type {Settings} */ next) => {
    setSettings(next);
    writeSettings(next);
  };
  const toggle = (/** @type {keyof Settings} */ key) => () => change({ ...settings, [key]: !settings[key] });
  const ready = status.state === "ready" ? status : undefined;
  const step = state.game ? stepGame : stepPosition;
  const isBoard = state.game || state.list === "";
  useKeys(
    ready
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
  const inputs = "inputs" in status ? (status.inputs ?? []) : [];
  const title = inputs.map(fileOf).join(", ") || "sgfq explore";
  useEffect(() => {
    document.title = `${title} · sgfq explore`;
  }, [title]);
  // What the menu gets to know is no reason to draw the view again.
  const view = useMemo(() => {
    const [View, key] = viewOf();
    return html`<${View} key=${key} ...${{ status, settings, onShown: setShown }} />`;
  }, [changes, status, settings]);
  const skip = (/** @type {Event} */ event) => {
    event.preventDefault();
    /** @type {HTMLElement | null} */ (
      document.querySelector("#next a, #list tbody a, #game .at, main a, main button")
    )?.focus();
  };
  const partial = ready?.partial ? ` Some inputs could not be read: ${losses}.` : "";
  return html`<a class="skip" href="#main" onClick=${skip} data-plain>Skip to the moves</a>
    <header class="top"><div class="brand"><h1 id="title" title=${title}>${title}</h1><p id="about" class="dim">${
      ready ? `${counted(ready.games, "game")}, ${counted(ready.positions, "position")}.${partial}` : "sgfq explore"
    }</p></div>
      ${
        ready &&
        html`<${Filters} onEdit=${() => setDialog("filters")} /><${Views} /><${Menu}
        ...${{ shown, settings }} onSettings=${change}
        onHelp=${() => setDialog("help")} />`
      }</header>
    ${
      ready
        ? html`<${Progress} /><main id="main" aria-busy="false">
      <${Boundary}>${view}<//></main>`
        : html`<main id="start-view"><${Welcome} status=${status} onToken=${onToken} /></main>`
    }
    ${ready && dialog === "filters" && html`<${FilterDialog} status=${status} onClose=${() => setDialog("")} />`}
    ${dialog === "help" && html`<${Help} onClose=${() => setDialog("")} />`}
    <p id="toast" class=${text ? "over" : ""} role="status" aria-live="polite">${text}</p>`;
}

const start = createStart();
const root = document.getElementById("app");
const show = (/** @type {Status} */ status) => render(html`<${Page} status=${status} onToken=${enterToken} />`, root);

/// A function that shows the progress until the games are read, then the view of the address. Another call ends an older one.
function createStart() {
  let latest = 0;
  return async () => {
    latest += 1;
    const own = latest;
    while (own === latest) {
      let status;
      try {
        status = await ask("status");
      } catch (err) {
        show(err instanceof Locked ? { state: "locked", message: "" } : { state: "failed", message: textOf(err) });
        return;
      }
      if (own !== latest) return;
      if (status.state === "ready") {
        await begin(status);
        return;
      }
      show(status);
      if (status.state === "failed") return;
      await new Promise((resolve) => setTimeout(resolve, OFTEN));
    }
  };
}

/// Shows the view of the address. Problems begin with stones on the board, so that no start position has them, and the page
/// shows their list.
/** @type {(status: Ready) => Promise<void>} */
async function begin(status) {
  readAddress();
  const isStart = !location.hash.slice(1);
  const first = isStart ? await ask("position", {}).catch(() => undefined) : undefined;
  if (first && first.games < status.games / 2) go({ list: "games" }, false);
  show(status);
}

/// Takes the token of an address that a user pasted.
/** @type {(text: string) => void} */
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
addEventListener("dragover", dropOwn, true);
addEventListener("drop", dropOwn, true);
addEventListener("paste", pasteOwn);
addEventListener("popstate", () => {
  // The user pasted the printed address over the one of this tab.
  if (takeToken()) start();
  else open(location.hash || "#", false);
});
takeToken();
readAddress();
show({ state: "reading", games: 0 });
start();
