// @ts-check
// The dialogs that ask for something: who annotates, and whom to compare.

import { byId, fillOptions, showDialog } from "./dom.js";
import { showError } from "./error_banner.js";

/**
 * The name of who annotates; empty if none was given.
 *
 * @param {string[]} annotators whose names are offered
 */
export async function askName(annotators) {
  fillOptions(byId("names"), annotators);
  byId("name").value = localStorage.getItem("annotator") ?? "";
  byId("name").select();
  await showDialog(byId("name-dialog"));
  return byId("name").value.trim();
}

/**
 * The two annotators to compare, or null.
 *
 * @param {string[]} annotators
 * @returns {Promise<[string, string] | null>}
 */
export async function askPair(annotators) {
  if (annotators.length < 2) {
    showError("Nobody else has annotated yet: there is nothing to compare.");
    return null;
  }
  const [a, b] = [byId("compare-a"), byId("compare-b")];
  fillOptions(a, annotators);
  fillOptions(b, annotators);
  b.value = annotators[1];
  return (await showDialog(byId("compare-dialog"))) === "ok" ? [a.value, b.value] : null;
}
