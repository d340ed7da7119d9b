// @ts-check
/** Elements of the document. */

/**
 * The element of an id, which has to be there.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element;
}

/**
 * A new element at the end of another.
 *
 * @param {Element} parent
 * @param {string} name
 * @param {string} [text]
 * @param {string} [className]
 * @returns {HTMLElement}
 */
export function add(parent, name, text, className) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  if (className) made.className = className;
  parent.append(made);
  return made;
}

/**
 * The block that something on the screen belongs to, -1 for none.
 *
 * @param {EventTarget | null} target
 */
export function blockOf(target) {
  const part = target instanceof Element ? target.closest("[data-b],[data-t]") : null;
  if (!(part instanceof HTMLElement)) return -1;
  return Number(part.dataset.b ?? part.dataset.t);
}

/**
 * Where an element stands on the screen, in this document or in a frame of it.
 *
 * @param {Element} element
 */
export function placeOf(element) {
  const { top, bottom, height } = element.getBoundingClientRect();
  const frame =
    element.ownerDocument === document ? null : element.ownerDocument.defaultView?.frameElement;
  if (!(frame instanceof HTMLElement)) return { top, bottom, height };
  const around = frame.getBoundingClientRect();
  const scale = around.height / (frame.offsetHeight || 1);
  return {
    top: around.top + top * scale,
    bottom: around.top + bottom * scale,
    height: height * scale,
  };
}
