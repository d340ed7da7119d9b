// What a labeler suggests for one page, how sure it is, and where it is least sure.

import { Labels } from "./labels.js";

/** Confidence in percent from which on a block has one, two or three degrees less of doubt. */
const CERTAIN = [60, 75, 90];

/** 0 for a certain block, up to 3 for the least certain. */
export function doubt(confidence) {
  return CERTAIN.filter((limit) => confidence < limit).length;
}

export class Suggestion {
  #settled;
  #order;
  #next = 0;

  /** letters: one of each block; confidence: percent of each block. */
  constructor({ labeler, labels, confidence }) {
    this.labeler = labeler;
    this.labels = new Labels(labels);
    this.confidence = confidence;
    this.#settled = new Uint8Array(labels.length);
    this.#order = Uint32Array.from(labels, (_, block) => block).sort(
      (one, other) => confidence[one] - confidence[other], // the order of equal ones is kept
    );
  }

  /** Degrees of doubt as runs of [first, last, degree]; 0 also where a person has decided. */
  doubts(first = 0, last = this.confidence.length - 1) {
    const runs = [];
    for (let block = first; block <= last; block++) {
      const degree = this.#settled[block] ? 0 : doubt(this.confidence[block]);
      const run = runs.at(-1);
      if (run && run[2] === degree) run[1] = block;
      else runs.push([block, block, degree]);
    }
    return runs;
  }

  /** A person labelled these blocks: the labeler's doubt matters no more. */
  settle(first, last) {
    this.#settled.fill(1, first, last + 1);
  }

  /** The least certain block nobody has labelled or been led to since; null without blocks. */
  leastCertain() {
    for (let tried = 0; tried < this.#order.length; tried++) {
      const block = this.#order[this.#next++ % this.#order.length];
      if (!this.#settled[block]) return block;
    }
    return null;
  }
}
