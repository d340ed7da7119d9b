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

test("shift that only makes a sign is no part of the key", () => {
  assert.equal(keyOf(pressed("?", { shiftKey: true })), "?");
});

test("digits go by their position, whatever the layout makes of them", () => {
  assert.equal(keyOf(pressed("é", { code: "Digit2" })), "2");
  assert.equal(keyOf(pressed("1", { code: "Numpad1", shiftKey: true })), "1");
});

test("the command key is as good as control", () => {
  assert.equal(keyOf(pressed("z", { ctrlKey: true })), "Ctrl+z");
  assert.equal(keyOf(pressed("Z", { metaKey: true, shiftKey: true })), "Ctrl+Shift+z");
});

test("letters of other scripts count as letters", () => {
  assert.equal(keyOf(pressed("Ž", { shiftKey: true })), "Shift+ž");
});

test("no key has two commands", () => {
  const keys = Object.values(KEYS).flatMap((rows) => rows.flatMap(([names]) => names));
  assert.deepEqual(keys, [...new Set(keys)]);
});

test("every key of the table can be pressed", () => {
  const parts = ([names]) => names.map((name) => name.split("+").at(-1));
  for (const key of Object.values(KEYS).flat().flatMap(parts)) {
    assert.equal(keyOf(pressed(key)), key);
  }
});

test("the help writes keys as they stand on the keyboard", () => {
  assert.equal(nameOf("Ctrl+Shift+z"), "Ctrl+Shift+Z");
  assert.equal(nameOf("Shift+ArrowDown"), "Shift+↓");
  assert.equal(nameOf(" "), "Space");
  assert.equal(nameOf("Home"), "Home");
});

/** Presses a key on a page that listens; returns the commands it ran. */
function commandsOf(event) {
  const commands = [];
  let listener;
  const page = { addEventListener: (_, added) => (listener = added) };
  listenToKeys(page, (command) => commands.push(command));
  const target = { ownerDocument: page };
  let isPrevented = false;
  listener({ target, preventDefault: () => (isPrevented = true), ...event });
  assert.equal(isPrevented, commands.length > 0);
  return commands;
}

test("keys on the page run their commands", (t) => {
  globalThis.document = {}; // another one than that of the page
  t.after(() => delete globalThis.document);
  assert.deepEqual(commandsOf(pressed("h")), ["label-h"]);
  assert.deepEqual(commandsOf(pressed("Z", { ctrlKey: true, shiftKey: true })), ["redo"]);
});

test("other keys are left to the browser", () => {
  assert.deepEqual(commandsOf(pressed("F5")), []);
  assert.deepEqual(commandsOf(pressed("h", { ctrlKey: true })), []);
  assert.deepEqual(commandsOf(pressed("ArrowLeft", { altKey: true })), []);
});
