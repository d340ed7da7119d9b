// @ts-check
// Names and numbers as the tool displays them.

/** @import { Letter, State } from "./server_answers.d.ts" */

/** @type {Record<Letter, string>} */
export const LABEL_NAMES = { h: "header", t: "text", o: "other", "?": "unlabelled" };

/** @type {Record<State, string>} */
const STATE_NAMES = {
  todo: "to do",
  done: "done",
  "no-content": "no content",
  "wrong-language": "wrong language",
  broken: "broken",
  skip: "skipped",
};

/** @param {State} state */
export const stateName = (state) => STATE_NAMES[state] ?? state;

/**
 * "1 block", "2 blocks".
 *
 * @param {number} number
 * @param {string} noun
 */
export function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/**
 * "1", "5–8": blocks as people number them, from 1.
 *
 * @param {number} first
 * @param {number} last
 */
export function blockRange(first, last) {
  return first === last ? `${first + 1}` : `${first + 1}–${last + 1}`;
}

/**
 * @param {string} text
 * @param {number} length
 */
export function truncate(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
