// @ts-check
// The blocks the next label goes to, selected by clicks, drags and keys. Independent of the DOM.

/** @import { Range } from "./server_answers.d.ts" */

export class Selection {
  /** The block the keyboard is at. */
  cursor = 0;
  /**
   * The first block of an open passage, or null: the passage waits for its last block.
   *
   * @type {number | null}
   */
  anchor = null;
  /** @type {number | null} */
  #end = null;
  /**
   * The first block of the last closed passage, which shift and a click extend.
   *
   * @type {number | null}
   */
  #lastAnchor = null;

  /** @param {number} length the number of blocks */
  constructor(length) {
    this.length = length;
  }

  /**
   * The first and last selected block.
   *
   * @returns {Range}
   */
  get range() {
    const start = this.anchor ?? this.cursor;
    const end = this.anchor === null ? this.cursor : (this.#end ?? this.cursor);
    return [Math.min(start, end), Math.max(start, end)];
  }

  /**
   * The first click opens a passage and returns null, the second returns the range to label.
   *
   * @param {number} block
   * @param {boolean} isExtending
   */
  click(block, isExtending) {
    const start = isExtending ? (this.anchor ?? this.#lastAnchor ?? this.cursor) : this.anchor;
    this.cursor = this.#end = block;
    this.anchor = start ?? block;
    return start === null ? null : this.close();
  }

  /**
   * Opens a passage at one block that reaches another one.
   *
   * @param {number} from
   * @param {number} to
   */
  drag(from, to) {
    this.anchor = from;
    this.cursor = this.#end = to;
  }

  /**
   * The pointer is over a block: an open passage reaches it.
   *
   * @param {number} block
   */
  hover(block) {
    if (this.anchor !== null) this.#end = block;
  }

  /**
   * Moves the cursor by some blocks; when extending, what it passes is selected.
   *
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
