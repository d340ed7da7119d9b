// @ts-check
// Draws many blocks in slices, so that the page stays responsive meanwhile.

/** @import { Range, Run } from "./server_answers.d.ts" */

const SLICE = 4000;
const NEARBY = 300;

export class Painter {
  /** @type {Range[]} */
  #pending = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {(first: number, last: number) => void} draw draws blocks in their state at that time */
  constructor(draw) {
    this.draw = draw;
  }

  /**
   * Draws ranges of blocks, those around one block first.
   *
   * @param {(Range | Run)[]} ranges
   * @param {number} around
   */
  paint(ranges, around) {
    for (const [first, last] of ranges) {
      const [from, to] = [Math.max(first, around - NEARBY), Math.min(last, around + NEARBY)];
      if (from <= to) this.draw(from, to);
      this.#pending.push([first, last]);
    }
    if (!this.#timer) this.#drawSlice();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#pending = [];
  }

  #drawSlice() {
    this.#timer = undefined;
    let left = SLICE;
    while (left > 0 && this.#pending.length) {
      const [first, end] = this.#pending[0];
      const last = Math.min(end, first + left - 1);
      this.draw(first, last);
      left -= last - first + 1;
      if (last === end) this.#pending.shift();
      else this.#pending[0] = [last + 1, end];
    }
    if (this.#pending.length) this.#timer = setTimeout(() => this.#drawSlice());
  }
}
