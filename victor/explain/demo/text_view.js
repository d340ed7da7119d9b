// @ts-check
/** The clean text at a position. */
import { add } from "./dom.js";
import { endAt, pieceAt, textParts } from "./positions.js";

/**
 * @typedef {object} Piece of a block in the text
 * @property {Text} gap what stands before it
 * @property {HTMLElement} span
 * @property {HTMLElement} part of the text
 */

const BLOCKS_OF_PART = 24;

export class TextView {
  /**
   * @param {HTMLElement} element where the text is shown
   * @param {import("./positions.js").Kept} kept
   */
  constructor(element, kept) {
    this.kept = kept;
    /** @type {(Piece | undefined)[]} */
    this.pieces = [];
    this.end = new Text();
    for (const blocks of textParts(kept, BLOCKS_OF_PART)) {
      const part = add(element, "div");
      part.hidden = true;
      for (const block of blocks) this.pieces[block] = newPiece(part, block);
    }
    element.append(this.end);
  }

  /**
   * Only what changes is touched.
   *
   * @param {number} position
   */
  show(position) {
    /** @type {Set<HTMLElement>} */
    const touched = new Set();
    this.pieces.forEach((piece, block) => {
      if (piece && showPiece(piece, pieceAt(this.kept, block, position))) touched.add(piece.part);
    });
    // A part is a line of its own, so the newline that it may begin with is one too many.
    for (const part of touched) {
      part.hidden = !part.textContent; // what is not laid out yet would take room even without text
      part.classList.toggle("joined", part.textContent?.startsWith("\n") ?? false);
    }
    this.end.data = endAt(this.kept, position);
  }

  /** @param {number} block */
  spanOf(block) {
    return this.pieces[block]?.span;
  }
}

/**
 * @param {HTMLElement} part
 * @param {number} block
 * @returns {Piece}
 */
function newPiece(part, block) {
  const gap = new Text();
  part.append(gap);
  const span = add(part, "span");
  span.dataset.t = String(block);
  return { gap, span, part };
}

/**
 * @param {Piece} piece
 * @param {readonly [gap: string, own: string]} texts
 * @returns {boolean} did it show anything else
 */
function showPiece(piece, [gap, own]) {
  if (piece.gap.data === gap && piece.span.textContent === own) return false;
  piece.gap.data = gap;
  piece.span.textContent = own;
  return true;
}
