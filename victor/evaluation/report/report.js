// @ts-check
// Shows threshold, precision, recall and F1 of the curve point nearest to the pointer; arrow keys
// move along the focused curve.

/**
 * One curve: parallel arrays, a value for each threshold.
 *
 * @typedef {object} Line
 * @property {string} system
 * @property {number[]} threshold
 * @property {number[]} precision
 * @property {number[]} recall
 * @property {number[]} f1
 *
 * @typedef {{line: number, point: number}} Place the indices of a curve and of a point on it
 * @typedef {ReturnType<typeof frameOf>} Frame
 */

const VIEW = { width: 640, height: 520 };
const PAGE_STEP = 20;

/**
 * Coordinates of a plot whose axes run from low to 1.
 *
 * @param {string} data "left top width height low"
 */
export function frameOf(data) {
  const [left, top, width, height, low] = data.split(" ").map(Number);
  return {
    /** @param {number} recall */
    x: (recall) => left + ((recall - low) / (1 - low)) * width,
    /** @param {number} precision */
    y: (precision) => top + ((1 - precision) / (1 - low)) * height,
    /** @param {Line} line @param {number} point */
    contains: (line, point) => Math.min(line.recall[point], line.precision[point]) >= low,
  };
}

/**
 * The visible point nearest to a position, or null.
 *
 * @param {Line[]} lines
 * @param {Frame} frame
 * @param {number} x
 * @param {number} y
 * @returns {Place | null}
 */
export function nearest(lines, frame, x, y) {
  let best = null;
  let shortest = Number.POSITIVE_INFINITY;
  for (const [index, line] of lines.entries()) {
    for (const [point, recall] of line.recall.entries()) {
      const distance = Math.hypot(frame.x(recall) - x, frame.y(line.precision[point]) - y);
      if (distance < shortest && frame.contains(line, point)) {
        best = { line: index, point };
        shortest = distance;
      }
    }
  }
  return best;
}

/**
 * What the box beside the curve says of a point, line by line.
 *
 * @param {Line} line
 * @param {number} point
 */
export function describe(line, point) {
  return [
    line.system,
    `threshold ${line.threshold[point].toFixed(4)}`,
    `precision ${line.precision[point].toFixed(4)}`,
    `recall ${line.recall[point].toFixed(4)}`,
    `F ${line.f1[point].toFixed(4)}`,
  ];
}

/**
 * The point with the best F of the first curve.
 *
 * @param {Line[]} lines
 * @returns {Place}
 */
export function bestOf([{ f1 }]) {
  return { line: 0, point: f1.indexOf(Math.max(...f1)) };
}

/**
 * The point some steps along the same curve, or the end of the curve.
 *
 * @param {Line[]} lines
 * @param {Place} position
 * @param {number} step
 * @returns {Place}
 */
export function movePoint(lines, { line, point }, step) {
  const last = lines[line].recall.length - 1;
  return { line, point: Math.min(Math.max(point + step, 0), last) };
}

/**
 * Another curve, at the same threshold or the next higher one.
 *
 * @param {Line[]} lines
 * @param {Place} position
 * @param {number} step
 * @returns {Place}
 */
export function moveLine(lines, position, step) {
  const threshold = lines[position.line].threshold[position.point];
  const line = (position.line + step + lines.length) % lines.length;
  const point = lines[line].threshold.findIndex((value) => value >= threshold);
  return { line, point: Math.max(point, 0) };
}

/** @type {Record<string, (lines: Line[], position: Place) => Place>} */
const KEYS = {
  ArrowRight: (lines, position) => movePoint(lines, position, 1),
  ArrowLeft: (lines, position) => movePoint(lines, position, -1),
  PageUp: (lines, position) => movePoint(lines, position, PAGE_STEP),
  PageDown: (lines, position) => movePoint(lines, position, -PAGE_STEP),
  Home: (lines, position) => movePoint(lines, position, -Infinity),
  End: (lines, position) => movePoint(lines, position, Infinity),
  ArrowUp: (lines, position) => moveLine(lines, position, -1),
  ArrowDown: (lines, position) => moveLine(lines, position, 1),
};

/**
 * @param {SVGSVGElement} svg
 * @param {Line[]} lines
 */
function makeInteractive(svg, lines) {
  const frame = frameOf(svg.dataset.frame ?? "");
  const cursor = /** @type {Element} */ (svg.querySelector(".cursor"));
  const readout = /** @type {Element} */ (svg.parentElement?.querySelector(".readout"));
  let current = bestOf(lines);

  /** @param {Place} position */
  function show(position) {
    current = position;
    const { point } = position;
    const line = lines[position.line];
    const description = describe(line, point);
    cursor.setAttribute("cx", `${frame.x(line.recall[point])}`);
    cursor.setAttribute("cy", `${frame.y(line.precision[point])}`);
    cursor.setAttribute("visibility", frame.contains(line, point) ? "visible" : "hidden");
    readout.textContent = description.join("\n");
    svg.setAttribute("aria-valuenow", `${line.threshold[point]}`);
    svg.setAttribute("aria-valuetext", description.join(", "));
  }

  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * VIEW.width;
    const y = ((event.clientY - box.top) / box.height) * VIEW.height;
    const position = nearest(lines, frame, x, y);
    if (position) show(position);
  });
  svg.addEventListener("focus", () => show(current));
  svg.addEventListener("keydown", (event) => {
    if (!(event.key in KEYS)) return;
    event.preventDefault();
    show(KEYS[event.key](lines, current));
  });
}

/** Makes the plots of the report answer to the pointer and to keys. */
function start() {
  const data = document.getElementById("curves")?.textContent ?? "{}";
  /** @type {Record<string, Line[]>} */
  const curves = JSON.parse(data);
  for (const svg of /** @type {NodeListOf<SVGSVGElement>} */ (
    document.querySelectorAll("svg.curve")
  )) {
    makeInteractive(svg, curves[svg.dataset.measure ?? ""]);
  }
}

// The tests import the functions above without a page.
if (globalThis.document) start();
