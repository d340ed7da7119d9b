// @ts-check
// The blocks of a displayed page, one or more <v-b data-v="N"> each: the pointer on them, and
// frames around them.

/**
 * @import { Range } from "./types.d.ts"
 *
 * @typedef {"hover" | "passage" | "cursor"} Kind
 * @typedef {object} Listeners called with numbers of blocks
 * @property {(block: number, hasShift: boolean) => void} click
 * @property {(from: number, to: number, isFinished: boolean) => void} drag
 * @property {(block: number | null) => void} hover null where the pointer leaves a block for none
 */

const ELEMENT = "v-b";
const WHOLE = "table, ul, ol, dl, menu";
/** A halo lets frames stand out from a page of any colour; outlines make no page larger. */
const FRAMES = `
  div { position: absolute; outline-offset: 2px; box-shadow: 0 0 0 5px #fffc }
  .hover { outline: 2px solid #0072b2 }
  .passage { outline: 2px solid #c44f00 }
  .cursor { outline: 3px solid #c44f00 }`;

export class Blocks {
  /** @type {HTMLElement[][]} */
  #elements;

  /** @param {Document} page the displayed page @param {number} length the number of blocks */
  constructor(page, length) {
    this.length = length;
    this.#elements = Array.from({ length }, () => []);
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll(ELEMENT))) {
      this.#elements[Number(element.dataset.v)]?.push(element);
    }
  }

  /** The elements of the blocks first to last. @param {number} first @param {number} last */
  elements(first, last = first) {
    return this.#elements.slice(first, last + 1).flat();
  }

  /** @param {number} block */
  text(block) {
    /** @param {HTMLElement} element */
    const isOnNewLine = (element) => element.previousElementSibling?.localName === "br";
    const text = this.elements(block)
      .map((element) => `${isOnNewLine(element) ? " " : ""}${element.textContent}`)
      .join("");
    return text.replace(/\s+/gu, " ").trim();
  }

  /**
   * The innermost list or table around a block, or null if there is none.
   * @param {number} block
   * @returns {Range | null}
   */
  whole(block) {
    const marks = this.#elements[block]?.[0]?.closest(WHOLE)?.getElementsByTagName(ELEMENT);
    if (!marks?.length) return null;
    const ends = [marks[0], marks[marks.length - 1]].map((mark) => this.#blockOf(mark) ?? block);
    return [ends[0], ends[1]];
  }

  /**
   * The block under the pointer, or null; other elements may cover it.
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
   * @param {Element | undefined} element
   */
  #onlyBlockIn(element) {
    const markers = element?.getElementsByTagName?.(ELEMENT);
    if (!markers?.length) return null;
    const block = this.#blockOf(markers.item(0));
    return block === this.#blockOf(markers.item(markers.length - 1)) ? block : null;
  }
}

/**
 * Translates pointer events into clicks, drags and hovers on blocks. It listens on the whole
 * document, never on single blocks.
 * @param {Document} page
 * @param {Pick<Blocks, "under">} blocks
 * @param {Listeners} listeners
 */
export function listenToPointer(page, blocks, { click, drag, hover }) {
  /** @type {number | null} */
  let pressed = null; // the block where the button went down
  /** @type {number | null} */
  let dragged = null; // the block a drag has reached
  /** @type {number | null} */
  let hovered = null;
  let isAfterDrag = false; // the next click ends a drag

  function reset() {
    pressed = dragged = null;
  }

  /** @param {PointerEvent} event */
  function onDown(event) {
    isAfterDrag = false;
    if (event.button !== 0 || event.pointerType === "touch" || event.shiftKey) return;
    pressed = hovered = blocks.under(event);
  }

  /** @param {PointerEvent} event */
  function onMove(event) {
    // biome-ignore lint/suspicious/noBitwiseOperators: each bit of `buttons` is a button
    if (!(event.buttons & 1)) reset(); // the button was released outside of the frame
    const block = blocks.under(event);
    if (block === null && pressed === null) onLeave();
    if (block === null || block === hovered) return;
    hovered = block;
    if (pressed !== null && (dragged !== null || block !== pressed)) {
      dragged = block;
      drag(pressed, block, false);
    } else {
      hover(block);
    }
  }

  function onLeave() {
    if (hovered !== null) hover(null);
    hovered = null;
  }

  function onUp() {
    isAfterDrag = pressed !== null && dragged !== null;
    if (pressed !== null && dragged !== null) drag(pressed, dragged, true);
    reset();
  }

  /** @param {MouseEvent} event */
  function onClick(event) {
    const block = isAfterDrag ? null : blocks.under(event);
    isAfterDrag = false;
    if (block !== null) click(block, event.shiftKey);
  }

  page.addEventListener("pointerdown", onDown);
  page.addEventListener("pointermove", onMove);
  page.addEventListener("pointerup", onUp);
  page.addEventListener("pointercancel", reset);
  page.addEventListener("pointerout", ({ relatedTarget }) => {
    if (relatedTarget === null) onLeave(); // of the frame
  });
  page.addEventListener("click", onClick);
  // The page itself selects no text, drags nothing, follows no link and sends no form.
  for (const type of ["mousedown", "dragstart", "click", "submit"]) {
    page.addEventListener(type, (event) => event.preventDefault());
  }
}

/**
 * Frames drawn over the page. They move nothing, take no pointer events, and stand in a shadow tree
 * of their own, where the styles of the page do not reach them.
 */
export class Frames {
  #blocks;
  #host;
  #root;
  /** Of each kind, the last one on top. @type {Record<Kind, Range[]>} */
  #ranges = { hover: [], passage: [], cursor: [] };
  #isScheduled = false;

  /**
   * @param {Document} page
   * @param {Window & typeof globalThis} window of the page
   * @param {Blocks} blocks
   */
  constructor(page, window, blocks) {
    this.#blocks = blocks;
    this.#host = page.createElement("v-frames");
    this.#host.setAttribute("aria-hidden", "true");
    this.#root = this.#host.attachShadow({ mode: "open" });
    const sheet = new window.CSSStyleSheet();
    sheet.replaceSync(FRAMES);
    this.#root.adoptedStyleSheets = [sheet];
    page.documentElement.append(this.#host);
    const schedule = () => this.#schedule();
    page.addEventListener("scroll", schedule, { capture: true, passive: true });
    const observer = new window.ResizeObserver(schedule);
    for (const one of [page.documentElement, page.body]) if (one) observer.observe(one);
  }

  /** Draws frames of a kind around blocks, in place of those before. @param {Kind} kind @param {Range[]} ranges */
  show(kind, ranges) {
    if (String(ranges) === String(this.#ranges[kind])) return;
    this.#ranges[kind] = ranges;
    this.redraw();
  }

  redraw() {
    const origin = this.#host.getBoundingClientRect();
    const frames = document.createDocumentFragment();
    for (const [kind, ranges] of Object.entries(this.#ranges)) {
      for (const [first, last] of ranges) {
        for (let block = first; block <= last; block++) {
          frames.append(this.#frameOf(block, kind, origin) ?? "");
        }
      }
    }
    this.#root.replaceChildren(frames);
  }

  /** Draws everything anew before the next frame, once for any number of calls. */
  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      this.redraw();
    });
  }

  /** One box around all pieces of a block. @param {number} block @param {string} kind @param {DOMRect} origin */
  #frameOf(block, kind, origin) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const piece of this.#blocks.elements(block)) {
      const box = piece.getBoundingClientRect();
      if (!(box.width && box.height)) continue;
      [left, top] = [Math.min(left, box.left), Math.min(top, box.top)];
      [right, bottom] = [Math.max(right, box.right), Math.max(bottom, box.bottom)];
    }
    if (left > right) return null;
    const frame = this.#host.ownerDocument.createElement("div");
    frame.className = kind;
    frame.style.left = `${left - origin.left}px`;
    frame.style.top = `${top - origin.top}px`;
    frame.style.width = `${right - left}px`;
    frame.style.height = `${bottom - top}px`;
    return frame;
  }
}
