// Requests to the server.

/** @import { Asked, Question, Reply } from "./protocol.d.ts" */

/// A request that the server refuses. Its message says how to correct it.
export class Refused extends Error {}

/// A request without the token.
export class Locked extends Refused {}

/// The text that tells users where to find the unreadable inputs.
export const losses = "see the terminal";

/**
 * Sends a request. `signal` stops it; then the connection closes, so the server stops computing, too. `read` reads a file.
 * @typedef {{
 *   <Name extends Question>(name: Name, body?: Asked<Name>, more?: { signal?: AbortSignal }): Promise<Reply<Name>>,
 *   <Name extends Question, Read>(name: Name, body: Asked<Name> | undefined,
 *     more: { signal?: AbortSignal, read?: (response: Response) => Promise<Read> }): Promise<Read>,
 * }} Ask
 */

/// A client of the server. It keeps the token if this tab was opened with it. Other tabs send the cookie that the server sets,
/// which scripts cannot read.
export function createClient(send = fetch) {
  let token = "";

  /// Takes the token of an address or of another text. Returns whether there was one.
  const take = (/** @type {string} */ text) => {
    const given = /(?:^|[#&]token=)([0-9a-f]{32})\b/.exec(text.trim());
    if (given) token = given[1];
    return Boolean(given);
  };

  /** @typedef {{ signal?: AbortSignal, read?: (response: Response) => Promise<any> }} More */
  /** @type {(name: string, body?: object, more?: More) => Promise<any>} */
  const ask = async (name, body, { signal, read = (/** @type {Response} */ response) => response.json() } = {}) => {
    const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
    let response;
    try {
      response = await send(`./api/${name}`, { method: "POST", headers, body: JSON.stringify(body ?? {}), signal });
    } catch (err) {
      if (signal?.aborted) throw err;
      throw new Refused("sgfq explore does not answer. Start it again in the terminal, then open the address that it prints.");
    }
    if (response.ok) return read(response);
    const message = (await response.json().catch(() => ({}))).error ?? `The server answered with status ${response.status}.`;
    throw response.status === 401 ? new Locked(message) : new Refused(message);
  };
  return { take, ask: /** @type {Ask} */ (ask) };
}

const client = createClient();
export const { ask } = client;

/// Removes the token from the address, or from a text that the user entered. Returns whether there was one.
export function takeToken(entered = location.hash) {
  const isTaken = client.take(entered);
  if (isTaken && entered === location.hash) {
    const rest = new URLSearchParams(location.hash.slice(1));
    rest.delete("token");
    history.replaceState(null, "", `#${rest}`);
  }
  return isTaken;
}
