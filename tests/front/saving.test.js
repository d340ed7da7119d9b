import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { test } from "node:test";
import { Saving } from "../../victor/annotate/front/saving.js";
import { rowsOf } from "./rows.js";

globalThis.crypto ??= webcrypto; // node 18

/** Lets everything run that waits for promises already settled. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Timers in the place of the real ones until the end of a test, which run when it says so. */
function fakeTimers(t) {
  const { setTimeout, clearTimeout } = globalThis;
  const waiting = new Map();
  let last = 0;
  globalThis.setTimeout = (action, delay = 0) => {
    waiting.set(++last, { action, delay });
    return last;
  };
  globalThis.clearTimeout = (timer) => waiting.delete(timer);
  t.after(() => Object.assign(globalThis, { setTimeout, clearTimeout }));
  return waiting;
}

/** The saving of a page at revision 7, whose server answers when it is told to. */
function start(t) {
  const timers = fakeTimers(t);
  const requests = [];
  const states = [];
  const delays = [];
  const results = [];
  const saving = new Saving({
    revision: 7,
    send: (batch) => new Promise((resolve, reject) => requests.push({ batch, resolve, reject })),
    onState: ({ state }) => states.push(state),
  });
  const told = (promise) => {
    promise.then((isStored) => results.push(isStored));
  };
  const steps = {
    add: (block, state) =>
      saving.add({ changes: block === "-" ? [] : [[Number(block), Number(block), "t"]], state }),
    flush: () => told(saving.flush()),
    wait: () => {
      const due = [...timers.values()];
      timers.clear();
      delays.push(...due.map(({ delay }) => delay));
      for (const { action } of due) action();
    },
    store: (request, revision) => requests[request].resolve({ revision: Number(revision) }),
    fail: (request, status, revision) =>
      requests[request].reject(
        Object.assign(new Error(status), { status: Number(status), body: { revision } }),
      ),
    resume: (revision) => told(saving.resume(Number(revision))),
    abandon: () => saving.abandon(),
  };
  return {
    saving,
    steps,
    columns: () => seen(saving, { timers, requests, states, delays, results }),
  };
}

/** What the columns of the table say. */
function seen(saving, { timers, requests, states, delays, results }) {
  const keys = [...new Set(requests.map(({ batch }) => batch.key))];
  const sent = requests.map(({ batch: { base, key, changes, state } }) =>
    [`${base}${"abc"[keys.indexOf(key)]}`, ...changes.map(([block]) => block), state]
      .filter((part) => part !== undefined)
      .join("-"),
  );
  const columns = [
    [...states, ...(saving.isStuck ? ["stuck"] : []), ...(saving.theirs ? ["theirs"] : [])],
    sent,
    saving.unsaved.map(([block]) => block),
    [saving.revision],
    [...delays, ...Array.from(timers.values(), ({ delay }) => `${delay}…`)],
    results,
  ];
  return columns.map((column) => column.join(" "));
}

for (const [name, calls, ...expected] of rowsOf("saving.txt")) {
  test(name, async (t) => {
    const { saving, steps, columns } = start(t);
    for (const call of calls.split(", ")) {
      const [step, ...values] = call.split(" ");
      steps[step](...values);
      await settled();
    }
    assert.deepEqual(columns(), expected);
    assert.equal(saving.isUnsaved, expected[2] !== "");
  });
}
