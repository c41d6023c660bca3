// Files, folders and archives that the user drops or chooses: a worker reads them.

import { chosen } from "./entries.js";
import { number } from "./format.js";
import { forget, keep, kept } from "./kept.js";

const NO_GAMES = "No games found. Drop SGF files, or archives of SGF files.";

const $ = (id) => document.getElementById(id);

/// The worker that reads the games or has read them, and its files.
let reading = null;
/// Promise of whether the browser keeps the open files.
let saved = Promise.resolve(true);
/// Promise of the worker. It resolves when the worker has read all files.
let ready = pending();

function pending() {
  const made = {};
  made.promise = new Promise((resolve) => { made.resolve = resolve; });
  return made;
}

/// The worker, once it has read the games.
export const worker = () => ready.promise;

function say(message, isFault = false) {
  $("opening").textContent = message;
  $("opening").classList.toggle("fault", isFault);
}

/// Shows the share of bytes read.
function showPart(part) {
  $("opened").hidden = part === undefined;
  if (part !== undefined) $("opened").value = part;
}

/// Stops the reading and ends the worker, which frees its memory.
function cancel(message = "", isFault = false) {
  reading?.worker.terminate();
  reading = null;
  $("cancel").hidden = true;
  showPart(undefined);
  say(message, isFault);
}

function showLosses(faults) {
  const item = (text) => {
    const made = document.createElement("li");
    made.textContent = text;
    return made;
  };
  $("faults").querySelector("ul").replaceChildren(...faults.map(item));
  $("faults").hidden = faults.length === 0;
}

/// Reads files, each `{ name, blobs, isNamed }`. `passed` is the number of other files, whose names show no game records.
function open(files, inputs, passed, isKept = false) {
  cancel();
  if (files.length === 0) return say(NO_GAMES, true);
  $("cancel").hidden = false;
  showPart(0);
  say("Reading …");
  return begin({ files, inputs }, (data) => {
    showPart(data.total ? data.read / data.total : undefined);
    const share = data.total ? `, ${Math.floor((100 * data.read) / data.total)} %` : "";
    say(`${number(data.games)} games${share}. Reading ${data.name}${data.of > 1 ? ` (${number(data.at + 1)} of ${number(data.of)} files)` : ""} …`);
  }, (data) => {
    if (data.games === 0) return cancel(data.faults[0] ?? NO_GAMES, true);
    passed += data.passed;
    $("open").hidden = true;
    $("app").hidden = $("other").hidden = false;
    const others = passed ? [`${number(passed)} ${passed === 1 ? "file has" : "files have"} neither the name nor the form of games`] : [];
    showLosses([...data.faults, ...others]);
    ready.resolve(reading.worker);
    if (!isKept) saved = keep(files, inputs);
    return undefined;
  }, (message) => cancel(message, true));
}

/// Starts a worker with files. `told` gets the progress, `done` the result, `failed` the reason of a failure.
function begin(given, told, done, failed) {
  const worker = new Worker("./worker.js", { type: "module" });
  reading = { worker, given };
  const isCurrent = () => reading?.worker === worker;
  worker.addEventListener("error", (event) => isCurrent() && failed(event.message || "the worker did not start"));
  worker.addEventListener("message", ({ data }) => {
    if (!isCurrent()) return;
    if (data.state === "reading") told(data);
    else if (data.state === "failed") failed(data.message);
    else if (data.state === "ready") done(data);
  });
  worker.postMessage(given);
}

/// Ends the worker that has read the games, and reads them again in a new worker. Requests wait for the new one.
export function again() {
  const { worker, given } = reading;
  worker.terminate();
  ready = pending();
  const tell = (message) => { $("again").textContent = message; };
  tell("Reading the games again …");
  begin(given, ({ read, total }) => tell(`Reading the games again: ${Math.floor((100 * read) / total)} %`), () => {
    tell("");
    ready.resolve(reading.worker);
  }, tell);
}

/// The names of the inputs: the first part of each path, once.
const inputsOf = (files) => [...new Set(files.map(({ name }) => name.split("/")[0]))];

/// Opens the files of a list that comes from a file field or a drop without folders.
function openList(list) {
  openSorted([...list].map((file) => ({ name: file.webkitRelativePath || file.name, blob: file, isNamed: !file.webkitRelativePath })));
}

/// Opens the files that may have games.
function openSorted(files) {
  const { wanted, passed } = chosen(files);
  return $("open").hidden ? add(wanted) : open(wanted, inputsOf(wanted), passed);
}

/// Adds files to the kept ones. The page loads again and reads all of them. The sample is not kept, so files replace it.
async function add(files) {
  const tell = (message) => { $("again").textContent = message; };
  if (files.length === 0) return tell(NO_GAMES);
  tell("Adding files …");
  if ((await saved) && (await keep(files, inputsOf(files), true))) return location.reload();
  return tell("The files are too large to add. Click “Other files”, and open all of them together.");
}

/// Collects the files below an entry of a drop.
async function filesBelow(entry, path, isNamed, files) {
  const name = path + entry.name;
  if (entry.isFile) {
    files.push({ name, blob: await new Promise((resolve, reject) => entry.file(resolve, reject)), isNamed });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // Each call returns some of the entries; an empty list marks the end.
    const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    for (const each of entries) await filesBelow(each, `${name}/`, false, files);
  }
}

addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("over");
});
addEventListener("dragleave", (event) => event.relatedTarget === null && document.body.classList.remove("over"));
addEventListener("drop", async (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0) return openList(event.dataTransfer.files);
  try {
    const files = [];
    say("Looking for files …");
    for (const entry of entries) await filesBelow(entry, "", true, files);
    return openSorted(files);
  } catch (error) {
    return cancel(`The files cannot be read: ${error.message}`, true);
  }
});
$("files").addEventListener("change", () => openList($("files").files));
$("folder").addEventListener("change", () => openList($("folder").files));
$("sample").addEventListener("click", async () => {
  const response = await fetch("./sample.tar");
  if (!response.ok) return say(`The sample is missing: status ${response.status}.`, true);
  return open([{ name: "sample.tar", blobs: [await response.blob()], isNamed: true }], ["sample.tar"], 0, true);
});
// The buttons are disabled until their event handlers are set.
for (const id of ["files", "folder", "sample"]) $(id).disabled = false;
$("cancel").addEventListener("click", () => cancel("Canceled."));
// Loading the page again without games is the simplest way to forget all of them.
$("another").addEventListener("click", async () => {
  await forget();
  history.replaceState(null, "", location.pathname);
  location.reload();
});
$("app").hidden = true;
kept().then((found) => found && reading === null && open(found.files, found.inputs, 0, true));

// The service worker serves the page if there is no network.
if ("serviceWorker" in navigator && location.protocol !== "file:") navigator.serviceWorker.register("./offline.js", { type: "classic" }).catch(() => {});
