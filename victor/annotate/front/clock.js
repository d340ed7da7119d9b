// @ts-check
// Measures the seconds a person works on a page; a longer pause counts only up to a limit.

const LONGEST_PAUSE = 30;

export class Clock {
  #seconds = 0;
  #last;

  /** @param {() => number} now seconds */
  constructor(now = () => performance.now() / 1000) {
    this.now = now;
    this.#last = now();
  }

  /** Records that the person did something. */
  tick() {
    const now = this.now();
    this.#seconds += Math.min(now - this.#last, LONGEST_PAUSE);
    this.#last = now;
  }

  /** Returns the seconds since the last call, rounded to tenths. */
  take() {
    this.tick();
    const seconds = Math.round(this.#seconds * 10) / 10;
    this.#seconds = 0;
    return seconds;
  }
}
