// @ts-check
// Small helpers on top of the DOM.

/** @import { ElementById } from "./page_elements.d.ts" */

/**
 * An element of index.html.
 *
 * @template {string} Id
 * @param {Id} id
 */
export const byId = (id) => /** @type {ElementById<Id>} */ (document.getElementById(id));

/**
 * A new element with properties, data attributes and children.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Partial<HTMLElementTagNameMap[Name]> & {data?: Record<string, string | number>}} properties
 * @param {(Node | string)[]} children
 */
export function element(name, { data = {}, ...properties } = {}, ...children) {
  const created = Object.assign(document.createElement(name), properties);
  Object.assign(created.dataset, data);
  created.append(...children);
  return created;
}

/**
 * Fills a select or datalist with one option per value.
 *
 * @template {string} Value
 * @param {HTMLElement} select
 * @param {Value[]} values
 * @param {(value: Value) => string} textOf
 */
export function fillOptions(select, values, textOf = (value) => value) {
  select.replaceChildren(
    ...values.map((value) => element("option", { value, textContent: textOf(value) })),
  );
}

/**
 * Opens a modal dialog; resolves to its return value ("" for Escape and Cancel).
 *
 * @param {HTMLDialogElement} dialog
 * @returns {Promise<string>}
 */
export function showDialog(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
  });
}

/**
 * The innermost element around the target of an event, or null.
 *
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function closest({ target }, selector) {
  return /** @type {Element} */ (target).closest(selector);
}
