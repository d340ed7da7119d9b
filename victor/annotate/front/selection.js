// The blocks the next label goes to, selected by clicks, drags and keys. Independent of the DOM.

export class Selection {
  /** The block the keyboard is at. */
  cursor = 0;
  /** The first block of an open passage, or null: the passage waits for its last block. */
  anchor = null;
  #end = null;
  /** The first block of the last closed passage, which shift and a click extend. */
  #lastAnchor = null;

  constructor(length) {
    this.length = length;
  }

  /** The first and last selected block. */
  get range() {
    const start = this.anchor ?? this.cursor;
    const end = this.anchor === null ? this.cursor : (this.#end ?? this.cursor);
    return [Math.min(start, end), Math.max(start, end)];
  }

  /** The first click opens a passage and returns null, the second returns the range to label. */
  click(block, isExtending) {
    const start = isExtending ? (this.anchor ?? this.#lastAnchor ?? this.cursor) : this.anchor;
    this.cursor = this.#end = block;
    this.anchor = start ?? block;
    return start === null ? null : this.close();
  }

  /** Opens a passage at one block that reaches another one. */
  drag(from, to) {
    this.anchor = from;
    this.cursor = this.#end = to;
  }

  /** The pointer is over a block: an open passage reaches it. */
  hover(block) {
    if (this.anchor !== null) this.#end = block;
  }

  /** Moves the cursor by some blocks; when extending, what it passes is selected. */
  move(step, isExtending) {
    if (isExtending) this.anchor ??= this.cursor;
    else this.cancel();
    this.moveTo(this.cursor + step);
  }

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
