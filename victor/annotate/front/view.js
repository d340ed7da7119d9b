// @ts-check
// Displays a stored page in a sandboxed frame and colours its blocks. Only attributes of changed
// blocks are set, and their styles never move anything: the page is not laid out again.

import { Blocks, Frames } from "./blocks.js";

/**
 * @import { Range, Run } from "./types.d.ts"
 * @import { Selection } from "./labels.js"
 */

const LONGEST_END = 500;

export class View {
  #frame = document.createElement("iframe");
  #blocks = new Blocks(document, 0);
  /** @type {Frames | null} */
  #frames = null;
  #lacksStyles = false;

  /** @param {HTMLElement} container the frame goes into it @param {string} css colours blocks */
  constructor(container, css) {
    this.container = container;
    this.css = css;
  }

  /** The document of the displayed page. */
  get page() {
    return /** @type {Document} */ (this.#frame.contentDocument);
  }

  /** The window of the displayed page. */
  get #window() {
    return /** @type {Window & typeof globalThis} */ (this.#frame.contentWindow);
  }

  /** The elements of each block of the displayed page. */
  get blocks() {
    return this.#blocks;
  }

  /**
   * Opens a page; resolves when it is loaded.
   * @param {string} address
   * @throws {Error} the server refuses to show it
   */
  async open(address) {
    this.#frame = document.createElement("iframe");
    this.#frame.setAttribute("sandbox", "allow-same-origin");
    this.#frame.title = "Page to annotate";
    this.#frame.src = address;
    const loaded = new Promise((resolve) => this.#frame.addEventListener("load", resolve));
    this.container.replaceChildren(this.#frame);
    await loaded;
    if (this.page.contentType === "application/json") throw new Error(refusalIn(this.page));
  }

  /**
   * Finds the blocks of the loaded page and adds the styles that colour them.
   * @param {number} nBlocks
   */
  prepare(nBlocks) {
    this.#blocks = new Blocks(this.page, nBlocks);
    const sheet = new this.#window.CSSStyleSheet();
    sheet.replaceSync(this.css);
    this.page.adoptedStyleSheets = [sheet];
    this.page.documentElement.dataset.victorShown = "";
    this.#display();
    this.#hideMissingPictures();
    this.#lacksStyles = this.#isMissingStyles();
    this.usePageStyles(true);
    this.#frames = new Frames(this.page, this.#window, this.blocks);
  }

  /** Displays the whole page even if it waits for a script to do so. */
  #display() {
    for (const element of [this.page.documentElement, this.page.body]) {
      const isDisplayed = this.#window.getComputedStyle(element).display !== "none";
      if (!isDisplayed) element.dataset.victorUndisplayed = "";
    }
  }

  /** Hides what browsers draw in place of a picture that was not saved. */
  #hideMissingPictures() {
    for (const picture of this.page.images) {
      const isMissing = !picture.getAttribute("src") || (picture.complete && !picture.naturalWidth);
      if (isMissing) picture.dataset.victorMissing = "";
    }
  }

  /** Whether style sheets are missing, and those that are there leave text as it is without any. */
  #isMissingStyles() {
    /** @type {NodeListOf<HTMLLinkElement>} */
    const links = this.page.querySelectorAll("link[rel=stylesheet]");
    const areAllThere = [...links].every((link) => hasRules(link.sheet));
    const nOwn = this.page.styleSheets.length - 1; // the first is that of the tool
    if (nOwn > 0 && areAllThere) return false;
    const plain = this.page.createElement("div");
    plain.style.all = "initial";
    this.page.documentElement.append(plain);
    const [own, initial] = [this.page.body, plain].map(
      (element) => this.#window.getComputedStyle(element).fontFamily,
    );
    plain.remove();
    return own === initial;
  }

  /**
   * Sets an attribute of blocks by runs; it is removed where the value is null.
   * @param {string} name
   * @param {Run<string | number | null>[]} runs
   */
  setAttribute(name, runs) {
    for (const [first, last, value] of runs) {
      for (const element of this.blocks.elements(first, last)) {
        if (value === null) element.removeAttribute(name);
        else element.setAttribute(name, `${value}`);
      }
    }
  }

  /** Frames the cursor, and each block of an open passage. @param {Selection} selection */
  drawSelection({ cursor, range, anchor }) {
    this.#frames?.show("passage", anchor === null ? [] : endsOf(...range));
    this.#frames?.show("cursor", this.blocks.length ? [[cursor, cursor]] : []);
  }

  /** Frames the block that a click would take. @param {number | null} block null for none */
  drawHover(block) {
    this.#frames?.show("hover", block === null ? [] : [[block, block]]);
  }

  /**
   * The first element of a block that the page displays at all, or undefined.
   * @param {number} block
   */
  #visibleElement(block) {
    return this.blocks.elements(block).find((element) => element.getClientRects().length > 0);
  }

  /** @param {number} block */
  text(block) {
    return this.#blocks.text(block);
  }

  /** @param {number} block */
  isVisible(block) {
    return this.#visibleElement(block) !== undefined;
  }

  /** Scrolls so that a block is the first thing to read. @param {number} block */
  scrollToTop(block) {
    this.#visibleElement(block)?.scrollIntoView({ block: "start" });
  }

  /** Scrolls a block into view unless it is there. @param {number} block */
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
    this.#window.focus();
  }

  /**
   * Turns the page's own style sheets on or off; a quiet style takes the place of missing ones.
   * @param {boolean} isOn
   */
  usePageStyles(isOn) {
    for (const sheet of this.page.styleSheets) sheet.disabled = !isOn;
    this.page.documentElement.toggleAttribute("data-victor-plain", !isOn || this.#lacksStyles);
    this.#frames?.redraw();
  }
}

/** What the server says in place of a page. @param {Document} page */
function refusalIn(page) {
  return JSON.parse(page.querySelector("pre")?.textContent ?? "{}").error ?? "it is refused";
}

/** Whether a style sheet was loaded and says anything. @param {CSSStyleSheet | null} sheet */
function hasRules(sheet) {
  try {
    return Boolean(sheet?.cssRules.length);
  } catch {
    return false; // browsers let nobody read what they have in place of one that failed to load
  }
}

/**
 * A range, or only its two ends if it is so long that drawing it would delay the pointer.
 * @param {number} first
 * @param {number} last
 * @returns {Range[]}
 */
export function endsOf(first, last) {
  if (last - first < 2 * LONGEST_END) return [[first, last]];
  return [
    [first, first + LONGEST_END],
    [last - LONGEST_END, last],
  ];
}
