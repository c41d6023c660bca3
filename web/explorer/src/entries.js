// Selects and orders the files that the user dropped, and passes them to an engine.

/** Names of game records. */
const RECORD = /[^/]\.(sgfs?|mgt|blksgf|hsgf|hgf|tsgf|ggf|gib|ngf|ugf|ugi)$/i;

/** Names of archives. */
const PACKED = /[^/]\.(gz|tgz|bz2|tbz2?|tb2|xz|txz|zst|tzst|lz4|tlz4|tar|zip|7z|rar)(\.001)?$/i;

/** True if a walk through a folder opens a file of this name. */
const isWanted = (name) => RECORD.test(name) || PACKED.test(name);

/** The files that may have games, in order, and the number of the others. Each of `files` is `{ name, blob, isNamed }`, and each result is
    `{ name, isNamed, blobs }`, where `blobs` are the parts of a split file (`x.7z.001`, `x.7z.002`, …) in order. */
export function chosen(files) {
  const blobs = new Map(files.map(({ name, blob }) => [name, blob]));
  const later = new Set();
  const found = [];
  for (const { name, blob, isNamed } of files) {
    const parts = [blob];
    for (let part = 2; name.endsWith('.001'); part++) {
      const next = name.slice(0, -3) + String(part).padStart(3, '0');
      if (!blobs.has(next)) break;
      parts.push(blobs.get(next));
      later.add(next);
    }
    found.push({ name, isNamed, blobs: parts });
  }
  const wanted = found.filter(({ name, isNamed }) => !later.has(name) && (isNamed || isWanted(name)));
  wanted.sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
  return { wanted, passed: files.length - wanted.length - later.size };
}

/** Passes all games of `files`, each `{ name, isNamed, volumes }`, to the engine. Calls `heard` for progress. Returns the number of skipped members
    that are not game records. */
export function readAll(engine, files, heard = () => {}) {
  let passed = 0;
  for (const [at, { name, volumes, isNamed = true }] of files.entries()) passed += engine.open(name, volumes, isNamed, () => heard(at, name));
  return passed;
}
