// Files, folders and archives that are dropped on the page or chosen: a worker reads them.

import { $, el, notice, number } from "./elements.js";
import { chosen } from "./entries.js";

const NO_GAMES = "expected games, found none: is it SGF, or an archive of it?";

/// What is read, and the worker that reads it or has read it.
let reading = null;
/// Promise of the worker that has read all, and how it is kept.
let ready = pending();

function pending() {
  const made = {};
  made.promise = new Promise((resolve) => { made.resolve = resolve; });
  return made;
}

/// The worker, once it has read the games of what was opened.
export const worker = () => ready.promise;

function say(message, isFault = false) {
  $("opening").textContent = message;
  $("opening").classList.toggle("fault", isFault);
}

/// Ends the reading: its worker and all that it has are gone.
function cancel(message = "", isFault = false) {
  reading?.worker.terminate();
  reading = null;
  $("cancel").hidden = true;
  say(message, isFault);
}

/// Reads files: each `{ name, blobs, isNamed }`. `passed` others have names of no games.
function open(files, inputs, passed) {
  cancel();
  if (files.length === 0) return say(NO_GAMES, true);
  $("cancel").hidden = false;
  say("Reading …");
  begin({ files, inputs }, say, (data) => {
    if (data.games === 0) return cancel(data.faults[0] ?? NO_GAMES, true);
    $("open").hidden = true;
    $("another").hidden = false;
    passed += data.passed;
    const others = passed ? [`${number(passed)} ${passed === 1 ? "file" : "files"} with neither the name nor the form of games`] : [];
    const faults = [...data.faults, ...others].map((fault) => el("li", {}, fault));
    if (faults.length) $("faults").append(el("summary", {}, "What was not read"), el("ul", {}, ...faults));
    $("faults").hidden = faults.length === 0;
    ready.resolve(reading.worker);
  }, (message) => cancel(message, true));
}

/// Begins a worker with the files. `told` hears how far it is, `done` what it found, `failed` why it ended.
function begin(given, told, done, failed) {
  const worker = new Worker("./worker.js", { type: "module" });
  reading = { worker, given };
  const isCurrent = () => reading?.worker === worker;
  worker.addEventListener("error", (event) => isCurrent() && failed(event.message || "the worker did not start"));
  worker.addEventListener("message", ({ data }) => {
    if (!isCurrent()) return;
    if (data.state === "reading") {
      told(`Reading ${data.name}${data.of > 1 ? ` (${number(data.at + 1)} of ${number(data.of)} files)` : ""}: ${number(data.games)} games …`);
    } else if (data.state === "failed") {
      failed(data.message);
    } else if (data.state === "ready") {
      done(data);
    }
  });
  worker.postMessage(given);
}

/// Ends the worker that has read the games, whatever it does, and reads them again in another one. Who asks waits for that.
export function again() {
  const { worker, given } = reading;
  worker.terminate();
  ready = pending();
  const told = (message) => { $("again").textContent = message; };
  told("Reading again …");
  begin(given, told, () => {
    told("");
    ready.resolve(reading.worker);
  }, told);
}

/// The names of what was chosen: the first part of each path, once.
const inputsOf = (files) => [...new Set(files.map(({ name }) => name.split("/")[0]))];

/// Opens files of a list, which a field or a drop without folders gives.
function openList(list) {
  const files = [...list].map((file) => ({ name: file.webkitRelativePath || file.name, blob: file, isNamed: !file.webkitRelativePath }));
  openSorted(files);
}

/// Opens those of the files that may have games.
function openSorted(files) {
  const { wanted, passed } = chosen(files);
  open(wanted, inputsOf(wanted), passed);
}

/// The files below an entry of a drop.
async function filesBelow(entry, path, isNamed, files) {
  const name = path + entry.name;
  if (entry.isFile) {
    files.push({ name, blob: await new Promise((resolve, reject) => entry.file(resolve, reject)), isNamed });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // A part of them at a time; none at the end.
    const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    for (const each of entries) await filesBelow(each, `${name}/`, false, files);
  }
}

addEventListener("dragover", (event) => {
  event.preventDefault();
  $("open").classList.add("over");
});
addEventListener("dragleave", () => $("open").classList.remove("over"));
addEventListener("drop", async (event) => {
  event.preventDefault();
  $("open").classList.remove("over");
  if ($("open").hidden) return notice("“Other files” opens others.");
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0) return openList(event.dataTransfer.files);
  try {
    const files = [];
    say("Looking for files …");
    for (const entry of entries) await filesBelow(entry, "", true, files);
    openSorted(files);
  } catch (error) {
    cancel(`expected files that can be read, found: ${error.message}`, true);
  }
});
$("files").addEventListener("change", () => openList($("files").files));
$("folder").addEventListener("change", () => openList($("folder").files));
// Before this a choice would not be heard.
$("files").disabled = $("folder").disabled = false;
$("cancel").addEventListener("click", () => cancel("Cancelled."));
// A page without games is the simplest way to forget all of them.
$("another").addEventListener("click", () => {
  history.replaceState(null, "", location.pathname);
  location.reload();
});

// Without a network the page comes from here.
if ("serviceWorker" in navigator && location.protocol !== "file:") navigator.serviceWorker.register("./offline.js", { type: "classic" }).catch(() => {});
