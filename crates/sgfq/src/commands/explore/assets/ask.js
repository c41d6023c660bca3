// Questions to the server.

import { fault, notice, save } from "./elements.js";

// The token is in the address that was printed, and leaves it at once: what stays there may be shared.
const given = new URLSearchParams(location.hash.slice(1));
if (given.has("token")) {
  sessionStorage.setItem("token", given.get("token"));
  given.delete("token");
  history.replaceState(null, "", `#${given}`);
}

export class Refused extends Error {}

/// Where the page says what could not be read.
export const losses = "see the terminal";

/// Asks the server.
export async function ask(name, body, read = (response) => response.json()) {
  const headers = { "content-type": "application/json", authorization: `Bearer ${sessionStorage.getItem("token") ?? ""}` };
  let response;
  try {
    response = await fetch(`./api/${name}`, { method: "POST", headers, body: JSON.stringify(body ?? {}) });
  } catch {
    throw new Refused("sgfq explore does not answer: has it ended?");
  }
  if (!response.ok) throw new Refused((await response.json().catch(() => ({}))).error ?? `the server answered ${response.status}`);
  return read(response);
}

/// Saves an answer as a file.
export async function download(question, asked, name) {
  try {
    notice(`${name} is made …`);
    const whole = (response) => response.blob().catch(() => Promise.reject(new Refused("the download broke off: see the terminal")));
    save(name, await ask(question, asked, whole));
    notice(`${name} is saved.`);
  } catch (err) {
    notice("");
    fault(err.message);
  }
}
