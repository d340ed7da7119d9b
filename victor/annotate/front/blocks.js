// The elements of each block of a displayed page: a block is one or more <v-b data-v="N">.

const ELEMENT = "v-b";

export class Blocks {
  #elements;

  /** page: the document of the displayed page; length: its number of blocks. */
  constructor(page, length) {
    this.length = length;
    this.#elements = Array.from({ length }, () => []);
    for (const element of page.querySelectorAll(ELEMENT)) {
      this.#elements[Number(element.dataset.v)]?.push(element);
    }
  }

  /** The elements of the blocks first to last. */
  elements(first, last = first) {
    return this.#elements.slice(first, last + 1).flat();
  }

  text(block) {
    const text = this.elements(block)
      .map((element) => element.textContent)
      .join("");
    return text.replace(/\s+/gu, " ").trim();
  }

  /** The block under the pointer, or null; other elements may cover it. */
  under({ target, clientX, clientY }) {
    const block = this.#blockOf(target);
    if (block !== null) return block;
    const stack = target.ownerDocument.elementsFromPoint(clientX, clientY);
    const covered = stack.map((element) => this.#blockOf(element));
    return covered.find((number) => number !== null) ?? this.#onlyBlockIn(stack[0]);
  }

  #blockOf(element) {
    const marker = element?.closest?.(ELEMENT);
    const number = marker ? Number(marker.dataset.v) : NaN;
    return number < this.length ? number : null;
  }

  /** A paragraph holds one block: the space beside its lines belongs to that block too. */
  #onlyBlockIn(element) {
    const markers = element?.getElementsByTagName?.(ELEMENT);
    if (!markers?.length) return null;
    const block = this.#blockOf(markers[0]);
    return block === this.#blockOf(markers.item(markers.length - 1)) ? block : null;
  }
}
