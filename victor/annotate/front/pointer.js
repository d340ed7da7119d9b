// Translates pointer events on the displayed page into clicks, drags and hovers on block numbers.

/**
 * Listens on the whole document of the page, never on single blocks.
 *
 * click(block, hasShift), drag(first, last, isFinished) and hover(block) are called with numbers.
 */
export function listenToPointer(page, blocks, { click, drag, hover }) {
  let pressed = null; // the block where the button went down
  let dragged = null; // the block a drag has reached
  let hovered = null;
  let isAfterDrag = false; // the next click ends a drag

  function reset() {
    pressed = dragged = null;
  }

  function onDown(event) {
    isAfterDrag = false;
    if (event.button !== 0 || event.pointerType === "touch" || event.shiftKey) return;
    pressed = hovered = blocks.under(event);
  }

  function onMove(event) {
    // biome-ignore lint/suspicious/noBitwiseOperators: each bit of `buttons` is a button
    if (!(event.buttons & 1)) reset(); // the button was released outside of the frame
    const block = blocks.under(event);
    if (block === null || block === hovered) return;
    hovered = block;
    if (pressed !== null && (dragged !== null || block !== pressed)) {
      dragged = block;
      drag(pressed, block, false);
    } else {
      hover(block);
    }
  }

  function onUp() {
    isAfterDrag = dragged !== null;
    if (isAfterDrag) drag(pressed, dragged, true);
    reset();
  }

  function onClick(event) {
    const block = isAfterDrag ? null : blocks.under(event);
    isAfterDrag = false;
    if (block !== null) click(block, event.shiftKey);
  }

  page.addEventListener("pointerdown", onDown);
  page.addEventListener("pointermove", onMove);
  page.addEventListener("pointerup", onUp);
  page.addEventListener("pointercancel", reset);
  page.addEventListener("click", onClick);
  // The page itself selects no text, drags nothing, follows no link and sends no form.
  for (const type of ["mousedown", "dragstart", "click", "submit"]) {
    page.addEventListener(type, (event) => event.preventDefault());
  }
}
