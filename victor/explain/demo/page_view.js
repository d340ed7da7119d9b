// @ts-check
/** The page with its blocks coloured at a position. */
import { HEADER, labelAt, OTHER } from "./positions.js";

const UNKNOWN = -1;

export class PageView {
  /**
   * @param {HTMLElement} element around the blocks
   * @param {import("./positions.js").Kept} kept
   */
  constructor(element, kept) {
    this.kept = kept;
    /** @type {HTMLElement[][]} */
    this.parts = kept.labels.map(() => []);
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (
      element.querySelectorAll("[data-b]")
    )) {
      this.parts[Number(part.dataset.b)]?.push(part);
    }
    this.shown = kept.labels.map(() => UNKNOWN);
  }

  /** @param {number} position */
  show(position) {
    this.parts.forEach((parts, block) => {
      const label = labelAt(this.kept, block, position);
      if (label === this.shown[block]) return;
      this.shown[block] = label;
      for (const part of parts) {
        part.classList.toggle("kept", label !== OTHER);
        part.classList.toggle("header", label === HEADER);
      }
    });
  }

  /** The first block that is kept and can be seen, -1 if there is none. */
  firstKept() {
    return this.parts.findIndex(
      (parts, block) => this.shown[block] !== OTHER && parts[0]?.getClientRects().length,
    );
  }

  /** @param {number} block */
  partsOf(block) {
    return this.parts[block] ?? [];
  }
}
