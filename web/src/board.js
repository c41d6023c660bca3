// The element <sgf-board>: the board of a game, at one of its nodes. It draws with the module of the explorer.

import { draw } from '../dist/picture.js';
import { board } from './full-web.js';

// Boards share this style sheet. A page with a strict policy can load it, because it is neither a link nor inline.
const sheet = new CSSStyleSheet();
const styled = await fetch(new URL('../dist/board.css', import.meta.url));
sheet.replaceSync(styled.ok ? await styled.text() : '');

const STEPS = [['start', '«', 'First position'], ['back', '‹', 'Previous position'], ['forward', '›', 'Next position'],
  ['end', '»', 'Last position']];
const KEYS = { Home: 'start', ArrowLeft: 'back', ArrowRight: 'forward', End: 'end', ArrowUp: 'up', ArrowDown: 'down' };

/** The players by the letters of their properties. */
const PLAYERS = { B: 'Black', W: 'White' };

function make(name, attributes, ...children) {
  const element = document.createElement(name);
  Object.entries(attributes).forEach(([attribute, value]) => element.setAttribute(attribute, value));
  element.append(...children);
  return element;
}

/** The node that an attribute names, as `board` expects it. */
function target(move) {
  if (move === 'end') return undefined;
  return /^\d+$/.test(move) ? Number(move) : move;
}

async function bytesAt(address, signal) {
  const response = await fetch(address, { signal }).catch((cause) => {
    throw cause.name === 'AbortError' ? cause : new Error(`cannot load ${address}: ${cause.message}`);
  });
  if (!response.ok) throw new Error(`cannot load ${address}: status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

export class SgfBoard extends HTMLElement {
  static observedAttributes = ['src', 'move', 'game', 'coords'];

  #internals = this.attachInternals();
  #root = this.attachShadow({ mode: 'open' });
  #picture = make('div', { class: 'picture', part: 'board', tabindex: '0', role: 'application', 'aria-describedby': 'move' });
  #says = make('output', { id: 'move', part: 'move' });
  #buttons = STEPS.map(([step, sign, label]) => make('button', { type: 'button', 'data-step': step, 'aria-label': label, title: label },
    sign));
  #steps = make('div', { class: 'steps', part: 'steps', role: 'group', 'aria-label': 'Moves' }, ...this.#buttons, this.#says);
  #next = make('div', { class: 'next', part: 'next', role: 'group', 'aria-label': 'Next moves' });
  #comment = make('div', { class: 'comment', part: 'comment', role: 'group', 'aria-label': 'Comment' });
  #error = make('p', { class: 'error', part: 'error', role: 'alert' });
  // The text inside the element may change, or arrive after the element.
  #watch = new MutationObserver(() => !this.hasAttribute('src') && this.#plan(true));
  /** The game as bytes or text. */
  #input;
  #shown = null;
  #drawn;
  /** The chosen next move of each node, by the path of the node. */
  #chosen = new Map();
  #loading;
  #isPlanned = false;
  #isUnread = false;

  constructor() {
    super();
    this.#internals.role = 'group';
    this.#root.adoptedStyleSheets = [sheet];
    this.#root.addEventListener('click', (event) => this.#click(event));
    this.#root.addEventListener('keydown', (event) => this.#press(event));
  }

  connectedCallback() {
    this.#watch.observe(this, { childList: true, characterData: true, subtree: true });
    this.#plan(this.#input === undefined);
  }

  disconnectedCallback() {
    this.#watch.disconnect();
  }

  attributeChangedCallback(name, before, after) {
    if (before !== after) this.#plan(name === 'src');
  }

  /** The board that the element shows; `null` before the game is loaded and after an error. */
  get board() {
    return this.#shown;
  }

  /** Shows a node. */
  go(node) {
    const { game, coords } = this;
    const options = { game: game ?? 1, coords: coords === 'sgf' ? 'sgf' : 'gtp', inline: true };
    try {
      this.#shown = board(this.#input, node, options);
      this.#draw();
    } catch (cause) {
      this.#fail(cause);
    }
    this.dispatchEvent(new Event('change', { bubbles: true }));
  }

  /** Reads the attributes once after several of them have changed. */
  #plan(isUnread) {
    this.#isUnread ||= isUnread;
    if (this.#isPlanned || !this.isConnected) return;
    this.#isPlanned = true;
    queueMicrotask(() => {
      this.#isPlanned = false;
      this.#load();
    });
  }

  async #load() {
    try {
      if (this.#isUnread) {
        this.#isUnread = false;
        this.#loading?.abort();
        this.#loading = new AbortController();
        this.#input = undefined;
        this.#chosen.clear();
        const { signal } = this.#loading;
        const { src } = this;
        const input = src === null ? this.textContent.trim() : await bytesAt(new URL(src, this.baseURI), signal);
        if (signal.aborted) return;
        this.#input = input;
      }
      if (this.#input === '') this.#fail(new Error('expected the address of a game as src, or a game as text'));
      else if (this.#input !== undefined) this.go(target(this.move ?? '0'));
    } catch (cause) {
      if (cause.name !== 'AbortError') this.#fail(cause);
    }
  }

  #fail(cause) {
    this.#shown = null;
    this.#error.textContent = cause.message;
    this.#internals.ariaLabel = 'Board';
    this.#root.replaceChildren(this.#error);
  }

  #draw() {
    const { svg, game, size, move, played, toPlay, nodeName, comment, next, nextMore, previous } = this.#shown;
    const isComplete = this.#picture.parentNode === this.#root;
    if (!isComplete) this.#root.replaceChildren(this.#picture, this.#steps, this.#next, this.#comment);
    this.#drawn = draw(this.#picture, svg, true, this.#drawn);
    this.#crop();
    const turn = toPlay === null ? '' : `, ${PLAYERS[toPlay] ?? `color ${toPlay}`} to play`;
    this.#says.textContent = `Move ${move}${played === null ? '' : `: ${played}`}${turn}`;
    this.#internals.ariaLabel = `Board of ${game} ${size.join('x')}`;
    this.#picture.setAttribute('aria-label', 'Board. Arrows, Home and End step through the moves.');
    const isLast = next.length === 0;
    this.#buttons.forEach((button, at) => button.setAttribute('aria-disabled', at < 2 ? previous === null : isLast));
    this.#next.hidden = next.length < 2;
    const more = nextMore > 0 ? [`and ${nextMore} more`] : [];
    this.#next.replaceChildren(...next.map((each, at) => this.#choice(each, at)), ...more);
    const name = nodeName === null ? [] : [make('b', {}, nodeName), '\n'];
    this.#comment.hidden = nodeName === null && comment === null;
    this.#comment.replaceChildren(...name, comment ?? '');
  }

  /** The button of a next move. */
  #choice({ played }, at) {
    const button = make('button', { type: 'button', 'data-next': at }, played ?? `Variation ${at + 1}`);
    if (at === this.#choiceAt()) button.setAttribute('aria-current', 'true');
    return button;
  }

  /** Without coordinates, the picture ends where its points end. */
  #crop() {
    const picture = this.#picture.querySelector('svg');
    if (!picture || this.coords !== 'none') return;
    const names = [...picture.children].filter((each) => each.matches('text.dim'));
    names.forEach((each) => each.remove());
    const { x, y, width, height } = picture.getBBox();
    if (width > 0) picture.setAttribute('viewBox', [x - 1, y - 1, width + 2, height + 2].join(' '));
    // The next picture is drawn from scratch, because this one lacks elements.
    this.#drawn = undefined;
  }

  #choiceAt() {
    return this.#chosen.get(this.#shown.node) ?? 0;
  }

  #choose(at) {
    const { node, next } = this.#shown;
    this.#chosen.set(node, (at + next.length) % next.length);
  }

  /** Steps through the game. Returns whether the step is possible at this node. */
  #step(step) {
    const { node, next, previous } = this.#shown;
    const chosen = next[this.#choiceAt()]?.node;
    if (step === 'start') this.go('/0');
    else if (step === 'back' && previous !== null) {
      this.go(previous);
      // Forward leads back to the node.
      const from = this.#shown.next.findIndex((each) => each.node === node);
      if (from > 0) {
        this.#choose(from);
        this.#draw();
      }
    } else if (step === 'forward' && chosen) this.go(chosen);
    else if (step === 'end' && chosen) this.go(board(this.#input, chosen, { game: this.game ?? 1 }).lineEnd);
    else if ((step === 'up' || step === 'down') && next.length > 1) {
      this.#choose(this.#choiceAt() + (step === 'up' ? -1 : 1));
      this.#draw();
    } else return !['up', 'down'].includes(step);
    return true;
  }

  #press(event) {
    const step = KEYS[event.key];
    if (!step || !this.#shown || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (this.#step(step)) event.preventDefault();
  }

  #click(event) {
    const button = event.target.closest('button');
    if (!button || !this.#shown) return;
    const { step, next } = button.dataset;
    if (step) this.#step(step);
    else {
      this.#choose(Number(next));
      this.#step('forward');
      this.#picture.focus({ preventScroll: true });
    }
  }
}

for (const name of SgfBoard.observedAttributes) {
  Object.defineProperty(SgfBoard.prototype, name, {
    get() { return this.getAttribute(name); },
    set(value) {
      if (value === null || value === undefined) this.removeAttribute(name);
      else this.setAttribute(name, value);
    },
  });
}

if (!customElements.get('sgf-board')) customElements.define('sgf-board', SgfBoard);
