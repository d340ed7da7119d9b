import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { test } from "node:test";
import { Saving } from "../../victor/annotate/front/saving.js";
import { fakeTimers, settled } from "./fake_timers.js";

globalThis.crypto ??= webcrypto; // node 18

const run = (block, letter = "t") => [block, block, letter];
const change = (block) => ({ changes: [run(block)] });

/** The saving of a page at revision 7, whose server answers when it is told to. */
function start(t) {
  const timers = fakeTimers(t);
  const requests = [];
  const states = [];
  const answered = async (request, answer) => {
    answer(requests[request]);
    await settled();
  };
  const saving = new Saving({
    revision: 7,
    send: (batch, options) =>
      new Promise((resolve, reject) => requests.push({ batch, options, resolve, reject })),
    onState: ({ state }) => states.push(state),
  });
  return {
    timers,
    requests,
    states,
    saving,
    /** Changes a block and sends everything; resolves once it is on its way. */
    send: async (block) => {
      saving.add(change(block));
      const isStored = saving.flush();
      await settled();
      return { isStored };
    },
    store: (request, revision) => answered(request, ({ resolve }) => resolve({ revision })),
    fail: (request, status, body = {}) =>
      answered(request, ({ reject }) =>
        reject(Object.assign(new Error(`status ${status}`), { status, body })),
      ),
  };
}

test("changes wait a moment and go out as one batch, with the last state", async (t) => {
  const { saving, requests, timers } = start(t);
  saving.add({ changes: [], state: "todo" });
  saving.add({ changes: [], state: "done" });
  saving.add(change(1));
  saving.add(change(2));
  await settled();
  assert.equal(requests.length, 0);
  assert.deepEqual(timers.delays, [100]);
  timers.run();
  await settled();
  assert.equal(requests.length, 1);
  const { base, changes, state } = requests[0].batch;
  assert.deepEqual({ base, changes, state }, { base: 7, changes: [run(1), run(2)], state: "done" });
});

test("flush resolves when all is stored", async (t) => {
  const { saving, states, send, store } = start(t);
  const { isStored } = await send(1);
  await store(0, 8);
  assert.equal(await isStored, true);
  assert.deepEqual([saving.isUnsaved, saving.revision], [false, 8]);
  assert.deepEqual(states, ["waiting", "saving", "saved"]);
});

test("what changes meanwhile goes out after the answer, on top of it", async (t) => {
  const { saving, requests, timers, send, store } = start(t);
  const { isStored } = await send(1);
  saving.add(change(2));
  await settled();
  assert.deepEqual([timers.delays, saving.state, requests.length], [[], "saving", 1]);
  await store(0, 8);
  assert.equal(requests.length, 2);
  assert.deepEqual([requests[1].batch.changes, requests[1].batch.base], [[run(2)], 8]);
  assert.notEqual(requests[0].batch.key, requests[1].batch.key);
  await store(1, 9);
  assert.equal(await isStored, true);
});

test("without an answer the same batch is sent again, later each time", async (t) => {
  const { saving, requests, timers, send, store, fail } = start(t);
  await send(1);
  const delays = [];
  for (let attempt = 0; attempt < 7; attempt++) {
    await fail(attempt, attempt % 2 ? 0 : 503);
    assert.deepEqual([saving.state, saving.isStuck], ["failed", false]);
    delays.push(...timers.delays);
    timers.run();
    await settled();
  }
  assert.deepEqual(delays, [500, 1000, 2000, 4000, 8000, 8000, 8000]);
  assert.equal(new Set(requests.map(({ batch }) => batch.key)).size, 1);
  await store(7, 8);
  await send(2);
  await fail(8, 500);
  assert.deepEqual(timers.delays, [500]); // after a success the delay begins anew
});

test("a refused batch is kept and not sent again by itself", async (t) => {
  const { saving, requests, timers, send, fail } = start(t);
  const { isStored } = await send(1);
  await fail(0, 400);
  assert.equal(await isStored, false);
  saving.add(change(2));
  timers.run();
  await settled();
  assert.equal(requests.length, 1);
  assert.deepEqual([saving.state, saving.isStuck], ["refused", true]);
  assert.deepEqual(saving.unsaved, [run(1), run(2)]);
});

test("a conflict shows the other revision and waits for a decision", async (t) => {
  const { saving, requests, timers, send, fail } = start(t);
  await send(1);
  const theirs = { revision: 12, annotator: "Eva", labels: "tt", state: "todo" };
  await fail(0, 409, theirs);
  assert.equal(saving.state, "conflict");
  assert.deepEqual(saving.theirs, theirs);
  assert.equal(await saving.flush(), false);
  assert.deepEqual(timers.delays, []);
  assert.equal(requests.length, 1);
});

test("after a conflict the changes can be put on top of the other revision", async (t) => {
  const { saving, requests, send, store, fail } = start(t);
  await send(1);
  await fail(0, 409, { revision: 12 });
  saving.add(change(2));
  const resumed = saving.resume(12);
  await settled();
  assert.equal(requests[1].batch.base, 12);
  await store(1, 13);
  await store(2, 14);
  assert.equal(await resumed, true);
  assert.equal(saving.theirs, null);
  assert.deepEqual(requests[2].batch.changes, [run(2)]);
});

test("after a conflict the changes can be dropped", async (t) => {
  const { saving, requests, send, fail } = start(t);
  await send(1);
  await fail(0, 409, { revision: 12 });
  saving.add(change(2));
  saving.abandon();
  assert.deepEqual([saving.state, saving.isUnsaved, saving.unsaved], ["saved", false, []]);
  assert.equal(await saving.resume(12), true);
  assert.deepEqual([saving.state, saving.isUnsaved, saving.revision], ["saved", false, 12]);
  assert.equal(requests.length, 1);
});
