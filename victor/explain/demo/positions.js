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
 */

export const HEADER = 0;
/** The label of blocks that are dropped. */
export const OTHER = 2;
/** @type {readonly [gap: string, own: string]} */
const NO_PIECE = ["", ""];
/** Numbers of a run of pieces. */
const PIECE = 4;

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
 * Parts of the text that can be laid out one by one: each begins a new line wherever it is shown.
 *
 * @param {Kept} kept
 * @param {number} size blocks with pieces of a part; those that begin no line come on top
 * @returns {number[][]} the blocks with pieces of each part
 */
export function textParts(kept, size) {
  const firsts = firstBlocks(kept);
  /** @type {number[][]} */
  const parts = [];
  kept.pieces.forEach((runs, block) => {
    if (!runs.length) return;
    const current = parts.at(-1);
    if (current && (current.length < size || !beginsLine(kept, block, firsts))) current.push(block);
    else parts.push([block]);
  });
  return parts;
}

/**
 * @param {Kept} kept
 * @param {number} number
 */
function textOf(kept, number) {
  return kept.texts[number] ?? "";
}

/**
 * The first block that gives a piece, by position.
 *
 * @param {Kept} kept
 */
function firstBlocks(kept) {
  /** @type {number[]} */
  const firsts = [];
  kept.pieces.forEach((runs, block) => {
    for (const position of positionsOf(runs)) firsts[position] ??= block;
  });
  return firsts;
}

/**
 * Does a block stand at the beginning of a line at all positions.
 *
 * @param {Kept} kept
 * @param {number} block
 * @param {readonly number[]} firsts
 */
function beginsLine(kept, block, firsts) {
  for (const position of positionsOf(kept.pieces[block] ?? [])) {
    const [gap] = pieceAt(kept, block, position);
    if (!gap.startsWith("\n") && firsts[position] !== block) return false;
  }
  return true;
}

/**
 * The positions at which a block gives a piece.
 *
 * @param {Runs} runs
 */
function* positionsOf(runs) {
  for (let run = 0; run < runs.length; run += PIECE) {
    const last = runs[run + 1] ?? -1;
    for (let position = runs[run] ?? 0; position <= last; position++) yield position;
  }
}
