// @ts-check
/** The page with its blocks coloured at a position. */
import { HEADER, labelAt, OTHER } from "./positions.js";

/** Blocks that are coloured anew in a frame. */
const BLOCKS_OF_FRAME = 400;
/** Blocks before and after those in sight, for not all stand in their order. */
const NEAR = 20;
const UNKNOWN = -1;

/**
 * Blocks in sight change at once, all others in the frames that follow: colouring thousands of
 * blocks anew takes longer than a frame. Until all are done, the page is busy.
 */
export class PageView {
  /**
   * @param {HTMLElement} pane what scrolls
   * @param {HTMLElement} element around the blocks
   * @param {import("./positions.js").Kept} kept
   */
  constructor(pane, element, kept) {
    this.pane = pane;
    this.element = element;
    this.kept = kept;
    /** @type {HTMLElement[][]} */
    this.parts = kept.labels.map(() => []);
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (
      element.querySelectorAll("[data-b]")
    )) {
      this.parts[Number(part.dataset.b)]?.push(part);
    }
    this.shown = kept.labels.map(() => UNKNOWN);
    this.position = 0;
    this.next = 0;
    this.isWaiting = false;
  }

  /** @param {number} position */
  show(position) {
    this.position = position;
    const { top, bottom } = this.pane.getBoundingClientRect();
    const from = Math.max(0, this.firstBelow(top) - NEAR);
    const to = Math.min(this.parts.length, this.firstBelow(bottom) + NEAR);
    for (let block = from; block < to; block++) this.colour(block);
    this.next = 0;
    this.element.ariaBusy = "true";
    if (!this.isWaiting) requestAnimationFrame(() => requestAnimationFrame(() => this.goOn()));
    this.isWaiting = true;
  }

  goOn() {
    const n = this.parts.length;
    for (let changed = 0; this.next < n && changed < BLOCKS_OF_FRAME; this.next++) {
      changed += Number(this.colour(this.next));
    }
    this.isWaiting = this.next < n;
    if (this.isWaiting) requestAnimationFrame(() => this.goOn());
    else this.element.ariaBusy = "false";
  }

  /**
   * @param {number} block
   * @returns {boolean} did its label change
   */
  colour(block) {
    const label = labelAt(this.kept, block, this.position);
    if (label === this.shown[block]) return false;
    this.shown[block] = label;
    for (const part of this.parts[block] ?? []) {
      part.classList.toggle("kept", label !== OTHER);
      part.classList.toggle("header", label === HEADER);
    }
    return true;
  }

  /**
   * The first block that ends below a line of the screen; blocks are about in this order.
   *
   * @param {number} y
   */
  firstBelow(y) {
    let [low, high] = [0, this.parts.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const part = this.parts[middle]?.[0];
      if (part && part.getBoundingClientRect().bottom > y) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The first block that is kept and can be seen, -1 if there is none. */
  firstKept() {
    return this.parts.findIndex(
      (parts, block) =>
        labelAt(this.kept, block, this.position) !== OTHER && parts[0]?.getClientRects().length,
    );
  }

  /** @param {number} block */
  partsOf(block) {
    return this.parts[block] ?? [];
  }
}
