// @ts-check
/**
 * What is kept at a position of the slider. Nothing here knows of a document.
 *
 * Values that change with the position are flat runs: first position, last position, value or
 * values, again and again; outside of its runs a block has none.
 *
 * @typedef {readonly number[]} Runs
 *
 * @typedef {object} Kept
 * @property {readonly number[]} thresholds rising; the position after the last is how the page was cleaned
 * @property {readonly Runs[]} labels of each block: runs of its label
 * @property {readonly Runs[]} pieces of each block: runs of the numbers of two texts, what stands before it and its own
 * @property {Runs} ends runs of the text after the last piece
 * @property {readonly string[]} texts
 *
 * @typedef {object} Facts of a page and of what labelled it
 * @property {string} system
 * @property {string} method how labels were chosen
 * @property {Readonly<Record<string, number>>} presets
 * @property {number} nearest
 * @property {readonly number[]} words
 * @property {number} allWords
 * @property {readonly number[]} blocks
 * @property {string} markdown
 * @property {readonly string[]} labelNames
 * @property {readonly (readonly number[])[]} marginals
 * @property {readonly number[]} kinds
 * @property {readonly string[]} kindNames
 * @property {Readonly<Record<string, Why>>} why by block, of those that were least sure
 *
 * The decision as the page was cleaned, in a sentence; a title, and what spoke for and against it.
 * @typedef {readonly [sentence: string, title: string, rows: readonly Row[]]} Why
 *
 * @typedef {readonly [text: number, weight: number | null, below: readonly Row[]]} Row
 *
 * @typedef {Kept & Facts} Data
 */

export const HEADER = 0;
/** The label of blocks that are dropped. */
export const OTHER = 2;
/** @type {readonly [gap: string, own: string]} */
const NO_PIECE = ["", ""];
const LAST_ZERO = /0$/;

/**
 * The values of the run that holds at a position; none if no run does.
 *
 * @param {Runs} runs
 * @param {number} width how many values runs have
 * @param {number} position
 */
export function valuesAt(runs, width, position) {
  for (let start = 0; start < runs.length; start += 2 + width) {
    const [first = 0, last = 0] = [runs[start], runs[start + 1]];
    if (first <= position && position <= last) return runs.slice(start + 2, start + 2 + width);
  }
  return [];
}

/**
 * The label of a block.
 *
 * @param {Kept} kept
 * @param {number} block
 * @param {number} position
 */
export function labelAt(kept, block, position) {
  return valuesAt(kept.labels[block] ?? [], 1, position)[0] ?? OTHER;
}

/**
 * Is a block kept.
 *
 * @param {Kept} kept
 * @param {number} block
 * @param {number} position
 */
export function isKeptAt(kept, block, position) {
  return labelAt(kept, block, position) !== OTHER;
}

/**
 * What becomes of a block.
 *
 * @param {Kept} kept
 * @param {number} block
 * @param {number} position
 */
export function stateText(kept, block, position) {
  if (!isKeptAt(kept, block, position)) return "dropped";
  return labelAt(kept, block, position) === HEADER ? "kept as a heading" : "kept";
}

/**
 * What the slider says at a position: the threshold, its name, or how the page was cleaned.
 *
 * @param {Data} data
 * @param {number} position
 */
export function positionName(data, position) {
  const { method, nearest, presets, thresholds } = data;
  const isOwn = position === thresholds.length;
  const preset = Object.keys(presets).find((one) => presets[one] === position);
  const name = isOwn && method !== "threshold" ? method : preset;
  const threshold = thresholds[isOwn ? nearest : position];
  return [threshold === undefined ? "" : thresholdText(threshold), name]
    .filter(Boolean)
    .join(" · ");
}

/**
 * Two digits, or three where two do not tell thresholds apart.
 *
 * @param {number} threshold
 */
function thresholdText(threshold) {
  return threshold.toFixed(3).replace(LAST_ZERO, "");
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
 * What a block gives to the text: what stands before it, and its own.
 *
 * @param {Kept} kept
 * @param {number} block
 * @param {number} position
 * @returns {readonly [gap: string, own: string]}
 */
export function pieceAt(kept, block, position) {
  const [gap, own] = valuesAt(kept.pieces[block] ?? [], 2, position);
  return gap === undefined || own === undefined ? NO_PIECE : [textOf(kept, gap), textOf(kept, own)];
}

/**
 * What stands after the last piece.
 *
 * @param {Kept} kept
 * @param {number} position
 */
export function endAt(kept, position) {
  const [end] = valuesAt(kept.ends, 1, position);
  return end === undefined ? "" : textOf(kept, end);
}

/**
 * @param {Kept} kept
 * @param {number} number
 */
function textOf(kept, number) {
  return kept.texts[number] ?? "";
}
