import assert from "node:assert/strict";
import { test } from "node:test";
import { listenToPointer } from "../../victor/annotate/front/pointer.js";

const LEFT = 1;

/** A page that listens to the pointer; events carry the block they are at. */
function pointerOn() {
  const listeners = [];
  const page = { addEventListener: (type, listener) => listeners.push({ type, listener }) };
  const calls = [];
  listenToPointer(
    page,
    { under: ({ block }) => block },
    {
      click: (...values) => calls.push(["click", ...values]),
      drag: (...values) => calls.push(["drag", ...values]),
      hover: (...values) => calls.push(["hover", ...values]),
    },
  );
  const fire = (type, block, more = {}) => {
    const prevented = [];
    const preventDefault = () => prevented.push(type);
    const event = { block, button: 0, buttons: 0, shiftKey: false, preventDefault, ...more };
    for (const { listener } of listeners.filter((one) => one.type === type)) listener(event);
    return prevented.length > 0;
  };
  return { calls, fire };
}

test("a press and a release on one block are a click", () => {
  const { calls, fire } = pointerOn();
  fire("pointerdown", 4, { buttons: LEFT });
  fire("pointerup", 4);
  fire("click", 4);
  assert.deepEqual(calls, [["click", 4, false]]);
});

test("a click beside the blocks is none", () => {
  const { calls, fire } = pointerOn();
  fire("click", null);
  assert.deepEqual(calls, []);
});

test("a click knows of shift", () => {
  const { calls, fire } = pointerOn();
  fire("click", 4, { shiftKey: true });
  assert.deepEqual(calls, [["click", 4, true]]);
});

test("a drag reaches block after block, and is no click at its end", () => {
  const { calls, fire } = pointerOn();
  fire("pointerdown", 4, { buttons: LEFT });
  fire("pointermove", 5, { buttons: LEFT });
  fire("pointermove", 6, { buttons: LEFT });
  fire("pointerup", 6);
  fire("click", 6);
  assert.deepEqual(calls, [
    ["drag", 4, 5, false],
    ["drag", 4, 6, false],
    ["drag", 4, 6, true],
  ]);
});

test("a drag may come back to its first block", () => {
  const { calls, fire } = pointerOn();
  fire("pointerdown", 4, { buttons: LEFT });
  fire("pointermove", 5, { buttons: LEFT });
  fire("pointermove", 4, { buttons: LEFT });
  fire("pointerup", 4);
  assert.deepEqual(calls.at(-1), ["drag", 4, 4, true]);
});

test("the click after a drag counts again", () => {
  const { calls, fire } = pointerOn();
  fire("pointerdown", 4, { buttons: LEFT });
  fire("pointermove", 5, { buttons: LEFT });
  fire("pointerup", 5);
  fire("click", 5);
  fire("pointerdown", 8, { buttons: LEFT });
  fire("pointerup", 8);
  fire("click", 8);
  assert.deepEqual(calls.at(-1), ["click", 8, false]);
});

test("a release outside of the page ends the drag", () => {
  const { calls, fire } = pointerOn();
  fire("pointerdown", 4, { buttons: LEFT });
  fire("pointermove", 5, { buttons: LEFT });
  fire("pointermove", 9, { buttons: 0 });
  assert.deepEqual(calls.at(-1), ["hover", 9]);
});

test("hovering tells each block once", () => {
  const { calls, fire } = pointerOn();
  fire("pointermove", 3);
  fire("pointermove", 3);
  fire("pointermove", null);
  fire("pointermove", 4);
  assert.deepEqual(calls, [
    ["hover", 3],
    ["hover", null],
    ["hover", 4],
  ]);
});

test("fingers and other buttons drag nothing", () => {
  const { calls, fire } = pointerOn();
  fire("pointerdown", 4, { pointerType: "touch", buttons: LEFT });
  fire("pointermove", 5, { buttons: LEFT });
  fire("pointerdown", 4, { button: 2, buttons: 2 });
  fire("pointermove", 6, { buttons: LEFT });
  assert.deepEqual(calls, [
    ["hover", 5],
    ["hover", 6],
  ]);
});

test("the page itself does nothing: no link, no form, no selection of text", () => {
  const { fire } = pointerOn();
  const types = ["mousedown", "dragstart", "click", "submit"];
  assert.deepEqual(
    types.map((type) => fire(type, null)),
    [true, true, true, true],
  );
});
