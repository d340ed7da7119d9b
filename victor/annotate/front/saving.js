// @ts-check
// Sends the changes of one page in order, one batch at a time, and never drops any: a failed batch
// is sent again, and one in conflict with another tab waits for the person to decide.

/**
 * @import { ApiError } from "./api.js"
 * @import { Batch, Conflict, Run, SaveAnswer, State } from "./types.d.ts"
 *
 * @typedef {{changes: Run[], state?: State}} Entry one change of a page
 * @typedef {"saved" | "waiting" | "saving" | "failed" | "refused" | "conflict"} SavingState
 * @typedef {(batch: Batch & {base: number}, options: RequestInit) => Promise<SaveAnswer>} Send
 */

/** Milliseconds. */
const DELAY = 100;
const RETRY_DELAYS = [500, 1000, 2000, 4000, 8000];

/** A name for a batch: the server recognises one it has stored although its answer was lost. */
export function newKey() {
  const parts = crypto.getRandomValues(new Uint32Array(4));
  return Array.from(parts, (part) => part.toString(36)).join("");
}

/** @param {Entry[]} entries @returns {Batch} */
function batchOf(entries) {
  const state = entries.findLast((entry) => entry.state)?.state;
  return {
    key: newKey(),
    changes: entries.flatMap((entry) => entry.changes),
    ...(state && { state }),
  };
}

export class Saving {
  #send;
  #onState;
  /** @type {Entry[]} */
  #entries = [];
  /** @type {Batch | null} */
  #batch = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #nFailures = 0;
  #flushing = Promise.resolve(true);

  /**
   * @param {object} options
   * @param {number} options.revision the newest one of the page
   * @param {Send} options.send rejects with an error that has a status and a body
   * @param {(saving: Saving) => void} options.onState called for each state; what has failed is
   *   sent again, what is refused is not
   */
  constructor({ revision, send, onState }) {
    this.revision = revision;
    this.#send = send;
    this.#onState = onState;
    /** @type {SavingState} */
    this.state = "saved";
    this.message = "";
    /** The newer revision of the server, after a conflict. @type {Conflict | null} */
    this.theirs = null;
  }

  get isUnsaved() {
    return this.#batch !== null || this.#entries.length > 0;
  }

  /** Whether only the person can resolve the state. */
  get isStuck() {
    return this.state === "conflict" || this.state === "refused";
  }

  /** All changes the server has not confirmed, as runs in order. */
  get unsaved() {
    return [...(this.#batch?.changes ?? []), ...this.#entries.flatMap((entry) => entry.changes)];
  }

  /** Adds an entry and sends it soon. @param {Entry} entry */
  add(entry) {
    this.#entries.push(entry);
    if (this.isStuck || this.#batch) return;
    this.#setState("waiting");
    this.#timer ??= setTimeout(() => this.flush(), DELAY);
  }

  /**
   * Sends everything now; resolves to whether all of it is stored.
   * @param {RequestInit} options of the request
   */
  flush(options = {}) {
    this.#stopTimer();
    this.#flushing = this.#flushing.then(() => this.#sendAll(options));
    return this.#flushing;
  }

  /** @param {RequestInit} options */
  async #sendAll(options) {
    while (this.isUnsaved) {
      if (this.isStuck) return false;
      this.#batch ??= batchOf(this.#entries.splice(0));
      this.#setState("saving");
      if (!(await this.#sendBatch(this.#batch, options))) return false;
    }
    if (this.state !== "saved") this.#setState("saved");
    return true;
  }

  /** @param {Batch} batch @param {RequestInit} options */
  async #sendBatch(batch, options) {
    try {
      const answer = await this.#send({ base: this.revision, ...batch }, options);
      this.revision = answer.revision;
      this.#batch = null;
      this.#nFailures = 0;
      return true;
    } catch (error) {
      this.#fail(/** @type {ApiError} */ (error));
      return false;
    }
  }

  /** @param {ApiError} error */
  #fail(error) {
    this.message = error.message;
    if (error.status === 409) {
      this.theirs = error.body;
      this.#setState("conflict");
    } else if (error.status >= 400 && error.status < 500) {
      this.#setState("refused");
    } else {
      const delay = RETRY_DELAYS[Math.min(this.#nFailures++, RETRY_DELAYS.length - 1)];
      this.#setState("failed");
      this.#timer = setTimeout(() => this.flush(), delay);
    }
  }

  /**
   * Ends a conflict or a refusal: unsaved changes are sent on top of a revision.
   * @param {number} revision
   */
  resume(revision = this.revision) {
    this.revision = revision;
    this.theirs = null;
    this.#setState("waiting");
    return this.flush();
  }

  /** Drops the unsaved changes: the person chose the other revision. */
  abandon() {
    this.#stopTimer();
    this.#entries = [];
    this.#batch = null;
    this.#setState("saved");
  }

  #stopTimer() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** @param {SavingState} state */
  #setState(state) {
    this.state = state;
    this.#onState(this);
  }
}
