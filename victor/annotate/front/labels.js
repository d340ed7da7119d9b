// The labels of the blocks of one page with their history. Knows neither the page nor the server.
// A run is [first, last, letter]: the blocks first to last, both included, have this letter.

export const UNMARKED = "o";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const code = (letter) => letter.charCodeAt(0);

/** Runs of equal letters of blocks first to last; `differs` leaves out the blocks it is false for. */
function runsOf(codes, first, last, differs = () => true) {
  const runs = [];
  let open = null;
  for (let block = first; block <= last; block++) {
    if (!differs(block)) {
      open = null;
    } else if (open && open[2] === codes[block]) {
      open[1] = block;
    } else {
      open = [block, block, codes[block]];
      runs.push(open);
    }
  }
  return runs.map(([from, to, letter]) => [from, to, String.fromCharCode(letter)]);
}

export class Labels {
  #codes;
  #done = [];
  #undone = [];

  constructor(letters) {
    this.#codes = encoder.encode(letters);
  }

  get length() {
    return this.#codes.length;
  }

  get canUndo() {
    return this.#done.length > 0;
  }

  get canRedo() {
    return this.#undone.length > 0;
  }

  get hasMarks() {
    return this.#codes.some((found) => found !== code(UNMARKED));
  }

  letter(block) {
    return String.fromCharCode(this.#codes[block]);
  }

  letters() {
    return decoder.decode(this.#codes);
  }

  /** All blocks as runs, or those of a range. */
  runs(first = 0, last = this.length - 1) {
    return runsOf(this.#codes, first, last);
  }

  /** Gives the blocks between two blocks, in either order, a letter; the runs that changed. */
  mark(one, other, letter) {
    const first = Math.max(Math.min(one, other), 0);
    const last = Math.min(Math.max(one, other), this.length - 1);
    const wanted = code(letter);
    return this.#record(first, last, (block) => this.#codes[block] !== wanted, () => wanted);
  }

  /** Gives every block the letter of a string as long as the page; the runs that changed. */
  assign(letters) {
    const wanted = encoder.encode(letters);
    if (wanted.length !== this.length) throw new RangeError("letters of another page");
    const differs = (block) => this.#codes[block] !== wanted[block];
    return this.#record(0, this.length - 1, differs, (block) => wanted[block]);
  }

  undo() {
    return this.#step(this.#done, this.#undone, "before");
  }

  redo() {
    return this.#step(this.#undone, this.#done, "after");
  }

  #record(first, last, differs, wanted) {
    const before = runsOf(this.#codes, first, last, differs);
    if (!before.length) return [];
    const codes = this.#codes.slice();
    for (const [from, to] of before) {
      for (let block = from; block <= to; block++) codes[block] = wanted(block);
    }
    const after = runsOf(codes, first, last, differs);
    this.#codes = codes;
    this.#done.push({ before, after });
    this.#undone = [];
    return after;
  }

  #step(from, to, side) {
    const step = from.pop();
    if (!step) return [];
    to.push(step);
    for (const [first, last, letter] of step[side]) this.#codes.fill(code(letter), first, last + 1);
    return step[side];
  }
}
