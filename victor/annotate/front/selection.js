// Which blocks the next label goes to: what clicks, drags and keys select. Knows no page.

export class Selection {
  /** Where the keyboard stands. */
  cursor = 0;
  /** The first block of a passage that waits for its last one. */
  anchor = null;
  #end = null;
  #pivot = null;

  constructor(length) {
    this.length = length;
  }

  /** First and last block of what is selected. */
  get range() {
    const start = this.anchor ?? this.cursor;
    const end = this.anchor === null ? this.cursor : (this.#end ?? this.cursor);
    return [Math.min(start, end), Math.max(start, end)];
  }

  /** A click: the first sets the anchor, the second gives the range to label. */
  click(block, extend) {
    const start = extend ? (this.anchor ?? this.#pivot ?? this.cursor) : this.anchor;
    this.cursor = block;
    if (start === null) {
      this.anchor = block;
      this.#end = block;
      return null;
    }
    this.anchor = start;
    this.#end = block;
    return this.take();
  }

  /** The pointer is over a block while the passage is open. */
  reach(block) {
    if (this.anchor !== null) this.#end = block;
  }

  /** The keyboard goes some blocks on; with `extend` what it passes is selected. */
  move(step, extend) {
    if (extend && this.anchor === null) this.anchor = this.cursor;
    if (!extend) this.drop();
    this.go(this.cursor + step);
  }

  go(block) {
    this.cursor = Math.max(Math.min(block, this.length - 1), 0);
    this.#end = this.cursor;
  }

  /** The range to label now; the passage is closed. */
  take() {
    const range = this.range;
    this.#pivot = this.anchor ?? this.cursor;
    this.drop();
    return range;
  }

  drop() {
    this.anchor = null;
    this.#end = null;
  }
}
