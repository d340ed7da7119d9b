// The few calls on the document that every part of the bar needs.

export const byId = (id) => document.getElementById(id);

/** A new element with properties, a data set and children. */
export function element(name, { data = {}, ...properties } = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  Object.assign(made.dataset, data);
  made.append(...children);
  return made;
}

/** Fills a select with [value, text] pairs and chooses one. */
export function options(select, pairs, chosen) {
  select.replaceChildren(
    ...pairs.map(([value, text]) => element("option", { value, textContent: text })),
  );
  if (chosen !== undefined) select.value = chosen;
}

/** Opens a dialog; resolves to what closed it ("" for Escape and Cancel). */
export function asked(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => done(dialog.returnValue), { once: true });
  });
}
