// Shows one stored page in its sandboxed frame and colours its blocks. Only attributes of changed
// blocks are touched, and only such as never move anything: the page is not laid out again.

import { Blocks } from "./blocks.js";

const LONGEST_END = 500;

export class View {
  #frame;
  #drawn = {};

  /** place: the element the frame goes into; css: the style sheet that colours blocks. */
  constructor(place, css) {
    this.place = place;
    this.css = css;
  }

  get shown() {
    return this.#frame.contentDocument;
  }

  /** Opens a page; resolves when all of it is there. */
  async open(address) {
    this.#frame = document.createElement("iframe");
    this.#frame.setAttribute("sandbox", "allow-same-origin");
    this.#frame.title = "Page to annotate";
    this.#frame.src = address;
    this.#drawn = {};
    const loaded = new Promise((done) => this.#frame.addEventListener("load", done));
    this.place.replaceChildren(this.#frame);
    await loaded;
  }

  /** Finds the blocks of the opened page, so many, and lets them be coloured. */
  find(length) {
    this.blocks = new Blocks(this.shown, length);
    const sheet = new this.#frame.contentWindow.CSSStyleSheet();
    sheet.replaceSync(this.css);
    this.shown.adoptedStyleSheets = [sheet];
    this.shown.documentElement.dataset.victorShown = "";
  }

  /** Sets an attribute of blocks by runs of [first, last, value or null]. */
  tag(name, runs) {
    for (const [first, last, value] of runs) this.#set(first, last, name, value);
  }

  /** Draws the cursor and the selected range; `isOpen`: the range waits for its last block. */
  select([first, last], cursor, isOpen) {
    this.#move("data-k", [[cursor, cursor]]);
    this.#move("data-p", isOpen ? ends(first, last) : []);
  }

  /** Gives an attribute to ranges of blocks that it takes from those that had it before. */
  #move(name, ranges) {
    const before = this.#drawn[name] ?? [];
    this.tag(name, without(before, ranges).map((range) => [...range, null]));
    this.tag(name, without(ranges, before).map((range) => [...range, ""]));
    this.#drawn[name] = ranges;
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

  /** Keys that scroll are for the page from now on. */
  focus() {
    this.#frame.contentWindow.focus();
  }

  /** Shows the page with or without its own style sheets. */
  wear(ownStyles) {
    for (const sheet of this.shown.styleSheets) sheet.disabled = !ownStyles;
  }
}

/** A range, without the middle if it is long: that would take longer to draw than to pass. */
function ends(first, last) {
  if (last - first < 2 * LONGEST_END) return [[first, last]];
  return [[first, first + LONGEST_END], [last - LONGEST_END, last]];
}

/** What ranges have that others do not have, as ranges. */
export function without(ranges, others) {
  return others.reduce(
    (left, [otherFirst, otherLast]) =>
      left.flatMap(([first, last]) => [
        [first, Math.min(last, otherFirst - 1)],
        [Math.max(first, otherLast + 1), last],
      ]).filter(([first, last]) => first <= last),
    ranges,
  );
}
