// Finds the elements of each block of a shown page: a block is one or more <v-b data-v="N">.

const ELEMENT = "v-b";

export class Blocks {
  #elements;
  #starts;

  constructor(shown, length) {
    const found = [...shown.getElementsByTagName(ELEMENT)];
    const numbers = Uint32Array.from(found, (element) => Number(element.dataset.v));
    this.length = length;
    this.#starts = startsOf(numbers, length);
    this.#elements = new Array(found.length);
    const next = this.#starts.slice();
    found.forEach((element, place) => {
      if (numbers[place] < length) this.#elements[next[numbers[place]]++] = element;
    });
  }

  /** The elements of blocks first to last. */
  elements(first, last = first) {
    return this.#elements.slice(this.#starts[first], this.#starts[last + 1]);
  }

  text(block) {
    const text = this.elements(block).map((element) => element.textContent).join("");
    return text.replace(/\s+/gu, " ").trim();
  }

  /** The block under a point of the page, or null; `target` is what the browser says is there. */
  at(target, x, y) {
    const direct = this.#of(target);
    if (direct !== null) return direct;
    const stack = target.ownerDocument.elementsFromPoint(x, y);
    for (const element of stack) {
      const block = this.#of(element);
      if (block !== null) return block;
    }
    return this.#around(stack[0]);
  }

  #of(element) {
    const found = element?.closest?.(ELEMENT);
    const number = found ? Number(found.dataset.v) : NaN;
    return number < this.length ? number : null;
  }

  /** A paragraph holds one block: the space beside its lines belongs to that block too. */
  #around(element) {
    const inside = element?.getElementsByTagName?.(ELEMENT);
    if (!inside?.length) return null;
    const block = this.#of(inside[0]);
    return block === this.#of(inside[inside.length - 1]) ? block : null;
  }
}

/** Where the elements of each block begin, as in the rows of a sparse matrix. */
function startsOf(numbers, length) {
  const starts = new Uint32Array(length + 1);
  for (const number of numbers) if (number < length) starts[number + 1]++;
  for (let block = 0; block < length; block++) starts[block + 1] += starts[block];
  return starts;
}
