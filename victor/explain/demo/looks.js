// @ts-check
/** The page as it looks, in a frame without scripts, its blocks coloured. */
import { byId } from "./dom.js";
import { PageView } from "./page_view.js";

/** Elements around the texts of blocks; pages have none of this name. */
const MARKER = "v-b[data-v]";
const STYLE = `@layer demo {
  html, body { visibility: visible !important; opacity: 1 !important; height: auto !important; }
  v-b { display: inline !important; cursor: pointer !important; box-decoration-break: clone !important;
    text-decoration: underline dotted 1.5px #7d828a !important; }
  v-b.kept { background: rgb(86 180 233 / .38) !important; text-decoration: none !important; }
  v-b.kept.header { background: rgb(230 159 0 / .45) !important; }
  v-b.chosen { outline: 2px solid #1d1f23 !important; outline-offset: 1px !important; }
}`;
/** For pages whose own style sheets are missing. */
const PLAIN = `@layer plain {
  body { max-width: 46rem; margin: 1.5rem auto; padding: 0 1.5rem; color: #222;
    font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: break-word; }
  img { max-width: 100%; height: auto; }
}`;
/** The style sheet that every page has: that of renamed elements. */
const OURS = 1;
/** Pixels of the narrowest screen that a page is laid out for. */
const NARROWEST = 800;
/** A wider frame may move what stood at its edge; after so many times nothing does. */
const PASSES = 3;
/** Pixels beside the page in its column. */
const PADDING = 38;

/**
 * Load the page into a frame below the blocks; null where the browser lets nobody look into it.
 *
 * @param {string} markup
 * @returns {Promise<HTMLIFrameElement | null>}
 */
async function load(markup) {
  const frame = document.createElement("iframe");
  frame.id = "looks";
  frame.title = "The page as it looks";
  frame.setAttribute("sandbox", "allow-same-origin");
  frame.srcdoc = markup;
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
  byId("blocks").after(frame);
  await loaded;
  if (frame.contentDocument?.body) return frame;
  frame.remove();
  return null;
}

/**
 * Lay the page out as on a screen and make it as small as its column.
 *
 * @param {HTMLIFrameElement} frame
 * @param {Document} page
 */
function layOut(frame, page) {
  const column = byId("page").clientWidth - PADDING;
  let width = NARROWEST;
  for (let passes = 0; passes < PASSES; passes++) {
    frame.style.width = `${width}px`;
    width = Math.max(page.documentElement.scrollWidth, width);
  }
  const height = page.documentElement.scrollHeight;
  const scale = Math.min(column / width, 1);
  frame.style.height = `${height}px`;
  frame.style.transform = `scale(${scale})`;
  frame.style.margin = `0 ${(scale - 1) * width}px ${(scale - 1) * height}px 0`;
}

/** @param {HTMLIFrameElement} frame */
function dress(frame) {
  const page = /** @type {Document} */ (frame.contentDocument);
  const lacksStyles = page.styleSheets.length <= OURS;
  const style = page.createElement("style");
  style.textContent = lacksStyles ? STYLE + PLAIN : STYLE;
  page.head.append(style);
  layOut(frame, page);
  addEventListener("resize", () => layOut(frame, page));
}

/**
 * Show the page as it looks; null where it cannot be shown.
 *
 * @param {string} markup
 * @param {import("./positions.js").Kept} kept
 * @returns {Promise<PageView | null>}
 */
export async function looksOf(markup, kept) {
  const frame = await load(markup);
  const body = frame?.contentDocument?.body;
  if (!(frame && body)) return null;
  dress(frame);
  return new PageView(byId("page"), body, kept, MARKER);
}

/**
 * The block that something in the frame belongs to, -1 for none.
 *
 * @param {EventTarget | null} target
 */
export function blockInLooks(target) {
  const part = /** @type {Element | null} */ (target)?.closest?.(MARKER);
  return part ? Number(part.getAttribute("data-v")) : -1;
}
