// @ts-check
// The labels of one page's blocks, with undo and redo, those that a labeler suggests, and which
// blocks the next one goes to. Independent of the DOM and of the server.
// A run is [first, last, value]: the blocks first to last, both included, have this value.

/**
 * @import { Letter, Range, Run, SuggestedLabels } from "./types.d.ts"
 *
 * @typedef {{before: Run[], after: Run[], decided: Range[]}} Change
 */

/** @type {Letter} */
export const UNMARKED = "o";
/** A confidence below one, two or three of these percentages is a doubt of that degree. */
const DOUBT_LIMITS = [60, 75, 90];

/**
 * Runs of equal values of the blocks first to last; undefined values are left out.
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

  /** Whether a person has decided on a block: a mark counts. @param {number} block */
  isDecided(block) {
    return this.#letters[block] !== UNMARKED || this.#isDecided[block] === 1;
  }

  letters() {
    return this.#letters.join("");
  }

  /** The runs of all blocks, or of a range. @param {number} first @param {number} last */
  runs(first = 0, last = this.length - 1) {
    return runsOf(first, last, (block) => this.#letters[block]);
  }

  /**
   * Gives the blocks of a range a letter; returns the changed runs.
   * @param {number} first
   * @param {number} last
   * @param {Letter} letter
   */
  mark(first, last, letter) {
    return this.#change(first, last, () => letter, this.#decide(first, last, letter));
  }

  /** Gives letters to the blocks nobody has decided on; returns the changed runs. @param {string} letters */
  fill(letters) {
    return this.#change(0, this.length - 1, (block) =>
      this.isDecided(block) ? this.letter(block) : /** @type {Letter} */ (letters[block]),
    );
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

  /** @param {Change[]} from @param {Change[]} to @param {"before" | "after"} side */
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

export class Suggestion {
  #isSettled;
  #byConfidence;
  #nVisited = 0;

  /** @param {SuggestedLabels} answer */
  constructor({ labeler, labels, confidence }) {
    this.labeler = labeler;
    this.labels = new Labels(labels);
    this.confidence = confidence;
    this.#isSettled = new Uint8Array(labels.length);
    this.#byConfidence = Array.from(labels, (_, block) => block).sort(
      (one, other) => confidence[one] - confidence[other],
    );
  }

  /**
   * Runs of degrees of doubt: 0 for certain and settled blocks, up to 3 for the least certain.
   * @returns {Run<number>[]}
   */
  doubts(first = 0, last = this.confidence.length - 1) {
    return runsOf(first, last, (block) => {
      if (this.#isSettled[block]) return 0;
      return DOUBT_LIMITS.filter((limit) => this.confidence[block] < limit).length;
    });
  }

  /** A person has labelled blocks: doubt no longer matters. @param {number} first @param {number} last */
  settle(first, last) {
    this.#isSettled.fill(1, first, last + 1);
  }

  /** The least certain block neither settled nor visited yet, starting over at the end, or null. */
  leastCertain() {
    const { length } = this.#byConfidence;
    for (let remaining = length; remaining > 0; remaining--) {
      const block = this.#byConfidence[this.#nVisited++ % length];
      if (!this.#isSettled[block]) return block;
    }
    return null;
  }
}

/** The blocks the next label goes to, selected by clicks, drags and keys. */
export class Selection {
  /** The block the keyboard is at. */
  cursor = 0;
  /**
   * The first block of an open passage, or null: the passage waits for its last block.
   * @type {number | null}
   */
  anchor = null;
  /** @type {number | null} */
  #end = null;
  /**
   * The first block of the last closed passage, which shift and a click extend.
   * @type {number | null}
   */
  #lastAnchor = null;

  /** @param {number} length the number of blocks */
  constructor(length) {
    this.length = length;
  }

  /** The first and last selected block. @returns {Range} */
  get range() {
    const start = this.anchor ?? this.cursor;
    const end = this.anchor === null ? this.cursor : (this.#end ?? this.cursor);
    return [Math.min(start, end), Math.max(start, end)];
  }

  /**
   * The first click opens a passage and returns null, the second returns the range to label.
   * @param {number} block
   * @param {boolean} isExtending
   */
  click(block, isExtending) {
    const start = isExtending ? (this.anchor ?? this.#lastAnchor ?? this.cursor) : this.anchor;
    this.drag(start ?? block, block);
    return start === null ? null : this.close();
  }

  /** Opens a passage at one block that reaches another one. @param {number} from @param {number} to */
  drag(from, to) {
    this.anchor = from;
    this.cursor = this.#end = to;
  }

  /** The pointer is over a block: an open passage reaches it. @param {number} block */
  hover(block) {
    if (this.anchor !== null) this.#end = block;
  }

  /**
   * Moves the cursor by some blocks; when extending, what it passes is selected.
   * @param {number} step
   * @param {boolean} isExtending
   */
  move(step, isExtending) {
    if (isExtending) this.anchor ??= this.cursor;
    else this.cancel();
    this.moveTo(this.cursor + step);
  }

  /** @param {number} block */
  moveTo(block) {
    this.cursor = Math.max(Math.min(block, this.length - 1), 0);
    this.#end = this.cursor;
  }

  /** Closes the passage; returns the range to label. */
  close() {
    const { range } = this;
    this.#lastAnchor = this.anchor ?? this.cursor;
    this.cancel();
    return range;
  }

  cancel() {
    this.anchor = null;
    this.#end = null;
  }
}
