import assert from "node:assert/strict";
import { test } from "node:test";
import { Blocks, listenToPointer } from "../../victor/annotate/front/blocks.js";
import { rowsOf } from "./rows.js";

/** A marker of a block: what Blocks uses of an element. */
function marker(block, textContent = "") {
  const element = { dataset: { v: `${block}` }, textContent };
  element.closest = () => element;
  return element;
}

/** An element that is no marker, around some. */
function around(...markers) {
  const item = (index) => markers[index] ?? null;
  return {
    closest: () => null,
    getElementsByTagName: () => Object.assign([...markers], { item }),
  };
}

/** Blocks of a page that has elements under the pointer, the topmost first. */
function blocksOf(markers, length, stack = []) {
  const page = { querySelectorAll: () => markers, elementsFromPoint: () => stack };
  const under = (target) =>
    new Blocks(page, length).under({ target: { ownerDocument: page, ...target } });
  return { blocks: new Blocks(page, length), under };
}

test("a block may have several elements", () => {
  const markers = [marker(0), marker(1), marker(0)];
  const { blocks } = blocksOf(markers, 2);
  assert.deepEqual(blocks.elements(0), [markers[0], markers[2]]);
  assert.equal(blocks.elements(0, 1).length, 3);
});

test("markers of blocks that the server does not count are passed over", () => {
  const { blocks, under } = blocksOf([marker(5)], 2);
  assert.deepEqual(blocks.elements(0, 9), []);
  assert.equal(under(marker(5)), null);
});

test("the text of a block has single spaces", () => {
  const { blocks } = blocksOf([marker(0, "  The\n old "), marker(0, "canal ")], 1);
  assert.equal(blocks.text(0), "The old canal");
});

test("a covered block is found through what lies over it", () => {
  const cover = around();
  assert.equal(blocksOf([], 4, [cover, marker(2), marker(1)]).under(cover), 2);
});

test("the space beside the lines of a paragraph belongs to its only block", () => {
  const paragraph = around(marker(2), marker(2));
  assert.equal(blocksOf([], 4, [paragraph]).under(paragraph), 2);
});

test("the space between several blocks belongs to none", () => {
  const list = around(marker(1), marker(2));
  assert.equal(blocksOf([], 4, [list]).under(list), null);
});

test("the whole list or table around a block is what its markers say", () => {
  const markers = [0, 1, 2, 3].map((block) => marker(block));
  const { blocks } = blocksOf(markers, 4);
  const list = around(...markers.slice(1, 3));
  markers[1].closest = (selector) => (selector === "v-b" ? markers[1] : list);
  assert.deepEqual(blocks.whole(1), [1, 2]);
  markers[0].closest = (selector) => (selector === "v-b" ? markers[0] : null);
  assert.equal(blocks.whole(0), null);
  assert.equal(blocks.whole(9), null);
});

const LEFT = { buttons: 1 };

/** A page that listens to the pointer; events carry the block they are at. */
function pointerOn() {
  const listeners = [];
  const page = { addEventListener: (type, listener) => listeners.push({ type, listener }) };
  const calls = [];
  const told =
    (name) =>
    (...values) =>
      calls.push([name, ...values].map(String).join(" "));
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

/** What is told of an event beside its block. */
const MORE = {
  left: LEFT,
  right: { button: 2, buttons: 2 },
  shift: { shiftKey: true },
  touch: { ...LEFT, pointerType: "touch" },
};

for (const [name, events, expected] of rowsOf("gestures.txt")) {
  test(name, () => {
    const { calls, fire } = pointerOn();
    for (const event of events.split(", ")) {
      const [type, block, more] = event.split(" ");
      fire(type === "click" ? type : `pointer${type}`, JSON.parse(block), MORE[more]);
    }
    assert.equal(calls.join(", "), expected);
  });
}

test("the page itself does nothing: no link, no form, no selection of text", () => {
  const { fire } = pointerOn();
  const types = ["mousedown", "dragstart", "click", "submit"];
  assert.ok(types.every((type) => fire(type, null)));
});
