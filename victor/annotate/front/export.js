// @ts-check
// The finished pages with their labels, saved as a file by the browser.

import * as api from "./api.js";
import { element } from "./dom.js";
import { messageOf } from "./error_banner.js";
import { count } from "./format.js";
import { showNotice } from "./notice.js";

const FILE = "corpus.zip";
/** Milliseconds after which the browser has taken the file. */
const TAKEN = 60_000;

/** Saves the corpus, and says what it holds. */
export async function saveCorpus() {
  showNotice("Exporting…");
  try {
    const { file, pages, leftOut } = await api.exportCorpus();
    const href = URL.createObjectURL(file);
    element("a", { href, download: FILE }).click();
    setTimeout(() => URL.revokeObjectURL(href), TAKEN);
    const rest = leftOut ? `; ${count(leftOut, "page")} left out, see left-out.txt in it` : "";
    showNotice(`${count(pages, "page")} exported to ${FILE}${rest}`);
  } catch (error) {
    showNotice(`Nothing is exported: ${messageOf(error)}`);
  }
}
