// @ts-check
// Translates pointer events on the displayed page into clicks, drags and hovers on block numbers.

/**
 * @import { Blocks } from "./blocks.js"
 *
 * @typedef {object} Listeners called with numbers of blocks
 * @property {(block: number, hasShift: boolean) => void} click
 * @property {(from: number, to: number, isFinished: boolean) => void} drag
 * @property {(block: number | null) => void} hover null where the pointer leaves a block for none
 */

/**
 * Listens on the whole document of the page, never on single blocks.
 *
 * @param {Document} page
 * @param {Blocks} blocks
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
    isAfterDrag = false;
    if (pressed !== null && dragged !== null) {
      isAfterDrag = true;
      drag(pressed, dragged, true);
    }
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
