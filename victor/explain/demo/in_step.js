// @ts-check
/** Two columns that show the same blocks at the same height. */
import { placeOf } from "./dom.js";

/**
 * @typedef {object} Column
 * @property {HTMLElement} pane what scrolls
 * @property {(block: number) => Element | undefined} elementOf a block
 */

/** The line that both columns agree on, as a share of their height. */
const LINE = 0.3;
/** What somebody does before a pane scrolls. */
const GESTURES = ["wheel", "touchstart", "pointerdown", "pointerenter", "keydown"];

/**
 * Scroll one column with the other. Only the one that was touched last leads, so that what it makes
 * the other do comes back to it never.
 *
 * @param {Column} page
 * @param {Column} text
 * @param {() => readonly number[]} sharedBlocks blocks that both columns show, in their order
 */
export function keepInStep(page, text, sharedBlocks) {
  /** @type {Column | undefined} */
  let leader;
  let isWaiting = false;
  for (const column of [page, text]) {
    const other = column === page ? text : page;
    for (const gesture of GESTURES) {
      column.pane.addEventListener(
        gesture,
        () => {
          leader = column;
        },
        { passive: true },
      );
    }
    column.pane.addEventListener(
      "scroll",
      () => {
        if (leader !== column || isWaiting) return;
        isWaiting = true;
        requestAnimationFrame(() => {
          isWaiting = false;
          follow(column, other, sharedBlocks());
        });
      },
      { passive: true },
    );
  }
}

/**
 * Bring what stands at the line of one column to the line of the other.
 *
 * @param {Column} leader
 * @param {Column} follower
 * @param {readonly number[]} blocks
 */
function follow(leader, follower, blocks) {
  const next = firstBelow(leader, blocks);
  const [before, after] = [blocks[next - 1], blocks[next]];
  const [from, to] = [heightOf(leader, before), heightOf(leader, after)];
  const [start, end] = [heightOf(follower, before), heightOf(follower, after)];
  // Between two blocks the same share of the way; before the first and after the last, the same distance.
  const share = to > from ? -from / (to - from) : 0;
  if (Number.isFinite(start) && Number.isFinite(end)) {
    follower.pane.scrollTop += start + share * (end - start);
  } else if (Number.isFinite(end)) follower.pane.scrollTop += end - to;
  else if (Number.isFinite(start)) follower.pane.scrollTop += start - from;
}

/**
 * Index of the first block below the line of a column.
 *
 * @param {Column} column
 * @param {readonly number[]} blocks
 */
function firstBelow(column, blocks) {
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (heightOf(column, blocks[middle]) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Pixels of a block below the line of its column; not finite if there is no such block.
 *
 * @param {Column} column
 * @param {number | undefined} block
 */
function heightOf({ pane, elementOf }, block) {
  const element = block === undefined ? undefined : elementOf(block);
  if (!element) return Number.NaN;
  const { top, height } = pane.getBoundingClientRect();
  return placeOf(element).top - top - LINE * height;
}
