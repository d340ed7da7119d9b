// The labels a labeler suggests for one page, and the blocks it is uncertain about.

import { Labels, runsOf } from "./labels.js";

/** A confidence below one, two or three of these percentages is a doubt of that degree. */
const DOUBT_LIMITS = [60, 75, 90];

export class Suggestion {
  #isSettled;
  #byConfidence;
  #nVisited = 0;

  /** labels: one letter per block; confidence: one percentage per block. */
  constructor({ labeler, labels, confidence }) {
    this.labeler = labeler;
    this.labels = new Labels(labels);
    this.confidence = confidence;
    this.#isSettled = new Uint8Array(labels.length);
    this.#byConfidence = Array.from(labels, (_, block) => block).sort(
      (one, other) => confidence[one] - confidence[other],
    );
  }

  /** Runs of degrees of doubt: 0 for certain and settled blocks, up to 3 for the least certain. */
  doubts(first = 0, last = this.confidence.length - 1) {
    return runsOf(first, last, (block) => this.#doubt(block));
  }

  #doubt(block) {
    if (this.#isSettled[block]) return 0;
    return DOUBT_LIMITS.filter((limit) => this.confidence[block] < limit).length;
  }

  /** Blocks a person has labelled: the labeler's doubt no longer matters. */
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
