// @ts-check
// The labels of one page's blocks, with undo and redo. Independent of the DOM and of the server.
// A run is [first, last, value]: the blocks first to last, both included, have this value.

/**
 * @import { Letter, Range, Run } from "./server_answers.d.ts"
 *
 * @typedef {{before: Run[], after: Run[], decided: Range[]}} Change
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
  /** 1 for each block that a person has decided on, even where its letter stayed the same. */
  #isDecided;
  /** @type {Change[]} */
  #done = [];
  /** @type {Change[]} */
  #undone = [];

  /**
   * @param {string} letters one for each block
   * @param {Range[]} decided blocks that a person left unmarked on purpose
   */
  constructor(letters, decided = []) {
    this.#letters = /** @type {Letter[]} */ ([...letters]);
    this.#isDecided = new Uint8Array(this.#letters.length);
    for (const [first, last] of decided) this.#isDecided.fill(1, first, last + 1);
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

  /**
   * Whether a person has decided on a block: a mark counts, whoever made it.
   *
   * @param {number} block
   */
  isDecided(block) {
    return this.#letters[block] !== UNMARKED || this.#isDecided[block] === 1;
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
    return this.#change(first, last, () => letter, this.#decide(first, last, letter));
  }

  /**
   * Gives the letters of a string to the blocks nobody has decided on; returns the changed runs.
   *
   * @param {string} letters
   */
  fill(letters) {
    const filled = this.#letters.map((letter, block) =>
      this.isDecided(block) ? letter : letters[block],
    );
    return this.assign(filled.join(""));
  }

  /**
   * Replaces all labels by as many others, without deciding; returns the changed runs.
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
   * @param {Range[]} decided blocks that nobody had decided on before
   */
  #change(first, last, letterOf, decided = []) {
    /** @param {number} block */
    const isSame = (block) => letterOf(block) === this.letter(block);
    const before = runsOf(first, last, (block) => (isSame(block) ? undefined : this.letter(block)));
    if (!before.length && !decided.length) return [];
    const after = runsOf(first, last, (block) => (isSame(block) ? undefined : letterOf(block)));
    this.#done.push({ before, after, decided });
    this.#undone = [];
    return this.#apply(after);
  }

  /**
   * @param {Change[]} from
   * @param {Change[]} to
   * @param {"before" | "after"} side
   */
  #replay(from, to, side) {
    const change = from.pop();
    if (!change) return [];
    to.push(change);
    for (const [first, last] of change.decided) {
      this.#isDecided.fill(side === "after" ? 1 : 0, first, last + 1);
    }
    return this.#apply(change[side]);
  }

  /**
   * Records that a letter is right for blocks; returns the ranges for which that is new.
   *
   * @param {number} first
   * @param {number} last
   * @param {Letter} letter
   * @returns {Range[]}
   */
  #decide(first, last, letter) {
    /** @param {number} block */
    const isKnown = (block) =>
      this.#isDecided[block] || (letter !== UNMARKED && this.letter(block) === letter);
    const runs = runsOf(first, last, (block) => (isKnown(block) ? undefined : true));
    for (const [from, to] of runs) this.#isDecided.fill(1, from, to + 1);
    return runs.map(([from, to]) => [from, to]);
  }

  /** @param {Run[]} runs */
  #apply(runs) {
    for (const [first, last, letter] of runs) this.#letters.fill(letter, first, last + 1);
    return runs;
  }
}
