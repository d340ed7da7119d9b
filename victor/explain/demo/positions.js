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
 * @property {readonly number[]} thresholds rising; the position after the last is the page's own decision
 * @property {readonly Runs[]} labels of each block: runs of its label
 * @property {readonly Runs[]} pieces of each block: runs of the numbers of two texts, what stands before it and its own
 * @property {Runs} ends runs of the text after the last piece
 * @property {readonly string[]} texts
 */

/**
 * Where the values of the run that holds at a position begin, -1 if none does.
 *
 * @param {Runs} runs
 * @param {number} width values of a run
 * @param {number} position
 */
export function runAt(runs, width, position) {
  for (let start = 0; start < runs.length; start += 2 + width) {
    if (runs[start] <= position && position <= runs[start + 1]) return start + 2;
  }
  return -1;
}

/**
 * The label of a block.
 *
 * @param {Kept} kept
 * @param {number} block
 * @param {number} position
 * @param {number} other the label of blocks that are dropped
 */
export function labelAt(kept, block, position, other) {
  const at = runAt(kept.labels[block], 1, position);
  return at < 0 ? other : kept.labels[block][at];
}

/** @type {readonly [string, string]} */
const NO_PIECE = ["", ""];

/**
 * What a block gives to the text: what stands before it, and its own.
 *
 * @param {Kept} kept
 * @param {number} block
 * @param {number} position
 * @returns {readonly [gap: string, own: string]}
 */
export function pieceAt(kept, block, position) {
  const runs = kept.pieces[block];
  const at = runAt(runs, 2, position);
  return at < 0 ? NO_PIECE : [kept.texts[runs[at]], kept.texts[runs[at + 1]]];
}

/**
 * What stands after the last piece.
 *
 * @param {Kept} kept
 * @param {number} position
 */
export function endAt(kept, position) {
  const at = runAt(kept.ends, 1, position);
  return at < 0 ? "" : kept.texts[kept.ends[at]];
}

/**
 * The whole text.
 *
 * @param {Kept} kept
 * @param {number} position
 */
export function textAt(kept, position) {
  const pieces = kept.pieces.map((_, block) => pieceAt(kept, block, position).join(""));
  return pieces.join("") + endAt(kept, position);
}

/**
 * Parts of the text that can be laid out one by one: each begins a new line wherever it is shown.
 *
 * @param {Kept} kept
 * @param {number} size blocks with pieces of a part, but for those that cannot be parted
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
 * The first block that gives a piece, by position.
 *
 * @param {Kept} kept
 */
function firstBlocks(kept) {
  /** @type {number[]} */
  const firsts = [];
  kept.pieces.forEach((runs, block) => {
    for (let run = 0; run < runs.length; run += 4) {
      for (let position = runs[run]; position <= runs[run + 1]; position++) firsts[position] ??= block;
    }
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
  const runs = kept.pieces[block];
  for (let run = 0; run < runs.length; run += 4) {
    if (kept.texts[runs[run + 2]].startsWith("\n")) continue;
    for (let position = runs[run]; position <= runs[run + 1]; position++) {
      if (firsts[position] !== block) return false;
    }
  }
  return true;
}
