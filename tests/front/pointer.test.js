import assert from "node:assert/strict";
import { test } from "node:test";
import { listenToPointer } from "../../victor/annotate/front/pointer.js";

const LEFT = { buttons: 1 };

/** A page that listens to the pointer; events carry the block they are at. */
function pointerOn() {
  const listeners = [];
  const page = { addEventListener: (type, listener) => listeners.push({ type, listener }) };
  const calls = [];
  const told =
    (name) =>
    (...values) =>
      calls.push([name, ...values]);
  const blocks = { under: ({ block }) => block };
  listenToPointer(page, blocks, { click: told("click"), drag: told("drag"), hover: told("hover") });
  const fire = (type, block, more = {}) => {
    const prevented = [];
    const preventDefault = () => prevented.push(type);
    const event = { block, button: 0, buttons: 0, shiftKey: false, preventDefault, ...more };
    for (const { listener } of listeners.filter((one) => one.type === type)) listener(event);
    return prevented.length > 0;
  };
  return { calls, fire };
}

const down = (block, more = LEFT) => ["pointerdown", block, more];
const move = (block, more = {}) => ["pointermove", block, more];
const up = (block) => ["pointerup", block];
const click = (block, more) => ["click", block, more];

/** Events, and the calls that they lead to. */
const GESTURES = {
  "a press and a release on one block are a click": [
    [down(4), up(4), click(4)],
    [["click", 4, false]],
  ],
  "a click beside the blocks is none": [[click(null)], []],
  "a click knows of shift": [[click(4, { shiftKey: true })], [["click", 4, true]]],
  "a drag reaches block after block, and is no click at its end; the next click counts again": [
    [down(4), move(5, LEFT), move(6, LEFT), up(6), click(6), down(8), up(8), click(8)],
    [
      ["drag", 4, 5, false],
      ["drag", 4, 6, false],
      ["drag", 4, 6, true],
      ["click", 8, false],
    ],
  ],
  "a drag may come back to its first block": [
    [down(4), move(5, LEFT), move(4, LEFT), up(4)],
    [
      ["drag", 4, 5, false],
      ["drag", 4, 4, false],
      ["drag", 4, 4, true],
    ],
  ],
  "a release outside of the page ends the drag": [
    [down(4), move(5, LEFT), move(9)],
    [
      ["drag", 4, 5, false],
      ["hover", 9],
    ],
  ],
  "hovering tells each block once": [
    [move(3), move(3), move(null), move(4)],
    [
      ["hover", 3],
      ["hover", null],
      ["hover", 4],
    ],
  ],
  "fingers and other buttons drag nothing": [
    [
      down(4, { ...LEFT, pointerType: "touch" }),
      move(5, LEFT),
      down(4, { button: 2, buttons: 2 }),
      move(6, LEFT),
    ],
    [
      ["hover", 5],
      ["hover", 6],
    ],
  ],
};

for (const [name, [events, expected]] of Object.entries(GESTURES)) {
  test(name, () => {
    const { calls, fire } = pointerOn();
    for (const event of events) fire(...event);
    assert.deepEqual(calls, expected);
  });
}

test("the page itself does nothing: no link, no form, no selection of text", () => {
  const { fire } = pointerOn();
  const types = ["mousedown", "dragstart", "click", "submit"];
  assert.ok(types.every((type) => fire(type, null)));
});
