// Keeps the files of the page, so that it works without a network. Each build has a version and deletes the files of earlier ones.

/* global FILES, VERSION */
importScripts("./files.js");

addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});
addEventListener("activate", (event) => {
  const leave = (keys) => Promise.all(keys.filter((key) => key !== VERSION && key.startsWith("sgfstream-explorer-")).map((key) => caches.delete(key)));
  event.waitUntil(caches.keys().then(leave).then(() => clients.claim()));
});
addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.open(VERSION).then((cache) => cache.match(event.request, { ignoreSearch: true })).then((kept) => kept ?? fetch(event.request)));
});
