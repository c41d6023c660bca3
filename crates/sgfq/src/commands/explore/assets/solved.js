// Settings, solved problems and guesses, which the browser keeps.

/** @typedef {{ coordinates: boolean, numbers: boolean, candidates: boolean }} Settings */

/** @type {<Value>(key: string, usual: Value) => Value} */
export const read = (key, usual) => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? usual;
  } catch {
    return usual;
  }
};

/** @type {(key: string, value: unknown) => void} */
export function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still shows the page.
  }
}

/** @type {Settings} */
const USUAL = { coordinates: true, numbers: false, candidates: true };

/** @type {() => Settings} */
export const readSettings = () => ({ ...USUAL, ...read("sgfq-settings", {}) });
/** @type {(settings: Settings) => void} */
export const writeSettings = (settings) => write("sgfq-settings", settings);

/// Names of solved problems.
export const solved = () => new Set(read("sgfq-solved", /** @type {string[]} */ ([])));

/** @type {(name: string) => void} */
export function addSolved(name) {
  write("sgfq-solved", [...solved().add(name)]);
}

/// First guesses in games: for each game, whether the guess at a place was right.
/** @type {() => Record<string, Record<string, boolean>>} */
const guesses = () => read("sgfq-guesses", {});

/// Counts the first guess at a place of a game.
/** @type {(game: string, place: string, isRight: boolean) => void} */
export function addGuess(game, place, isRight) {
  const all = guesses();
  write("sgfq-guesses", { ...all, [game]: { [place]: isRight, ...all[game] } });
}

/** @type {(game: string) => void} */
export function clearGuesses(game) {
  const { [game]: _, ...others } = guesses();
  write("sgfq-guesses", others);
}

/// The score of a game as a text.
/** @type {(game: string) => string} */
export function scoreOf(game) {
  const all = Object.values(guesses()[game] ?? {});
  const right = all.filter(Boolean).length;
  return all.length ? `Right at the first try: ${right} of ${all.length} (${Math.round((100 * right) / all.length)} %).` : "";
}
