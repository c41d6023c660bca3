// The filters: a line of chips, and the form that changes them.

import { html, useLayoutEffect, useRef, useState } from "./html.js";
import { answerTo, useAnswer } from "./answers.js";
import { COLORS, number, textOf } from "./format.js";
import { FILTERS, NO_FILTERS, chosen, filterKeys, go, href, question, state } from "./state.js";

/** @import { Component, Ref } from "./html.js" */
/** @import { Ready } from "./protocol.d.ts" */
/** @import { Changes, FilterKey } from "./state.js" */

/** @typedef {keyof typeof NO_FILTERS} FieldKey */

/// The texts of the filters that are set.
function chips() {
  /** @type {[text: string, cleared: Changes][]} */
  const all = [];
  const add = (/** @type {string} */ text, /** @type {FieldKey[]} */ keys) =>
    all.push([text, Object.fromEntries(keys.map((key) => [key, NO_FILTERS[key]]))]);
  if (state.player) add(`${state.player}${state.color ? ` as ${COLORS[state.color]}` : ""}`, ["player", "color"]);
  if (state.opponent) add(`against ${state.opponent}`, ["opponent"]);
  if (state.from || state.to) add(`${state.from || "…"}–${state.to || "…"}`, ["from", "to"]);
  if (state.winner) add(`${COLORS[state.winner] ?? state.winner} won`, ["winner"]);
  if (state.rank) add(`from ${state.rank}`, ["rank"]);
  if (state.komi) add(`komi ${state.komi}`, ["komi"]);
  if (state.where) add(state.where, ["where"]);
  if (state.swap) add("With swapped colors", ["swap"]);
  if (state.exact) add("Exact positions", ["exact"]);
  if (state.variations) add("All variations", ["variations"]);
  return all;
}

/// The line of chips.
/** @type {Component<{ onEdit: () => void }>} */
export function Filters({ onEdit }) {
  const all = chips();
  const label = all.length ? "Filters…" : "Filter games…";
  return html`<div class="chips" role="group" aria-label="Filters">
    <button id="edit-filters" onClick=${onEdit}>${label}</button>
    ${all.map(
      ([text, cleared]) => html`<span class="chip" key=${text}><span>${text}</span>
      <a href=${href(cleared)} aria-label=${`Remove the filter ${text}`}>×</a></span>`,
    )}
    ${all.length > 0 && html`<a id="clear" href=${href(NO_FILTERS)}>Clear all</a>`}
  </div>`;
}

/// A field of the form with its fault.
/** @type {Component<{ id: string, name: string, fault?: string, children?: unknown, wide?: boolean }>} */
function Field({ id, name, fault, children, wide }) {
  return html`<label class=${wide ? "wide" : ""} for=${id}><span>${name}</span>${children}
    ${fault && html`<span class="fault" role="alert" id=${`${id}-fault`}>${fault}</span>`}</label>`;
}

/// Fields that take names.
/** @type {[key: "player" | "opponent", name: string][]} */
const NAMES = [
  ["player", "Player"],
  ["opponent", "Against"],
];

const sideNames = [
  ["", "Either"],
  ["B", "Black"],
  ["W", "White"],
];
/** @type {Component<{ all: string[][], value: string }>} */
const Options = ({ all, value }) =>
  all.map(
    ([key, name]) => html`<option value=${key}
  selected=${key === value}>${name}</option>`,
  );

/// The fields of the form.
/** @type {(of: typeof NO_FILTERS) => typeof NO_FILTERS} */
function fieldsOf(of) {
  const fields = Object.keys(NO_FILTERS).map((key) => [key, of[/** @type {FieldKey} */ (key)]]);
  return Object.fromEntries(fields);
}

/// The form in a dialog. It stays open until the archive has answered, so that it can show a fault beside its field.
/** @type {Component<{ status: Ready, onClose: () => void }>} */
export function FilterDialog({ status, onClose }) {
  /** @type {Ref<HTMLDialogElement>} */
  const dialog = useRef();
  const [fields, setFields] = useState(() => fieldsOf(state));
  const [faults, setFaults] = useState(/** @type {Partial<Record<FieldKey, string>>} */ ({}));
  const [typed, setTyped] = useState(/** @type {"player" | "opponent"} */ ("player"));
  const prefix = fields[typed].replaceAll('"', "");
  const { answer: names } = useAnswer("names", prefix.length > 1 ? { prefix, count: 12 } : undefined);
  useLayoutEffect(() => dialog.current.showModal(), []); // before the user can type
  const set =
    (/** @type {FieldKey} */ key) =>
    (/** @type {{ target: HTMLInputElement | HTMLSelectElement }} */ { target }) =>
      setFields((before) => ({ ...before, [key]: target.type === "checkbox" ? !before[key] : target.value }));
  const apply = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const entries = Object.entries(fields).map(([key, value]) => [key, typeof value === "string" ? value.trim() : value]);
    /** @type {typeof NO_FILTERS} */
    const trimmed = Object.fromEntries(entries);
    /** @type {typeof faults} */
    const found = {};
    for (const key of filterKeys) {
      const { form, name, example } = FILTERS[key];
      if (trimmed[key] && !form.test(trimmed[key])) found[key] = `${name} must be like ${example}, not “${trimmed[key]}”.`;
    }
    setFaults(found);
    if (Object.keys(found).length) return;
    try {
      const choice = chosen({ ...state, ...trimmed });
      const asked = { ...question(), ...choice };
      if (state.list === "games") await answerTo("games", { ...asked, skip: 0, count: 100 });
      else await answerTo("position", asked);
      dialog.current.close();
      go(trimmed);
    } catch (err) {
      setFaults({ where: textOf(err) });
    }
  };
  const text = (
    /** @type {FieldKey} */ key,
    more = {},
  ) => html`<input id=${key} value=${fields[key]} onInput=${set(key)} autocomplete="off"
    spellcheck=${false}
    aria-invalid=${faults[key] ? "true" : undefined} aria-describedby=${faults[key] ? `${key}-fault` : undefined}
      ...${more} />`;
  const field = (/** @type {FilterKey} */ key) => html`<${Field} id=${key} name=${FILTERS[key].name} fault=${faults[key]}>
    ${text(key, { placeholder: FILTERS[key].example })}<//>`;
  return html`<dialog ref=${dialog} id="filters" aria-labelledby="filters-title" onClose=${onClose}>
    <form method="dialog" onSubmit=${apply}><h2 id="filters-title">Filters</h2>
      <div class="fields">
        ${NAMES.map(
          ([key, name]) => html`<${Field} id=${key} name=${name}
          wide>${text(key, { list: "names", placeholder: "a part of the name", onFocus: () => setTyped(key) })}<//>`,
        )}
          <datalist id="names">${names?.rows.map(
            (row) => html`<option
            value=${`"${row.name}"`}>${row.name} (${number(row.games)})</option>`,
          )}</datalist>
        <${Field} id="color" name="Played"><select id="color" onChange=${set("color")}><${Options} all=${sideNames}
          value=${fields.color} /></select><//>
        <${Field} id="winner" name="Winner"><select id="winner" onChange=${set("winner")}><${Options} all=${sideNames}
          value=${fields.winner} /></select><//>
        ${filterKeys.map(field)}
        <${Field} id="where" name="Where" fault=${faults.where} wide>${text("where", {
          placeholder: "moves < 150 AND ha = 0",
        })}<//>
        <label class="check"><input type="checkbox" id="swap" checked=${fields.swap}
          onChange=${set("swap")} /> Include swapped colors</label>
        <label class="check"><input type="checkbox" id="exact" checked=${fields.exact}
          onChange=${set("exact")} /> Exact positions, neither rotated nor mirrored</label>
        ${
          status.variations &&
          html`<label class="check"><input type="checkbox" id="variations" checked=${fields.variations}
          onChange=${set("variations")} /> Search all variations</label>`
        }
      </div>
      <div class="bar end"><button type="button" onClick=${() => setFields({ ...NO_FILTERS })}>Clear</button>
        <button type="button" onClick=${() => dialog.current.close()}>Cancel</button>
        <button class="primary" id="apply">Apply</button></div>
    </form></dialog>`;
}
