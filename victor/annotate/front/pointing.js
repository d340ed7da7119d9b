// Turns what the pointer does on the shown page into calls with block numbers: click, drag, hover.

/** Listens on the whole shown document, never on single blocks. */
export function point(shown, blocks, { click, drag, hover }) {
  let pressed = null;
  let dragged = null;
  let over = null;
  let swallow = false;

  function blockOf(event) {
    return blocks.at(event.target, event.clientX, event.clientY);
  }

  function reach(event) {
    if (!(event.buttons & 1)) pressed = dragged = null; // let go outside of the frame
    const block = blockOf(event);
    if (block === null || block === over) return;
    over = block;
    if (pressed !== null && (dragged !== null || block !== pressed)) {
      dragged = block;
      drag(pressed, block, false);
    } else {
      hover(block);
    }
  }

  function press(event) {
    swallow = false;
    if (event.button !== 0 || event.pointerType === "touch" || event.shiftKey) return;
    pressed = blockOf(event);
    over = pressed;
  }

  function release() {
    if (dragged !== null) {
      swallow = true; // the click that follows belongs to the drag
      drag(pressed, dragged, true);
    }
    pressed = dragged = null;
  }

  shown.addEventListener("pointerdown", press);
  shown.addEventListener("pointermove", reach);
  shown.addEventListener("pointerup", release);
  shown.addEventListener("pointercancel", () => (pressed = dragged = null));
  shown.addEventListener("mousedown", (event) => event.preventDefault()); // selects no text
  shown.addEventListener("dragstart", (event) => event.preventDefault());
  shown.addEventListener("click", (event) => {
    event.preventDefault();
    const block = swallow ? null : blockOf(event);
    swallow = false;
    if (block !== null) click(block, event.shiftKey);
  });
  shown.addEventListener("submit", (event) => event.preventDefault());
}
