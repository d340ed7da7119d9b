// Sends what was done to a page, in order and one batch at a time, and never drops it: a batch that
// did not arrive is sent again, one that was overtaken by another tab waits for a decision.

export const DELAY = 100;
const RETRIES = [500, 1000, 2000, 4000, 8000];

/** Names a batch: the server knows by it a batch that it had stored when its answer was lost. */
function newKey() {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("");
}

function batchOf(entries) {
  const state = entries.findLast((entry) => entry.state)?.state;
  return {
    key: newKey(),
    changes: entries.flatMap((entry) => entry.changes),
    seconds: entries.reduce((sum, entry) => sum + entry.seconds, 0),
    ...(state && { state }),
  };
}

export class Saving {
  #send;
  #tell;
  #waiting = [];
  #batch = null;
  #timer = null;
  #failures = 0;
  #running = Promise.resolve();

  /**
   * send(batch, options) resolves to {revision}, or rejects with an error that has a status and a
   * body; tell(saving) hears of each new state: saved, waiting, saving, failed (is sent again),
   * refused (is not), conflict.
   */
  constructor({ revision, send, tell }) {
    this.revision = revision;
    this.#send = send;
    this.#tell = tell;
    this.state = "saved";
    this.message = "";
    this.theirs = null;
  }

  get isUnsaved() {
    return this.#batch !== null || this.#waiting.length > 0;
  }

  /** Whether it waits for a person. */
  get isStuck() {
    return this.state === "conflict" || this.state === "refused";
  }

  /** Everything done that the server has not confirmed, as runs in order. */
  get unsaved() {
    return [...(this.#batch?.changes ?? []), ...this.#waiting.flatMap((entry) => entry.changes)];
  }

  /** Remembers what was done ({changes, state?, seconds}) and sends it soon. */
  add(entry) {
    this.#waiting.push(entry);
    if (this.isStuck || this.#batch) return;
    this.#become("waiting");
    this.#timer ??= setTimeout(() => this.flush(), DELAY);
  }

  /** Sends what waits; resolves to whether all of it is stored. */
  async flush(options = {}) {
    this.#stopTimer();
    this.#running = this.#running.then(() => this.#run(options));
    return this.#running;
  }

  async #run(options) {
    while (this.isUnsaved) {
      if (this.isStuck) return false;
      this.#batch ??= batchOf(this.#waiting.splice(0));
      this.#become("saving");
      if (!(await this.#deliver(options))) return false;
    }
    if (this.state !== "saved") this.#become("saved");
    return true;
  }

  async #deliver(options) {
    try {
      const answer = await this.#send({ base: this.revision, ...this.#batch }, options);
      this.revision = answer.revision;
      this.#batch = null;
      this.#failures = 0;
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  #fail(error) {
    this.message = error.message;
    if (error.status === 409) {
      this.theirs = error.body;
      this.#become("conflict");
    } else if (error.status >= 400 && error.status < 500) {
      this.#become("refused");
    } else {
      const wait = RETRIES[Math.min(this.#failures++, RETRIES.length - 1)];
      this.#become("failed");
      this.#timer = setTimeout(() => this.flush(), wait);
    }
  }

  /** After a conflict or a refusal: what is unsaved goes on top of another revision. */
  resume(revision = this.revision) {
    this.revision = revision;
    this.theirs = null;
    this.#become("waiting");
    return this.flush();
  }

  /** Forgets what is unsaved: the person chose the other revision. */
  abandon() {
    this.#stopTimer();
    this.#waiting = [];
    this.#batch = null;
    this.#become("saved");
  }

  #stopTimer() {
    clearTimeout(this.#timer);
    this.#timer = null;
  }

  #become(state) {
    this.state = state;
    this.#tell(this);
  }
}
