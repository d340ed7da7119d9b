// @ts-check
// The labels of one page's blocks, with undo and redo. Independent of the DOM and of the server.
// A run is [first, last, value]: the blocks first to last, both included, have this value.

/**
 * @import { Letter, Run } from "./server_answers.d.ts"
 *
 * @typedef {{before: Run[], after: Run[]}} Change
 */

/** @type {Letter} */
export const UNMARKED = "o";

/**
 * Runs of equal values of the blocks first to last; undefined values are left out.
 *
 * @template Value
 * @param {number} first
 * @param {number} last
 * @param {(block: number) => Value | undefined} valueAt
 */
export function runsOf(first, last, valueAt) {
  /** @type {Run<Value>[]} */
  const runs = [];
  for (let block = first; block <= last; block++) {
    const value = valueAt(block);
    if (value === undefined) continue;
    const run = runs.at(-1);
    if (run?.[1] === block - 1 && run[2] === value) run[1] = block;
    else runs.push([block, block, value]);
  }
  return runs;
}

export class Labels {
  #letters;
  /** @type {Change[]} */
  #done = [];
  /** @type {Change[]} */
  #undone = [];

  /** @param {string} letters one for each block */
  constructor(letters) {
    this.#letters = /** @type {Letter[]} */ ([...letters]);
  }

  get length() {
    return this.#letters.length;
  }

  get canUndo() {
    return this.#done.length > 0;
  }

  get canRedo() {
    return this.#undone.length > 0;
  }

  get hasMarks() {
    return this.#letters.some((letter) => letter !== UNMARKED);
  }

  /** @param {number} block */
  letter(block) {
    return this.#letters[block];
  }

  letters() {
    return this.#letters.join("");
  }

  /**
   * The runs of all blocks, or of a range.
   *
   * @param {number} first
   * @param {number} last
   */
  runs(first = 0, last = this.length - 1) {
    return runsOf(first, last, (block) => this.#letters[block]);
  }

  /**
   * Gives the blocks between two blocks, in either order, a letter; returns the changed runs.
   *
   * @param {number} one
   * @param {number} other
   * @param {Letter} letter
   */
  mark(one, other, letter) {
    const first = Math.max(Math.min(one, other), 0);
    const last = Math.min(Math.max(one, other), this.length - 1);
    return this.#change(first, last, () => letter);
  }

  /**
   * Replaces all labels by a string of the same length; returns the changed runs.
   *
   * @param {string} letters
   */
  assign(letters) {
    if (letters.length !== this.length) throw new RangeError("letters of another page");
    return this.#change(0, this.length - 1, (block) => /** @type {Letter} */ (letters[block]));
  }

  undo() {
    return this.#replay(this.#done, this.#undone, "before");
  }

  redo() {
    return this.#replay(this.#undone, this.#done, "after");
  }

  /**
   * @param {number} first
   * @param {number} last
   * @param {(block: number) => Letter} letterOf
   */
  #change(first, last, letterOf) {
    /** @param {number} block */
    const isSame = (block) => letterOf(block) === this.letter(block);
    const before = runsOf(first, last, (block) => (isSame(block) ? undefined : this.letter(block)));
    if (!before.length) return [];
    const after = runsOf(first, last, (block) => (isSame(block) ? undefined : letterOf(block)));
    this.#done.push({ before, after });
    this.#undone = [];
    return this.#apply(after);
  }

  /**
   * @param {Change[]} from
   * @param {Change[]} to
   * @param {keyof Change} side
   */
  #replay(from, to, side) {
    const change = from.pop();
    if (!change) return [];
    to.push(change);
    return this.#apply(change[side]);
  }

  /** @param {Run[]} runs */
  #apply(runs) {
    for (const [first, last, letter] of runs) this.#letters.fill(letter, first, last + 1);
    return runs;
  }
}
