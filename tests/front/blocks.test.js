import assert from "node:assert/strict";
import { test } from "node:test";
import { Blocks } from "../../victor/annotate/front/blocks.js";

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
    getElementsByTagName: () => ({ length: markers.length, item }),
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

test("a block without elements has none", () => {
  assert.deepEqual(blocksOf([], 3).blocks.elements(0, 2), []);
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

test("lines of a block are apart", () => {
  const second = { ...marker(0, "canal"), previousElementSibling: { localName: "br" } };
  assert.equal(blocksOf([marker(0, "old"), second], 1).blocks.text(0), "old canal");
});

test("the block under the pointer is that of its marker", () => {
  assert.equal(blocksOf([], 4).under(marker(3)), 3);
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

test("beside the page there is no block", () => {
  assert.equal(blocksOf([], 4, []).under(around()), null);
});
