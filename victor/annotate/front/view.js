// Displays a stored page in a sandboxed frame and colours its blocks. Only attributes of changed
// blocks are set, and their styles never move anything: the page is not laid out again.

import { Blocks } from "./blocks.js";

const LONGEST_END = 500;

export class View {
  #frame;
  #drawn = {};

  /** container: the element the frame goes into; css: the style sheet that colours blocks. */
  constructor(container, css) {
    this.container = container;
    this.css = css;
  }

  /** The document of the displayed page. */
  get page() {
    return this.#frame.contentDocument;
  }

  /** Opens a page; resolves when it is loaded. */
  async open(address) {
    this.#frame = document.createElement("iframe");
    this.#frame.setAttribute("sandbox", "allow-same-origin");
    this.#frame.title = "Page to annotate";
    this.#frame.src = address;
    this.#drawn = {};
    const loaded = new Promise((resolve) => this.#frame.addEventListener("load", resolve));
    this.container.replaceChildren(this.#frame);
    await loaded;
  }

  /** Finds the blocks of the loaded page and adds the styles that colour them. */
  prepare(nBlocks) {
    this.blocks = new Blocks(this.page, nBlocks);
    const sheet = new this.#frame.contentWindow.CSSStyleSheet();
    sheet.replaceSync(this.css);
    this.page.adoptedStyleSheets = [sheet];
    this.page.documentElement.dataset.victorShown = "";
  }

  /** Sets an attribute of blocks by runs; it is removed where the value is null. */
  setAttribute(name, runs) {
    for (const [first, last, value] of runs) {
      for (const element of this.blocks.elements(first, last)) {
        if (value === null) element.removeAttribute(name);
        else element.setAttribute(name, value);
      }
    }
  }

  /** Draws the cursor, and the range of an open passage. */
  drawSelection({ cursor, range, anchor }) {
    this.#moveAttribute("data-k", [[cursor, cursor]]);
    this.#moveAttribute("data-p", anchor === null ? [] : endsOf(...range));
  }

  /** Gives an attribute to ranges of blocks and takes it from the blocks that had it before. */
  #moveAttribute(name, ranges) {
    const before = this.#drawn[name] ?? [];
    this.setAttribute(
      name,
      subtract(before, ranges).map((range) => [...range, null]),
    );
    this.setAttribute(
      name,
      subtract(ranges, before).map((range) => [...range, ""]),
    );
    this.#drawn[name] = ranges;
  }

  /** The first element of a block that the page displays at all, or undefined. */
  #visibleElement(block) {
    return this.blocks.elements(block).find((element) => element.getClientRects().length > 0);
  }

  isVisible(block) {
    return this.#visibleElement(block) !== undefined;
  }

  /** Scrolls a block into view unless it is there. */
  scrollTo(block) {
    const element = this.#visibleElement(block);
    if (!element) return;
    const { top, bottom } = element.getBoundingClientRect();
    const height = this.#frame.clientHeight;
    const margin = Math.min(60, height / 6);
    if (top < margin || bottom > height - margin) {
      element.scrollIntoView({ block: bottom - top > height / 2 ? "start" : "center" });
    }
  }

  /** Focuses the page, so that keys scroll it. */
  focus() {
    this.#frame.contentWindow.focus();
  }

  /** Turns the page's own style sheets on or off. */
  usePageStyles(isOn) {
    for (const sheet of this.page.styleSheets) sheet.disabled = !isOn;
  }
}

/** A range, or only its two ends if it is so long that drawing it would delay the pointer. */
function endsOf(first, last) {
  if (last - first < 2 * LONGEST_END) return [[first, last]];
  return [
    [first, first + LONGEST_END],
    [last - LONGEST_END, last],
  ];
}

/** The parts of ranges that are outside of other ranges. */
export function subtract(ranges, others) {
  return others.reduce(
    (remaining, [otherFirst, otherLast]) =>
      remaining
        .flatMap(([first, last]) => [
          [first, Math.min(last, otherFirst - 1)],
          [Math.max(first, otherLast + 1), last],
        ])
        .filter(([first, last]) => first <= last),
    ranges,
  );
}
