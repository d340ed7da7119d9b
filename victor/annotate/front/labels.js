// The labels of one page's blocks, with undo and redo. Independent of the DOM and of the server.
// A run is [first, last, value]: the blocks first to last, both included, have this value.

export const UNMARKED = "o";

/** Runs of equal values of the blocks first to last; undefined values are left out. */
export function runsOf(first, last, valueAt) {
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
  #done = [];
  #undone = [];

  /** letters: a string with one letter per block. */
  constructor(letters) {
    this.#letters = [...letters];
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

  letter(block) {
    return this.#letters[block];
  }

  letters() {
    return this.#letters.join("");
  }

  /** The runs of all blocks, or of a range. */
  runs(first = 0, last = this.length - 1) {
    return runsOf(first, last, (block) => this.#letters[block]);
  }

  /** Gives the blocks between two blocks, in either order, a letter; returns the changed runs. */
  mark(one, other, letter) {
    const first = Math.max(Math.min(one, other), 0);
    const last = Math.min(Math.max(one, other), this.length - 1);
    return this.#change(first, last, () => letter);
  }

  /** Replaces all labels by a string of the same length; returns the changed runs. */
  assign(letters) {
    if (letters.length !== this.length) throw new RangeError("letters of another page");
    return this.#change(0, this.length - 1, (block) => letters[block]);
  }

  undo() {
    return this.#replay(this.#done, this.#undone, "before");
  }

  redo() {
    return this.#replay(this.#undone, this.#done, "after");
  }

  #change(first, last, letterOf) {
    const isSame = (block) => letterOf(block) === this.letter(block);
    const before = runsOf(first, last, (block) => (isSame(block) ? undefined : this.letter(block)));
    if (!before.length) return [];
    const after = runsOf(first, last, (block) => (isSame(block) ? undefined : letterOf(block)));
    this.#done.push({ before, after });
    this.#undone = [];
    return this.#apply(after);
  }

  #replay(from, to, side) {
    const change = from.pop();
    if (!change) return [];
    to.push(change);
    return this.#apply(change[side]);
  }

  #apply(runs) {
    for (const [first, last, letter] of runs) this.#letters.fill(letter, first, last + 1);
    return runs;
  }
}
