// Requests to the server.

/// A request that the server refuses. Its message says how to correct it.
export class Refused extends Error {}

/// A request without the token.
export class Locked extends Refused {}

/// The text that tells users where to find the unreadable inputs.
export const losses = "see the terminal";

/// The token, if this tab was opened with it. Other tabs send the cookie that the server sets, which scripts cannot read.
let token = "";

/// Removes the token from the address, or from a text that the user entered. Returns whether there was one.
export function takeToken(entered) {
  const text = entered ?? location.hash;
  const given = /(?:^|[#&]token=)([0-9a-f]{32})\b/.exec(text.trim());
  if (!given) return false;
  token = given[1];
  if (entered === undefined) {
    const rest = new URLSearchParams(location.hash.slice(1));
    rest.delete("token");
    history.replaceState(null, "", `#${rest}`);
  }
  return true;
}

/** @typedef {{ signal?: AbortSignal, read?: (response: Response) => any }} More */

/// Sends a request. `signal` stops it; then the connection closes, so the server stops computing, too.
/** @type {(name: string, body?: object, more?: More) => Promise<any>} */
export async function ask(name, body, { signal, read = (response) => response.json() } = {}) {
  const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
  let response;
  try {
    response = await fetch(`./api/${name}`, { method: "POST", headers, body: JSON.stringify(body ?? {}), signal });
  } catch (err) {
    if (signal?.aborted) throw err;
    throw new Refused("sgfq explore does not answer. Start it again in the terminal, then open the address that it prints.");
  }
  if (response.ok) return read(response);
  const message = (await response.json().catch(() => ({}))).error ?? `The server answered with status ${response.status}.`;
  throw response.status === 401 ? new Locked(message) : new Refused(message);
}
