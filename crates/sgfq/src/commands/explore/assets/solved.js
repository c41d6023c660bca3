// Settings and solved problems, which the browser keeps.

const read = (key, usual) => {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? usual;
  } catch {
    return usual;
  }
};

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still shows the page.
  }
}

const USUAL = { coordinates: true, numbers: false, candidates: true };

export const readSettings = () => ({ ...USUAL, ...read("sgfq-settings", {}) });
export const writeSettings = (settings) => write("sgfq-settings", settings);

/// Names of solved problems.
export const solved = () => new Set(read("sgfq-solved", []));

export function addSolved(name) {
  write("sgfq-solved", [...solved().add(name)]);
}
