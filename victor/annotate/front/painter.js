// Colours many blocks a slice at a time, so that the page answers meanwhile.

const SLICE = 4000;
const NEAR = 300;

export class Painter {
  #waiting = [];
  #timer = null;

  /** apply(first, last) draws the blocks as they are by then. */
  constructor(apply) {
    this.apply = apply;
  }

  /** Draws runs or ranges of blocks, those around one block first. */
  paint(ranges, around) {
    for (const [first, last] of ranges) {
      const [from, to] = [Math.max(first, around - NEAR), Math.min(last, around + NEAR)];
      if (from <= to) this.apply(from, to);
      this.#waiting.push([first, last]);
    }
    if (!this.#timer) this.#slice();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#waiting = [];
  }

  #slice() {
    this.#timer = null;
    let left = SLICE;
    while (left > 0 && this.#waiting.length) {
      const [first, end] = this.#waiting[0];
      const last = Math.min(end, first + left - 1);
      this.apply(first, last);
      left -= last - first + 1;
      if (last === end) this.#waiting.shift();
      else this.#waiting[0] = [last + 1, end];
    }
    if (this.#waiting.length) this.#timer = setTimeout(() => this.#slice());
  }
}
