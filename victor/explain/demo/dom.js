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
