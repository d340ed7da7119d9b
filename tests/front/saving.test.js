import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { test } from "node:test";
import { Saving } from "../../victor/annotate/front/saving.js";
import { fakeTimers, settled } from "./fake_timers.js";

globalThis.crypto ??= webcrypto; // node 18

const run = (block, letter = "t") => [block, block, letter];
const change = (block) => ({ changes: [run(block)] });
const refusal = (status, body = {}) =>
  Object.assign(new Error(`status ${status}`), { status, body });

/** A server that answers when it is told to. */
function server() {
  const requests = [];
  const send = (batch, options) =>
    new Promise((resolve, reject) => {
      requests.push({ batch, options, store: (revision) => resolve({ revision }), fail: reject });
    });
  return { requests, send };
}

function savingTo(send, revision = 7) {
  const states = [];
  const saving = new Saving({ revision, send, onState: ({ state }) => states.push(state) });
  return { saving, states };
}

test("changes wait a moment and go out as one batch", async (t) => {
  const timers = fakeTimers(t);
  const { requests, send } = server();
  const { saving } = savingTo(send);
  saving.add(change(1));
  saving.add(change(2));
  await settled();
  assert.equal(requests.length, 0);
  assert.deepEqual(timers.delays, [100]);
  timers.run();
  await settled();
  assert.equal(requests.length, 1);
  const { base, changes } = requests[0].batch;
  assert.deepEqual({ base, changes }, { base: 7, changes: [run(1), run(2)] });
});

test("the last state of the page goes with the batch", async (t) => {
  fakeTimers(t);
  const { requests, send } = server();
  const { saving } = savingTo(send);
  saving.add({ changes: [], state: "todo" });
  saving.add({ changes: [], state: "done" });
  saving.add(change(1));
  saving.flush();
  await settled();
  assert.equal(requests[0].batch.state, "done");
});

test("a batch without a new state names none", async (t) => {
  fakeTimers(t);
  const { requests, send } = server();
  const { saving } = savingTo(send);
  saving.add(change(1));
  saving.flush();
  await settled();
  assert.equal("state" in requests[0].batch, false);
});

test("flush resolves when all is stored", async (t) => {
  fakeTimers(t);
  const { requests, send } = server();
  const { saving, states } = savingTo(send);
  saving.add(change(1));
  const flushed = saving.flush();
  await settled();
  requests[0].store(8);
  assert.equal(await flushed, true);
  assert.equal(saving.isUnsaved, false);
  assert.equal(saving.revision, 8);
  assert.deepEqual(states, ["waiting", "saving", "saved"]);
});

test("nothing is unsaved at first", () => {
  const { saving } = savingTo(server().send);
  assert.deepEqual([saving.state, saving.message, saving.theirs], ["saved", "", null]);
  assert.equal(saving.isUnsaved, false);
});

test("a change during a request starts no timer", async (t) => {
  const timers = fakeTimers(t);
  const { requests, send } = server();
  const { saving } = savingTo(send);
  saving.add(change(1));
  saving.flush();
  await settled();
  saving.add(change(2));
  assert.deepEqual(timers.delays, []);
  assert.equal(saving.state, "saving");
  requests[0].store(8);
  await settled();
});

test("flush without changes sends nothing", async () => {
  const { requests, send } = server();
  const { saving } = savingTo(send);
  assert.equal(await saving.flush(), true);
  assert.equal(requests.length, 0);
});

test("what changes meanwhile goes out after the answer, on top of it", async (t) => {
  fakeTimers(t);
  const { requests, send } = server();
  const { saving } = savingTo(send);
  saving.add(change(1));
  const flushed = saving.flush();
  await settled();
  saving.add(change(2));
  await settled();
  assert.equal(requests.length, 1);
  requests[0].store(8);
  await settled();
  assert.equal(requests.length, 2);
  assert.deepEqual(requests[1].batch.changes, [run(2)]);
  assert.equal(requests[1].batch.base, 8);
  requests[1].store(9);
  assert.equal(await flushed, true);
});

test("two flushes never send at the same time", async (t) => {
  fakeTimers(t);
  const { requests, send } = server();
  const { saving } = savingTo(send);
  saving.add(change(1));
  saving.flush();
  saving.flush();
  await settled();
  assert.equal(requests.length, 1);
  requests[0].store(8);
  await settled();
  assert.equal(requests.length, 1);
});

test("the options of the request are handed on", async (t) => {
  fakeTimers(t);
  const { requests, send } = server();
  const { saving } = savingTo(send);
  saving.add(change(1));
  saving.flush({ keepalive: true });
  await settled();
  assert.deepEqual(requests[0].options, { keepalive: true });
});

test("without an answer the same batch is sent again, later each time", async (t) => {
  const timers = fakeTimers(t);
  const { requests, send } = server();
  const { saving } = savingTo(send);
  saving.add(change(1));
  saving.flush();
  const delays = [];
  for (let attempt = 0; attempt < 7; attempt++) {
    await settled();
    requests[attempt].fail(refusal(0));
    await settled();
    assert.equal(saving.state, "failed");
    delays.push(...timers.delays);
    timers.run();
  }
  await settled();
  assert.deepEqual(delays, [500, 1000, 2000, 4000, 8000, 8000, 8000]);
  assert.equal(new Set(requests.map(({ batch }) => batch.key)).size, 1);
});

test("after a success the delay begins anew", async (t) => {
  const timers = fakeTimers(t);
  const { requests, send } = server();
  const { saving } = savingTo(send);
  saving.add(change(1));
  saving.flush();
  await settled();
  requests[0].fail(refusal(0));
  await settled();
  timers.run();
  await settled();
  requests[1].store(8);
  await settled();
  saving.add(change(2));
  saving.flush();
  await settled();
  requests[2].fail(refusal(500));
  await settled();
  assert.deepEqual(timers.delays, [500]);
});

test("a failure of the server is not a refusal", async (t) => {
  fakeTimers(t);
  const { requests, send } = server();
  const { saving } = savingTo(send);
  saving.add(change(1));
  const flushed = saving.flush();
  await settled();
  requests[0].fail(refusal(503));
  assert.equal(await flushed, false);
  assert.equal(saving.state, "failed");
  assert.equal(saving.isStuck, false);
});

test("batches have names of their own", async (t) => {
  fakeTimers(t);
  const { requests, send } = server();
  const { saving } = savingTo(send);
  saving.add(change(1));
  saving.flush();
  await settled();
  saving.add(change(2));
  requests[0].store(8);
  await settled();
  assert.notEqual(requests[0].batch.key, requests[1].batch.key);
});

test("changes after a failure keep their order and their own batch", async (t) => {
  const timers = fakeTimers(t);
  const { requests, send } = server();
  const { saving } = savingTo(send);
  saving.add(change(1));
  saving.flush();
  await settled();
  requests[0].fail(refusal(0));
  await settled();
  saving.add(change(2));
  assert.deepEqual(saving.unsaved, [run(1), run(2)]);
  timers.run();
  await settled();
  assert.deepEqual(requests[1].batch.changes, [run(1)]);
  requests[1].store(8);
  await settled();
  assert.deepEqual(requests[2].batch.changes, [run(2)]);
});

test("a refused batch is kept and not sent again by itself", async (t) => {
  const timers = fakeTimers(t);
  const { requests, send } = server();
  const { saving } = savingTo(send);
  saving.add(change(1));
  const flushed = saving.flush();
  await settled();
  requests[0].fail(refusal(400));
  assert.equal(await flushed, false);
  saving.add(change(2));
  timers.run();
  await settled();
  assert.equal(requests.length, 1);
  assert.deepEqual([saving.state, saving.isStuck], ["refused", true]);
  assert.deepEqual(saving.unsaved, [run(1), run(2)]);
});

test("a conflict shows the other revision and waits for a decision", async (t) => {
  const timers = fakeTimers(t);
  const { requests, send } = server();
  const { saving } = savingTo(send);
  saving.add(change(1));
  saving.flush();
  await settled();
  const theirs = { revision: 12, annotator: "Eva", labels: "tt", state: "todo" };
  requests[0].fail(refusal(409, theirs));
  await settled();
  assert.equal(saving.state, "conflict");
  assert.deepEqual(saving.theirs, theirs);
  assert.equal(await saving.flush(), false);
  assert.deepEqual(timers.delays, []);
  assert.equal(requests.length, 1);
});

test("after a conflict the changes can be put on top of the other revision", async (t) => {
  fakeTimers(t);
  const { requests, send } = server();
  const { saving } = savingTo(send);
  saving.add(change(1));
  saving.flush();
  await settled();
  requests[0].fail(refusal(409, { revision: 12 }));
  await settled();
  saving.add(change(2));
  const resumed = saving.resume(12);
  await settled();
  assert.equal(requests[1].batch.base, 12);
  requests[1].store(13);
  await settled();
  requests[2].store(14);
  assert.equal(await resumed, true);
  assert.equal(saving.theirs, null);
  assert.deepEqual(requests[2].batch.changes, [run(2)]);
});

test("after a conflict the changes can be dropped", async (t) => {
  fakeTimers(t);
  const { requests, send } = server();
  const { saving } = savingTo(send);
  saving.add(change(1));
  saving.flush();
  await settled();
  requests[0].fail(refusal(409, { revision: 12 }));
  await settled();
  saving.add(change(2));
  saving.abandon();
  assert.deepEqual([saving.state, saving.isUnsaved, saving.unsaved], ["saved", false, []]);
  assert.equal(await saving.resume(12), true);
  assert.deepEqual([saving.state, saving.isUnsaved, saving.revision], ["saved", false, 12]);
  assert.equal(requests.length, 1);
});

test("the message of a failure is kept for people", async (t) => {
  fakeTimers(t);
  const { requests, send } = server();
  const { saving } = savingTo(send);
  saving.add(change(1));
  saving.flush();
  await settled();
  requests[0].fail(refusal(0));
  await settled();
  assert.equal(saving.message, "status 0");
});
