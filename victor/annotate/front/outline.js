// @ts-check
// The frame around pieces of text: one polygon that follows the lines. Independent of the DOM.

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

/**
 * Pieces in the order of the text, as one box for each line.
 *
 * @param {Box[]} rects
 */
function linesOf(rects) {
  /** @type {Box[]} */
  const lines = [];
  for (const { left, top, right, bottom } of rects) {
    if (right <= left || bottom <= top) continue;
    const line = lines.at(-1);
    const shared = line ? Math.min(line.bottom, bottom) - Math.max(line.top, top) : 0;
    if (line && shared > Math.min(line.bottom - line.top, bottom - top) / 2) {
      line.left = Math.min(line.left, left);
      line.right = Math.max(line.right, right);
      line.top = Math.min(line.top, top);
      line.bottom = Math.max(line.bottom, bottom);
    } else {
      lines.push({ left, top, right, bottom });
    }
  }
  return lines;
}

/**
 * Lines that stand below one another, as far as they do.
 *
 * @param {Box[]} lines
 */
function columnsOf(lines) {
  /** @type {Box[][]} */
  const columns = [];
  for (const line of lines) {
    const above = columns.at(-1)?.at(-1);
    const isBelow =
      above && line.top > above.top && line.left < above.right && above.left < line.right;
    if (isBelow) columns.at(-1)?.push(line);
    else columns.push([line]);
  }
  return columns;
}

/**
 * The heights between lines, and those above and below all of them.
 *
 * @param {Box[]} lines
 * @param {number} padding
 */
function bordersOf(lines, padding) {
  const between = lines.slice(1).map((line, index) => (lines[index].bottom + line.top) / 2);
  const bottoms = lines.map((line) => line.bottom);
  return [lines[0].top - padding, ...between, ...bottoms.slice(-1).map((y) => y + padding)];
}

/**
 * Polygons around pieces of text: [[x, y], …] each, down their right side and up their left one.
 *
 * @param {Box[]} rects in the order of the text
 * @param {number} padding between text and frame
 * @returns {[x: number, y: number][][]}
 */
export function outlines(rects, padding) {
  return columnsOf(linesOf(rects)).map((lines) => {
    const borders = bordersOf(lines, padding);
    /** @param {(line: Box) => number} side */
    const pointsAt = (side) =>
      lines.flatMap((line, index) => {
        const ends = [borders[index], borders[index + 1]];
        return ends.map((y) => /** @type {[x: number, y: number]} */ ([side(line), y]));
      });
    const left = pointsAt((line) => line.left - padding);
    return [...pointsAt((line) => line.right + padding), ...left.reverse()];
  });
}
