// @ts-check
// The dialogs: who annotates, and the help with keys and guidelines.

import * as api from "./api.js";
import { byId, closest, fillOptions, showDialog } from "./dom.js";
import { messageOf } from "./error_banner.js";
import { fillHelp } from "./keys.js";

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

/** Fills the help; the guidelines come when it is first opened. */
export function prepareHelp() {
  fillHelp();
  byId("help-dialog").addEventListener("click", (event) => {
    const section = closest(event, "[data-section]")?.dataset.section;
    if (section) showSection(byId(section));
  });
}

/** @param {HTMLElement} heading */
function showSection(heading) {
  heading.scrollIntoView({ block: "start" });
  heading.focus({ preventScroll: true });
}

/** Opens the help at its top. */
export async function openHelp() {
  byId("help-dialog").showModal();
  byId("help-body").scrollTop = 0;
  if (byId("guidelines").hasChildNodes()) return;
  try {
    const { html } = await api.guidelines();
    // The server has made it harmless; a document that is parsed so runs no script anyway.
    const { body } = new DOMParser().parseFromString(html, "text/html");
    byId("guidelines").replaceChildren(...body.childNodes);
  } catch (error) {
    byId("guidelines").textContent = `They cannot be shown: ${messageOf(error)}`;
  }
}
