// @ts-check
// Frames around blocks, drawn over the displayed page. They move nothing, take no pointer events,
// and stand in a shadow tree of their own, where the styles of the page do not reach them.

/**
 * @import { Blocks } from "./blocks.js"
 * @import { Range } from "./server_answers.d.ts"
 *
 * @typedef {"hover" | "passage" | "cursor"} Kind
 */

const ELEMENT = "v-frames";
const SVG = "http://www.w3.org/2000/svg";
/** Pixels between the text of a block and the middle of its frame. */
const PADDING = 3;
/**
 * Colour and width of each kind of frame, the last one on top.
 *
 * @type {Record<Kind, [colour: string, width: number]>}
 */
const LOOKS = {
  hover: ["#0072b2", 2],
  passage: ["#c44f00", 2],
  cursor: ["#c44f00", 3],
};
/** Around every frame: it stands out from a page of any colour. */
const HALO = "#fff";

export class Frames {
  #blocks;
  #host;
  /** @type {Map<Kind, SVGPathElement[]>} */
  #paths = new Map();
  /** @type {Map<Kind, Range[]>} */
  #ranges = new Map();
  #isScheduled = false;

  /**
   * @param {Document} page
   * @param {Window & typeof globalThis} window of the page
   * @param {Blocks} blocks
   */
  constructor(page, window, blocks) {
    this.#blocks = blocks;
    this.#host = page.createElement(ELEMENT);
    this.#host.setAttribute("aria-hidden", "true");
    const drawing = page.createElementNS(SVG, "svg");
    drawing.setAttribute("style", "position: absolute; overflow: visible; width: 1px; height: 1px");
    this.#host.attachShadow({ mode: "open" }).append(drawing);
    for (const kind of /** @type {Kind[]} */ (Object.keys(LOOKS))) {
      this.#paths.set(kind, pathsOf(drawing, kind));
    }
    page.documentElement.append(this.#host);
    const schedule = () => this.#schedule();
    page.addEventListener("scroll", schedule, { capture: true, passive: true });
    new window.ResizeObserver(schedule).observe(page.documentElement);
    if (page.body) new window.ResizeObserver(schedule).observe(page.body);
  }

  /**
   * Draws the frames of a kind around each block of some ranges, in place of those before.
   *
   * @param {Kind} kind
   * @param {Range[]} ranges
   */
  show(kind, ranges) {
    if (String(ranges) === String(this.#ranges.get(kind) ?? [])) return;
    this.#ranges.set(kind, ranges);
    this.#draw(kind);
  }

  redraw() {
    for (const kind of this.#ranges.keys()) this.#draw(kind);
  }

  /** Draws everything anew before the next frame, once for any number of calls. */
  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      this.redraw();
    });
  }

  /** @param {Kind} kind */
  #draw(kind) {
    const origin = this.#host.getBoundingClientRect();
    const shapes = [];
    for (const [first, last] of this.#ranges.get(kind) ?? []) {
      for (let block = first; block <= last; block++) shapes.push(this.#shapeOf(block, origin));
    }
    for (const path of this.#paths.get(kind) ?? []) path.setAttribute("d", shapes.join(""));
  }

  /**
   * One box around all pieces of a block.
   *
   * @param {number} block
   * @param {DOMRect} origin
   */
  #shapeOf(block, origin) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const piece of this.#blocks.elements(block)) {
      const box = piece.getBoundingClientRect();
      if (!(box.width && box.height)) continue;
      [left, top] = [Math.min(left, box.left), Math.min(top, box.top)];
      [right, bottom] = [Math.max(right, box.right), Math.max(bottom, box.bottom)];
    }
    if (left > right) return "";
    const [x1, x2] = [left - PADDING, right + PADDING].map((x) => round(x - origin.left));
    const [y1, y2] = [top - PADDING, bottom + PADDING].map((y) => round(y - origin.top));
    return `M${x1} ${y1}H${x2}V${y2}H${x1}Z`;
  }
}

/** @param {number} number */
const round = (number) => Math.round(number * 2) / 2;

/**
 * The paths of a kind of frames: a halo, and the frame itself over it.
 *
 * @param {SVGElement} drawing
 * @param {Kind} kind
 */
function pathsOf(drawing, kind) {
  const [colour, width] = LOOKS[kind];
  const looks = [
    { stroke: HALO, "stroke-width": width + 2, "stroke-opacity": 0.8 },
    { stroke: colour, "stroke-width": width, "data-kind": kind },
  ];
  return looks.map((look) => {
    const path = drawing.ownerDocument.createElementNS(SVG, "path");
    const attributes = { fill: "none", "stroke-linejoin": "round", d: "", ...look };
    for (const [name, value] of Object.entries(attributes)) path.setAttribute(name, String(value));
    drawing.append(path);
    return path;
  });
}
