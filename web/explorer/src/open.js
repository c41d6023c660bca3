// Files, folders and archives that are dropped on the page or chosen: a worker reads them.

import { $, el, notice, number } from "./elements.js";
import { chosen } from "./entries.js";

const NO_GAMES = "expected games, found none: is it SGF, or an archive of it?";

let show;

/// The worker, once it has read the games of what was opened.
export const opened = new Promise((resolve) => { show = resolve; });

let reading = null;

function say(message, isFault = false) {
  $("opening").textContent = message;
  $("opening").classList.toggle("fault", isFault);
}

/// Ends the reading: its worker and all that it has are gone.
function cancel(message = "", isFault = false) {
  reading?.terminate();
  reading = null;
  $("cancel").hidden = true;
  say(message, isFault);
}

/// Reads files: each `{ name, blobs, isNamed }`. `passed` others have names of no games.
function open(files, inputs, passed) {
  cancel();
  if (files.length === 0) return say(NO_GAMES, true);
  const worker = new Worker("./worker.js", { type: "module" });
  reading = worker;
  $("cancel").hidden = false;
  say("Reading …");
  worker.addEventListener("error", (event) => reading === worker && cancel(event.message || "the worker did not start", true));
  worker.addEventListener("message", ({ data }) => {
    if (reading !== worker) return;
    if (data.state === "reading") {
      say(`Reading ${data.name}${data.of > 1 ? ` (${number(data.at + 1)} of ${number(data.of)} files)` : ""}: ${number(data.games)} games …`);
    } else if (data.state === "failed") {
      cancel(data.message, true);
    } else if (data.state === "ready" && data.games === 0) {
      cancel(data.faults[0] ?? NO_GAMES, true);
    } else if (data.state === "ready") {
      $("open").hidden = true;
      $("another").hidden = false;
      passed += data.passed;
      const others = passed ? [`${number(passed)} ${passed === 1 ? "file" : "files"} with neither the name nor the form of games`] : [];
      const faults = [...data.faults, ...others].map((fault) => el("li", {}, fault));
      if (faults.length) $("faults").append(el("summary", {}, "What was not read"), el("ul", {}, ...faults));
      $("faults").hidden = faults.length === 0;
      show({ worker });
    }
  });
  worker.postMessage({ files, inputs });
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
$("cancel").addEventListener("click", () => cancel("Cancelled."));
// A page without games is the simplest way to forget all of them.
$("another").addEventListener("click", () => {
  history.replaceState(null, "", location.pathname);
  location.reload();
});

// Without a network the page comes from here.
if ("serviceWorker" in navigator && location.protocol !== "file:") navigator.serviceWorker.register("./offline.js", { type: "classic" }).catch(() => {});
