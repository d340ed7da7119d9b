// @ts-check
/** Decisions and reasons in words. Nothing here knows of a document. */
import { HEADER, labelAt, OTHER } from "./positions.js";

/**
 * @typedef {object} Facts of a page and of what labelled it
 * @property {string} system
 * @property {string} method how labels were chosen
 * @property {boolean} isAsked somebody asked for this way of choosing
 * @property {Readonly<Record<string, number>>} presets
 * @property {number} nearest
 * @property {readonly number[]} words
 * @property {number} allWords
 * @property {readonly number[]} blocks
 * @property {string} markdown
 * @property {readonly string[]} labelNames
 * @property {readonly (readonly number[])[]} marginals
 * @property {readonly number[]} kinds
 * @property {readonly string[]} kindsNames
 * @property {readonly number[]} reasons
 * @property {readonly string[]} reasonsNames
 * @property {Why | null} why
 * @property {readonly Clue[]} clues
 * @property {Readonly<Record<string, string>>} sentences about the decision as the page was cleaned
 *
 * @typedef {object} Clue that rules found of the blocks
 * @property {string} name
 * @property {string} meaning
 * @property {string} keeps which values speak for keeping: those up to, from or above the limit
 * @property {readonly (number | boolean | string)[]} values
 * @property {readonly number[] | null} limits
 *
 * @typedef {object} Why
 * @property {readonly string[]} groups
 * @property {readonly (readonly [name: string, meaning: string])[]} names
 * @property {readonly string[]} values
 * @property {Readonly<Record<string, BlockWhy>>} blocks
 *
 * What is said of a block: the label that is compared with other, the logarithm of the odds, the
 * strongest groups, how many others there are, and their sum.
 * @typedef {readonly [label: number, odds: number, groups: readonly Group[], nMore: number, more: number]} BlockWhy
 *
 * The parts are flat: name, value, weight, again and again.
 * @typedef {readonly [group: number, sum: number, parts: readonly number[], nMore: number, more: number]} Group
 *
 * @typedef {import("./positions.js").Kept & Facts} Data
 */

const LAST_ZERO = /0$/;
/** @type {ReadonlyMap<string, string>} */
const WAYS = new Map([
  ["expected-f", "best expected F"],
  ["viterbi", "most probable labels"],
]);
/** @type {ReadonlyMap<string, string>} */
const REASONS = new Map([
  ["below-threshold", "not probable enough"],
  ["expected-f", "dropping it gives the best expected F of the page"],
  ["viterbi", "other is its label in the most probable sequence"],
  ["whole", "it goes with the table or code that it is part of"],
  ["scope", "the scope says so"],
]);

/**
 * A weight with its sign.
 *
 * @param {number} value
 */
export function signed(value) {
  return (value < 0 ? "\u2212" : "+") + Math.abs(value).toFixed(2);
}

/**
 * What the slider says at a position.
 *
 * @param {Data} data
 * @param {number} position
 */
export function positionName(data, position) {
  const threshold = data.thresholds[position];
  if (threshold === undefined) return ownName(data);
  const name = Object.keys(data.presets).find((preset) => data.presets[preset] === position);
  return thresholdText(threshold) + (name ? ` · ${name}` : "");
}

/**
 * Two digits, or three where two do not tell thresholds apart.
 *
 * @param {number} threshold
 */
export function thresholdText(threshold) {
  return threshold.toFixed(3).replace(LAST_ZERO, "");
}

/**
 * How the page was cleaned.
 *
 * @param {Data} data
 */
function ownName(data) {
  const threshold = data.thresholds[data.nearest];
  const way = WAYS.get(data.method) ?? data.method;
  if (threshold === undefined) return way;
  return thresholdText(threshold) + (data.method === "threshold" ? "" : ` · ${way}`);
}

/**
 * How much is kept at a position.
 *
 * @param {Data} data
 * @param {number} position
 */
export function countsText(data, position) {
  const [words, all] = [data.words[position] ?? 0, data.allWords].map((n) =>
    n.toLocaleString("en"),
  );
  return `${words} of ${all} words kept, in ${data.blocks[position]} of ${data.labels.length} blocks`;
}

/**
 * What becomes of a block.
 *
 * @param {Data} data
 * @param {number} block
 * @param {number} position
 */
export function stateText(data, block, position) {
  const label = labelAt(data, block, position);
  if (label === OTHER) return "dropped";
  return label === HEADER ? "kept as a heading" : "kept";
}

/**
 * Why: what the threshold, the table around it or the scope say; empty if nothing is to be said.
 *
 * @param {Data} data
 * @param {number} block
 * @param {number} position
 */
export function becauseText(data, block, position) {
  const other = data.marginals[block]?.[OTHER] ?? 0;
  const threshold = data.thresholds[position];
  if (threshold === undefined) {
    if (data.sentences[block]) return "";
    const reason = data.reasonsNames[data.reasons[block] ?? 0] ?? "";
    if (reason === "kept") return "";
    return REASONS.get(reason) ?? `reason: ${reason}`;
  }
  const isKept = labelAt(data, block, position) !== OTHER;
  if (isKept === other < threshold) {
    return `p(other) is ${other.toFixed(2)}, ${isKept ? "below" : "not below"} ${thresholdText(threshold)}`;
  }
  return "as the table or code that it is part of, or as the scope says";
}

/**
 * What a clue says of a block; empty if nothing.
 *
 * @param {Clue} clue
 * @param {number} block
 */
export function clueText(clue, block) {
  const value = clue.values[block] ?? "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  const limit = clue.limits?.[block];
  return limit === undefined ? String(value) : `${value}, kept ${clue.keeps} ${limit}`;
}
