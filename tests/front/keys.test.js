import assert from "node:assert/strict";
import { test } from "node:test";
import { KEYS, keyOf, listenToKeys, nameOf } from "../../victor/annotate/front/keys.js";
import { rowsOf } from "./rows.js";

const pressed = (written) => {
  const [key, code, ...modifiers] = written.split(" ");
  return { key, code: code ?? "", ...Object.fromEntries(modifiers.map((name) => [name, true])) };
};

for (const [name, written, expected, shown, command] of rowsOf("keys.txt")) {
  test(name, (t) => {
    globalThis.document = {}; // another one than that of the page
    t.after(() => {
      globalThis.document = undefined;
    });
    assert.equal(keyOf(pressed(written)), expected);
    assert.equal(nameOf(expected), shown);
    const { commands, isPrevented } = resultOf(pressed(written));
    assert.deepEqual([commands.join(), isPrevented], [command, command !== ""]);
  });
}

test("no key has two commands", () => {
  const keys = Object.values(KEYS).flatMap((rows) => rows.flatMap(([names]) => names));
  assert.deepEqual(keys, [...new Set(keys)]);
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
