// @ts-check
// The keys: one table for the listener and for the help, which shows the guidelines, too.

import * as api from "./api.js";
import { byId, closest, element, messageOf } from "./dom.js";

/**
 * The keys of each command, under the headings of the help.
 *
 * @typedef {[keys: string[], command: string, description: string]} Row
 * @type {Record<string, Row[]>}
 */
export const KEYS = {
  Labels: [
    [["1"], "choose-h", "choose header"],
    [["2"], "choose-t", "choose text"],
    [["3"], "choose-o", "choose other"],
    [["4"], "choose-?", "choose unlabelled, where careful readers could disagree"],
    [[" ", "Enter"], "label", "give the selected blocks the chosen label"],
    [["h"], "label-h", "label the selected blocks header"],
    [["t"], "label-t", "label the selected blocks text"],
    [["o"], "label-o", "label the selected blocks other"],
    [["x"], "label-?", "label the selected blocks unlabelled"],
    [["l"], "whole", "give the whole list or table the chosen label"],
    [["Shift+h"], "whole-h", "label the whole list or table header"],
    [["Shift+t"], "whole-t", "label the whole list or table text"],
    [["Shift+o"], "whole-o", "label the whole list or table other"],
    [["Shift+x"], "whole-?", "label the whole list or table unlabelled"],
    [["Ctrl+z"], "undo", "undo"],
    [["Ctrl+Shift+z", "Ctrl+y"], "redo", "redo"],
    [["c"], "clear", "clear the page, suggestions too"],
  ],
  Blocks: [
    [["j", "ArrowDown"], "down", "next block"],
    [["k", "ArrowUp"], "up", "previous block"],
    [["Shift+j", "Shift+ArrowDown"], "extend-down", "extend the selection to the next block"],
    [["Shift+k", "Shift+ArrowUp"], "extend-up", "extend the selection to the previous block"],
    [["Home"], "top", "first block"],
    [["End"], "bottom", "last block"],
    [["Shift+Home"], "extend-top", "select up to the first block"],
    [["Shift+End"], "extend-bottom", "select up to the last block"],
    [["Escape"], "cancel-selection", "cancel the selection"],
    [["u"], "least-certain", "least certain block"],
    [["v"], "styles", "turn the page's own styles off or on"],
  ],
  Pages: [
    [["d"], "state-done", "confirm the suggestions; the page is done, next page"],
    [["n"], "state-no-content", "no content, next page"],
    [["w"], "state-wrong-language", "wrong language, next page"],
    [["b"], "state-broken", "broken, next page"],
    [["s"], "state-skip", "skip, next page"],
    [["ArrowRight", "]"], "next", "next page"],
    [["ArrowLeft", "["], "previous", "previous page"],
    [["q"], "pages", "list of pages"],
    [["r"], "adapt", "adapt the model to the finished pages"],
    [["?"], "help", "show these keys"],
  ],
};

/** @type {Map<string, string>} */
const COMMANDS = new Map();
for (const [keys, command] of Object.values(KEYS).flat()) {
  for (const key of keys) COMMANDS.set(key, command);
}
/** @type {Record<string, string>} */
const KEY_NAMES = {
  " ": "Space",
  ArrowDown: "↓",
  ArrowUp: "↑",
  ArrowRight: "→",
  ArrowLeft: "←",
  Escape: "Esc",
};
const DIGIT = /^(?:Digit|Numpad)[0-9]$/u;
const LETTER = /\p{Letter}/u;

/**
 * The key of an event as in the table. Digits go by their position: some layouts need shift.
 * @param {Pick<KeyboardEvent, "code" | "key" | "ctrlKey" | "metaKey" | "shiftKey">} event
 */
export function keyOf(event) {
  if (DIGIT.test(event.code)) return event.code.slice(-1);
  const isCharacter = event.key.length === 1;
  const name = isCharacter ? event.key.toLowerCase() : event.key;
  const hasShift = event.shiftKey && (!isCharacter || LETTER.test(name));
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${hasShift ? "Shift+" : ""}${name}`;
}

/**
 * Whether the focused element needs the key: fields need all, buttons those that press them.
 * @param {KeyboardEvent} event
 */
function isTaken(event) {
  const { key } = event;
  const target = /** @type {Element} */ (event.target);
  if (target.ownerDocument !== document) return false;
  if (document.querySelector("dialog[open]")) return true;
  if (target.closest("input, select, textarea")) return true;
  return [" ", "Enter"].includes(key) && target.closest("button, summary, a") !== null;
}

/**
 * Calls run(command) for the keys of the table that are pressed in a document.
 * @param {Document} page
 * @param {(command: string) => void} run
 */
export function listenToKeys(page, run) {
  page.addEventListener("keydown", (event) => {
    const command = event.altKey ? undefined : COMMANDS.get(keyOf(event));
    if (!command || isTaken(event)) return;
    event.preventDefault();
    run(command);
  });
}

/** "Ctrl+z" as the help writes it: "Ctrl+Z". @param {string} key */
export function nameOf(key) {
  /** @param {string} part */
  const nameOfPart = (part) => KEY_NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part);
  return key.split("+").map(nameOfPart).join("+");
}

/** @param {Row} row */
function helpRow([keys, , description]) {
  const names = keys.map((key) => element("kbd", { textContent: nameOf(key) }));
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, ...names.flatMap((name) => [" or ", name]).slice(1)),
    element("td", { textContent: description }),
  );
}

/** Fills the help with one table per heading; the guidelines come when it is first opened. */
export function prepareHelp() {
  byId("help").replaceChildren(
    ...Object.entries(KEYS).map(([heading, rows]) =>
      element(
        "table",
        {},
        element("caption", { textContent: heading }),
        element("tbody", {}, ...rows.map(helpRow)),
      ),
    ),
  );
  byId("help-dialog").addEventListener("click", (event) => {
    const section = closest(event, "[data-section]")?.dataset.section;
    if (!section) return;
    byId(section).scrollIntoView({ block: "start" });
    byId(section).focus({ preventScroll: true });
  });
}

/** Opens the help at its top. */
export async function openHelp() {
  byId("help-dialog").showModal();
  byId("help-body").scrollTop = 0;
  if (byId("guidelines").hasChildNodes()) return;
  try {
    const { html } = await api.guidelines();
    // The server has made it harmless; a document that is parsed so runs no script anyway.
    const { body } = new DOMParser().parseFromString(html, "text/html");
    byId("guidelines").replaceChildren(...body.childNodes);
  } catch (error) {
    byId("guidelines").textContent = `They cannot be shown: ${messageOf(error)}`;
  }
}
