import assert from "node:assert/strict";
import { test } from "node:test";
import { KEYS, keyOf, listenToKeys, nameOf } from "../../victor/annotate/front/keys.js";

const pressed = (key, more = {}) => ({ key, code: "", ...more });

test("a letter is the same with caps lock", () => {
  assert.equal(keyOf(pressed("T")), "t");
});

test("shift is told from its absence for letters and named keys", () => {
  assert.equal(keyOf(pressed("J", { shiftKey: true })), "Shift+j");
  assert.equal(keyOf(pressed("ArrowDown", { shiftKey: true })), "Shift+ArrowDown");
});

test("digits go by their position, whatever the layout makes of them", () => {
  assert.equal(keyOf(pressed("é", { code: "Digit2" })), "2");
  assert.equal(keyOf(pressed("1", { code: "Numpad1", shiftKey: true })), "1");
});

test("the command key is as good as control", () => {
  assert.equal(keyOf(pressed("z", { ctrlKey: true })), "Ctrl+z");
  assert.equal(keyOf(pressed("Z", { metaKey: true, shiftKey: true })), "Ctrl+Shift+z");
});

test("no key has two commands", () => {
  const keys = Object.values(KEYS).flatMap((rows) => rows.flatMap(([names]) => names));
  assert.deepEqual(keys, [...new Set(keys)]);
});

test("the help writes keys as they stand on the keyboard", () => {
  assert.equal(nameOf("Ctrl+Shift+z"), "Ctrl+Shift+Z");
  assert.equal(nameOf("Shift+ArrowDown"), "Shift+↓");
  assert.equal(nameOf(" "), "Space");
  assert.equal(nameOf("Home"), "Home");
});

/** Presses a key on a page that listens; returns what it did. */
function resultOf(event) {
  const commands = [];
  const listeners = [];
  const page = { addEventListener: (_, listener) => listeners.push(listener) };
  listenToKeys(page, (command) => commands.push(command));
  const target = { ownerDocument: page };
  const prevented = [];
  listeners[0]({ target, preventDefault: () => prevented.push(event.key), ...event });
  return { commands, isPrevented: prevented.length > 0 };
}

test("keys on the page run their commands", (t) => {
  globalThis.document = {}; // another one than that of the page
  t.after(() => {
    globalThis.document = undefined;
  });
  assert.deepEqual(resultOf(pressed("h")), { commands: ["label-h"], isPrevented: true });
  assert.deepEqual(resultOf(pressed("Z", { ctrlKey: true, shiftKey: true })), {
    commands: ["redo"],
    isPrevented: true,
  });
});

test("other keys are left to the browser", () => {
  assert.deepEqual(resultOf(pressed("F5")), { commands: [], isPrevented: false });
  assert.deepEqual(resultOf(pressed("h", { ctrlKey: true })), { commands: [], isPrevented: false });
  assert.deepEqual(resultOf(pressed("ArrowLeft", { altKey: true })), {
    commands: [],
    isPrevented: false,
  });
});
