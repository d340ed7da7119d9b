// @ts-check
// One quiet line over the page: what a command has just done. The next action takes it away.

import { byId } from "./dom.js";

/** @param {string} message */
export function showNotice(message) {
  byId("notice").textContent = message;
}

export function hideNotice() {
  showNotice("");
}
