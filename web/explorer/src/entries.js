// The files that were dropped, given to an engine: which of them are read, and in what order.

/** Names of game records. */
const RECORD = /[^/]\.(sgfs?|mgt|blksgf|hsgf|hgf|tsgf|ggf|gib|ngf|ugf|ugi)$/i;

/** Names of archives. */
const PACKED = /[^/]\.(gz|tgz|bz2|tbz2?|tb2|xz|txz|zst|tzst|lz4|tlz4|tar|zip|7z|rar)(\.001)?$/i;

/** True if a walk through a folder opens a file of this name. */
const isWanted = (name) => RECORD.test(name) || PACKED.test(name);

/** Those of the files that may have games, in order: each `{ name, isNamed, blobs }`, with the parts that it was cut into (`x.7z.001`, `x.7z.002`, …)
    as they follow one another; and how many others there are. Each of `files` is `{ name, blob, isNamed }`. */
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

/** Gives all games of `files` to the engine: each `{ name, isNamed, volumes }`. `heard` is told of progress. Returns how many members were skipped,
    since they are no game records. */
export function readAll(engine, files, heard = () => {}) {
  let passed = 0;
  for (const [at, { name, volumes, isNamed = true }] of files.entries()) passed += engine.open(name, volumes, isNamed, () => heard(at, name));
  return passed;
}
