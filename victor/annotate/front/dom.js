// Small helpers on top of the DOM.

export const byId = (id) => document.getElementById(id);

/** A new element with properties, data attributes and children. */
export function element(name, { data = {}, ...properties } = {}, ...children) {
  const created = Object.assign(document.createElement(name), properties);
  Object.assign(created.dataset, data);
  created.append(...children);
  return created;
}

/** Fills a select or datalist with one option per value. */
export function fillOptions(select, values, textOf = (value) => value) {
  select.replaceChildren(
    ...values.map((value) => element("option", { value, textContent: textOf(value) })),
  );
}

/** Opens a modal dialog; resolves to its return value ("" for Escape and Cancel). */
export function showDialog(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
  });
}
