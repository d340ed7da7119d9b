// Small helpers on top of the DOM.

export const byId = (id) => document.getElementById(id);

/** A new element with properties, data attributes and children. */
export function element(name, { data = {}, ...properties } = {}, ...children) {
  const created = Object.assign(document.createElement(name), properties);
  Object.assign(created.dataset, data);
  created.append(...children);
  return created;
}

/** Fills a select or datalist with [value, text] pairs and selects one. */
export function fillOptions(select, pairs, selected) {
  select.replaceChildren(
    ...pairs.map(([value, text]) => element("option", { value, textContent: text })),
  );
  if (selected !== undefined) select.value = selected;
}

/** Opens a modal dialog; resolves to its return value ("" for Escape and Cancel). */
export function showDialog(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
  });
}
