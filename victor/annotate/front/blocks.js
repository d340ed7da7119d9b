// @ts-check
// The elements of each block of a displayed page: a block is one or more <v-b data-v="N">.

const ELEMENT = "v-b";

export class Blocks {
  /** @type {HTMLElement[][]} */
  #elements;

  /**
   * @param {Document} page the displayed page
   * @param {number} length the number of blocks
   */
  constructor(page, length) {
    this.length = length;
    this.#elements = Array.from({ length }, () => []);
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll(ELEMENT))) {
      this.#elements[Number(element.dataset.v)]?.push(element);
    }
  }

  /**
   * The elements of the blocks first to last.
   *
   * @param {number} first
   * @param {number} last
   */
  elements(first, last = first) {
    return this.#elements.slice(first, last + 1).flat();
  }

  /** @param {number} block */
  text(block) {
    const text = this.elements(block)
      .map((element) => `${isOnNewLine(element) ? " " : ""}${element.textContent}`)
      .join("");
    return text.replace(/\s+/gu, " ").trim();
  }

  /**
   * The block under the pointer, or null; other elements may cover it.
   *
   * @param {Pick<MouseEvent, "target" | "clientX" | "clientY">} event
   */
  under(event) {
    const target = /** @type {Element} */ (event.target);
    const block = this.#blockOf(target);
    if (block !== null) return block;
    const stack = target.ownerDocument.elementsFromPoint(event.clientX, event.clientY);
    const covered = stack.map((element) => this.#blockOf(element));
    return covered.find((number) => number !== null) ?? this.#onlyBlockIn(stack[0]);
  }

  /** @param {Element | null | undefined} element */
  #blockOf(element) {
    /** @type {HTMLElement | null | undefined} */
    const marker = element?.closest?.(ELEMENT);
    const number = marker ? Number(marker.dataset.v) : Number.NaN;
    return number < this.length ? number : null;
  }

  /**
   * A paragraph holds one block: the space beside its lines belongs to that block too.
   *
   * @param {Element | undefined} element
   */
  #onlyBlockIn(element) {
    const markers = element?.getElementsByTagName?.(ELEMENT);
    if (!markers?.length) return null;
    const block = this.#blockOf(markers.item(0));
    return block === this.#blockOf(markers.item(markers.length - 1)) ? block : null;
  }
}

/** @param {HTMLElement} element */
const isOnNewLine = (element) => element.previousElementSibling?.localName === "br";
