// @ts-check
// The commands of the tool that concern the open page alone, and how commands are named.

import { LABEL_NAMES } from "./format.js";

/**
 * @import { Editor } from "./editor.js"
 * @import { Letter, State } from "./server_answers.d.ts"
 */

export const LETTERS = /** @type {Letter[]} */ (Object.keys(LABEL_NAMES));
/** @type {State[]} */
export const FINAL_STATES = ["done", "no-content", "wrong-language", "broken", "skip"];
/**
 * The states of a page that nobody could see.
 *
 * @type {State[]}
 */
export const UNSEEN_STATES = ["broken", "skip"];

/**
 * Commands "prefix-value".
 *
 * @template {string} Value
 * @template Command
 * @param {string} prefix
 * @param {Value[]} values
 * @param {(value: Value) => Command} commandOf
 * @returns {Record<string, Command>}
 */
export function variants(prefix, values, commandOf) {
  return Object.fromEntries(values.map((value) => [`${prefix}-${value}`, commandOf(value)]));
}

/** @type {(letter: Letter) => (editor: Editor) => void} */
const labelCommand = (letter) => (editor) => editor.label(letter);

/**
 * The commands that only concern the open page.
 *
 * @type {Record<string, (editor: Editor) => void>}
 */
export const EDITOR_COMMANDS = {
  label: (editor) => editor.label(),
  ...variants("label", LETTERS, labelCommand),
  undo: (editor) => editor.undo(),
  redo: (editor) => editor.redo(),
  clear: (editor) => editor.clear(),
  down: (editor) => editor.move(1),
  up: (editor) => editor.move(-1),
  top: (editor) => editor.move(-Infinity),
  bottom: (editor) => editor.move(Infinity),
  "extend-down": (editor) => editor.move(1, true),
  "extend-up": (editor) => editor.move(-1, true),
  "extend-top": (editor) => editor.move(-Infinity, true),
  "extend-bottom": (editor) => editor.move(Infinity, true),
  "cancel-selection": (editor) => editor.cancelSelection(),
};
