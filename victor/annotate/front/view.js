// Shows one stored page in its sandboxed frame and colours its blocks. Only attributes of changed
// blocks are touched, and only such as never move anything: the page is not laid out again.

import { Blocks } from "./blocks.js";
import { UNMARKED } from "./labels.js";

export class View {
  #frame;
  #marked = { cursor: [0, -1], range: [0, -1] };

  /** place: the element the frame goes into; css: the style sheet that colours blocks. */
  constructor(place, css) {
    this.place = place;
    this.css = css;
  }

  get shown() {
    return this.#frame.contentDocument;
  }

  /** Opens a page of so many blocks; resolves when all of it is there. */
  async open(address, length) {
    this.#frame = document.createElement("iframe");
    this.#frame.setAttribute("sandbox", "allow-same-origin");
    this.#frame.title = "Page to annotate";
    this.#frame.src = address;
    this.#marked = { cursor: [0, -1], range: [0, -1] };
    const loaded = new Promise((done) => this.#frame.addEventListener("load", done));
    this.place.replaceChildren(this.#frame);
    await loaded;
    this.blocks = new Blocks(this.shown, length);
    this.#dress();
    return this.shown;
  }

  #dress() {
    const sheet = new this.#frame.contentWindow.CSSStyleSheet();
    sheet.replaceSync(this.css);
    this.shown.adoptedStyleSheets = [sheet];
    this.shown.documentElement.dataset.victorShown = "";
  }

  /** Colours blocks by runs of labels. */
  paint(runs) {
    for (const [first, last, letter] of runs) {
      this.#set(first, last, "data-l", letter === UNMARKED ? null : letter);
    }
  }

  /** Sets an attribute of blocks by runs of [first, last, value or null]. */
  tag(name, runs) {
    for (const [first, last, value] of runs) this.#set(first, last, name, value);
  }

  /** Draws the cursor and the selected range; `isOpen`: the range waits for its last block. */
  select([first, last], cursor, isOpen) {
    this.#move("cursor", "data-k", [cursor, cursor]);
    this.#move("range", "data-p", isOpen ? [first, last] : [0, -1]);
  }

  #move(key, name, [first, last]) {
    const [oldFirst, oldLast] = this.#marked[key];
    for (const [from, to] of without([oldFirst, oldLast], [first, last])) {
      this.#set(from, to, name, null);
    }
    for (const [from, to] of without([first, last], [oldFirst, oldLast])) {
      this.#set(from, to, name, "");
    }
    this.#marked[key] = [first, last];
  }

  #set(first, last, name, value) {
    if (!this.blocks.length || last < first) return;
    for (const element of this.blocks.elements(first, last)) {
      if (value === null) element.removeAttribute(name);
      else element.setAttribute(name, value);
    }
  }

  /** Whether a block has a place on the screen at all. */
  isVisible(block) {
    return this.blocks.elements(block).some((element) => element.getClientRects().length > 0);
  }

  /** Scrolls a block into sight unless it is. */
  reveal(block) {
    const element = this.blocks
      .elements(block)
      .find((found) => found.getClientRects().length > 0);
    if (!element) return;
    const { top, bottom } = element.getBoundingClientRect();
    const height = this.#frame.clientHeight;
    const margin = Math.min(60, height / 6);
    if (top < margin || bottom > height - margin) {
      element.scrollIntoView({ block: bottom - top > height / 2 ? "start" : "center" });
    }
  }

  /** Shows the page with or without its own style sheets. */
  wear(ownStyles) {
    for (const sheet of this.shown.styleSheets) sheet.disabled = !ownStyles;
  }
}

/** What a range has that another has not, as ranges. */
export function without([first, last], [otherFirst, otherLast]) {
  if (otherLast < otherFirst || otherLast < first || last < otherFirst) return [[first, last]];
  return [
    [first, otherFirst - 1],
    [otherLast + 1, last],
  ].filter(([from, to]) => from <= to);
}
