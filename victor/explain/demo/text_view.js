// @ts-check
/** The clean text at a position. */
import { add } from "./dom.js";
import { endAt, pieceAt } from "./positions.js";

/**
 * @typedef {object} Piece of a block in the text
 * @property {Text} gap what stands before it
 * @property {HTMLElement} span
 */

export class TextView {
  /**
   * @param {HTMLElement} element where the text is shown
   * @param {import("./positions.js").Kept} kept
   */
  constructor(element, kept) {
    this.kept = kept;
    /** @type {(Piece | undefined)[]} */
    this.pieces = kept.pieces.map((runs, block) =>
      runs.length ? newPiece(element, block) : undefined,
    );
    this.end = new Text();
    element.append(this.end);
  }

  /**
   * Only what changes is touched.
   *
   * @param {number} position
   */
  show(position) {
    this.pieces.forEach((piece, block) => {
      if (!piece) return;
      const [gap, own] = pieceAt(this.kept, block, position);
      if (piece.gap.data !== gap) piece.gap.data = gap;
      if (piece.span.textContent !== own) piece.span.textContent = own;
    });
    this.end.data = endAt(this.kept, position);
  }

  /** @param {number} block */
  spanOf(block) {
    return this.pieces[block]?.span;
  }
}

/**
 * @param {HTMLElement} element
 * @param {number} block
 * @returns {Piece}
 */
function newPiece(element, block) {
  const gap = new Text();
  element.append(gap);
  const span = add(element, "span");
  span.dataset.t = String(block);
  return { gap, span };
}
