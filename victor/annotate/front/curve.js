// @ts-check
// What adapting gained, by the number of pages labelled: a line for each of two models.

import { element } from "./dom.js";

/** @import { CurvePoint } from "./server_answers.d.ts" */

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [440, 150];
/** Room for the numbers at the left and below. */
const [LEFT, BELOW, MARGIN] = [44, 20, 8];
/** The least range of scores that is shown: smaller differences are no news. */
const LEAST_RANGE = 0.02;

/**
 * Points in pixels of each line, and the lowest and highest score shown.
 *
 * @param {CurvePoint[]} curve in the order of time
 */
export function linesOf(curve) {
  const scores = curve.flatMap(([, before, after]) => [before, after]);
  const [lowest, highest] = [Math.min(...scores), Math.max(...scores)];
  const middle = (lowest + highest) / 2;
  const half = Math.max(highest - lowest, LEAST_RANGE) / 2;
  const counts = curve.map(([pages]) => pages);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  /** @param {number} pages */
  const x = (pages) =>
    LEFT + ((WIDTH - LEFT - MARGIN) * (pages - fewest)) / Math.max(most - fewest, 1);
  /** @param {number} score */
  const y = (score) => MARGIN + (HEIGHT - BELOW - MARGIN) * ((middle + half - score) / (2 * half));
  return {
    before: curve.map(([pages, before]) => [x(pages), y(before)]),
    after: curve.map(([pages, , after]) => [x(pages), y(after)]),
    scores: [middle - half, middle + half],
    pages: [fewest, most],
  };
}

/**
 * Draws the curve into a figure; with fewer than two points there is none.
 *
 * @param {HTMLElement} figure
 * @param {CurvePoint[]} curve
 * @param {string} base name of the model that came in
 */
export function showCurve(figure, curve, base) {
  const last = curve.at(-1);
  figure.hidden = !last || curve.length < 2;
  if (!last || figure.hidden) return;
  const { before, after, scores, pages } = linesOf(curve);
  const drawing = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  const [nPages, scoreBefore, scoreAfter] = last;
  drawing.setAttribute(
    "aria-label",
    `Expected word F after ${nPages} pages: ${scoreBefore.toFixed(3)} before, ${scoreAfter.toFixed(3)} after`,
  );
  drawing.append(
    line("before", before),
    line("after", after),
    ...after.map(([cx, cy]) => shape("circle", { cx, cy, r: 3 })),
    label(LEFT - 6, MARGIN + 8, scores[1].toFixed(3), "end"),
    label(LEFT - 6, HEIGHT - BELOW, scores[0].toFixed(3), "end"),
    label(LEFT, HEIGHT - 4, `${pages[0]} pages`, "start"),
    label(WIDTH - MARGIN, HEIGHT - 4, `${pages[1]} pages`, "end"),
  );
  const caption = element("figcaption", {
    textContent: `Expected word F by pages labelled: adapted (solid), ${base} (dashed)`,
  });
  figure.replaceChildren(drawing, caption);
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, `${value}`);
  return made;
}

/**
 * @param {string} kind
 * @param {number[][]} points
 */
const line = (kind, points) => shape("polyline", { class: kind, points: points.join(" ") });

/**
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {string} anchor
 */
function label(x, y, text, anchor) {
  const made = shape("text", { x, y, "text-anchor": anchor });
  made.textContent = text;
  return made;
}
