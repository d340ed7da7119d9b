// @ts-check
// The labels a labeler suggests for one page, and the blocks it is uncertain about.

import { Labels, runsOf } from "./labels.js";

/** @import { Run, SuggestedLabels } from "./server_answers.d.ts" */

/** A confidence below one, two or three of these percentages is a doubt of that degree. */
const DOUBT_LIMITS = [60, 75, 90];

export class Suggestion {
  #isSettled;
  #byConfidence;
  #nVisited = 0;

  /** @param {SuggestedLabels} answer */
  constructor({ labeler, labels, confidence }) {
    this.labeler = labeler;
    this.labels = new Labels(labels);
    this.confidence = confidence;
    this.#isSettled = new Uint8Array(labels.length);
    this.#byConfidence = Array.from(labels, (_, block) => block).sort(
      (one, other) => confidence[one] - confidence[other],
    );
  }

  /**
   * Runs of degrees of doubt: 0 for certain and settled blocks, up to 3 for the least certain.
   *
   * @returns {Run<number>[]}
   */
  doubts(first = 0, last = this.confidence.length - 1) {
    return runsOf(first, last, (block) => this.#doubt(block));
  }

  /** @param {number} block */
  #doubt(block) {
    if (this.#isSettled[block]) return 0;
    return DOUBT_LIMITS.filter((limit) => this.confidence[block] < limit).length;
  }

  /**
   * Blocks a person has labelled: the labeler's doubt no longer matters.
   *
   * @param {number} first
   * @param {number} last
   */
  settle(first, last) {
    this.#isSettled.fill(1, first, last + 1);
  }

  /** The least certain block neither settled nor visited yet, starting over at the end, or null. */
  leastCertain() {
    const { length } = this.#byConfidence;
    for (let remaining = length; remaining > 0; remaining--) {
      const block = this.#byConfidence[this.#nVisited++ % length];
      if (!this.#isSettled[block]) return block;
    }
    return null;
  }
}
