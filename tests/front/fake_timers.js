// Timers that run when a test says so.

/** Puts fake timers in the place of the real ones until the end of a test. */
export function fakeTimers(test) {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const waiting = new Map();
  let last = 0;
  globalThis.setTimeout = (action, delay = 0) => {
    waiting.set(++last, { action, delay });
    return last;
  };
  globalThis.clearTimeout = (timer) => waiting.delete(timer);
  test.after(() => Object.assign(globalThis, real));
  return {
    /** The delays of all timers that wait, in milliseconds. */
    get delays() {
      return Array.from(waiting.values(), ({ delay }) => delay);
    },
    /** Runs all timers that wait now. */
    run() {
      const due = [...waiting.values()];
      waiting.clear();
      for (const { action } of due) action();
    },
  };
}

/** Lets everything run that waits for promises already settled. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));
