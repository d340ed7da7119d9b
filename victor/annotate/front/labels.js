// @ts-check
// The labels of one page's blocks, with undo and redo. Independent of the DOM and of the server.
// A run is [first, last, value]: the blocks first to last, both included, have this value.

/**
 * @import { Letter, Range, Run } from "./server_answers.d.ts"
 *
 * @typedef {{before: Run[], after: Run[], decisions: Run<0 | 1>[]}} Change
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

  countDecided() {
    return this.#letters.filter((_, block) => this.isDecided(block)).length;
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
    return this.#change(first, last, () => letter, 1);
  }

  /** Takes all marks and decisions back; returns the changed runs. */
  clear() {
    return this.#change(0, this.length - 1, () => UNMARKED, 0);
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
   * @param {0 | 1} [decision] whether the blocks count as decided on from now on
   */
  #change(first, last, letterOf, decision) {
    const decisions = decision === undefined ? [] : this.#decide(first, last, decision);
    /** @param {number} block */
    const isSame = (block) => letterOf(block) === this.letter(block);
    const before = runsOf(first, last, (block) => (isSame(block) ? undefined : this.letter(block)));
    if (!before.length) return [];
    const after = runsOf(first, last, (block) => (isSame(block) ? undefined : letterOf(block)));
    this.#done.push({ before, after, decisions });
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
    for (const [first, last, decision] of change.decisions) {
      this.#isDecided.fill(side === "after" ? decision : 1 - decision, first, last + 1);
    }
    return this.#apply(change[side]);
  }

  /**
   * Records a decision about blocks; returns the runs for which it is another than before.
   *
   * @param {number} first
   * @param {number} last
   * @param {0 | 1} decision
   */
  #decide(first, last, decision) {
    /** @param {number} block */
    const isSame = (block) => this.#isDecided[block] === decision;
    const runs = runsOf(first, last, (block) => (isSame(block) ? undefined : decision));
    this.#isDecided.fill(decision, first, last + 1);
    return runs;
  }

  /** @param {Run[]} runs */
  #apply(runs) {
    for (const [first, last, letter] of runs) this.#letters.fill(letter, first, last + 1);
    return runs;
  }
}
