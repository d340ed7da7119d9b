// @ts-check
// A narrow strip that shows the whole page: its labels, the labeler's doubts and the cursor.

import { runsOf } from "./labels.js";

/**
 * @import { Editor } from "./editor.js"
 * @import { Run } from "./server_answers.d.ts"
 */

/**
 * The colour of each drawn letter, and the part of the width its bar takes.
 *
 * @type {Record<string, [colour: string, part: number]>}
 */
const BARS = { h: ["--header", 1], t: ["--text", 0.7], "?": ["--unlabelled", 0.4] };
/** The part of the width that each degree of doubt takes. */
const DOUBT_WIDTH = 0.1;
const SUGGESTED_OPACITY = 0.45;

export class BlockOverview {
  #canvas;
  /** @type {Editor | null} */
  #editor = null;
  #isScheduled = false;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {(block: number) => void} goTo called when the strip is clicked
   */
  constructor(canvas, goTo) {
    this.#canvas = canvas;
    canvas.addEventListener("click", (event) => {
      const length = this.#editor?.labels.length;
      if (length) goTo(Math.floor((event.offsetY / canvas.clientHeight) * length));
    });
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** @param {Editor} editor */
  show(editor) {
    this.#editor = editor;
    this.draw();
  }

  /** Draws before the next frame, once for any number of calls. */
  draw() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      if (this.#editor) this.#paint(this.#editor);
    });
  }

  /** @param {Editor} editor */
  #paint(editor) {
    const { labels, suggestion, selection } = editor;
    const canvas = this.#canvas;
    const scale = devicePixelRatio;
    canvas.width = canvas.clientWidth * scale;
    canvas.height = canvas.clientHeight * scale;
    const blockHeight = canvas.height / Math.max(labels.length, 1);
    const style = getComputedStyle(canvas);
    const context = canvas.getContext("2d");
    if (!context) return;
    /** @param {Run<string | null>[]} runs */
    const drawBars = (runs) => {
      for (const [first, last, letter] of runs) {
        if (letter === null || !(letter in BARS)) continue;
        const [colour, part] = BARS[letter];
        context.fillStyle = style.getPropertyValue(colour);
        const height = Math.max((last - first + 1) * blockHeight, scale);
        context.fillRect(0, first * blockHeight, canvas.width * part, height);
      }
    };
    drawBars(labels.runs());
    context.globalAlpha = SUGGESTED_OPACITY;
    drawBars(runsOf(0, labels.length - 1, (block) => editor.suggestedLetter(block)));
    context.globalAlpha = 1;
    context.fillStyle = style.getPropertyValue("--doubt");
    for (const [first, last, degree] of suggestion?.doubts() ?? []) {
      const width = canvas.width * DOUBT_WIDTH * degree;
      const height = (last - first + 1) * blockHeight;
      context.fillRect(canvas.width - width, first * blockHeight, width, height);
    }
    context.fillStyle = style.getPropertyValue("--cursor");
    const top = selection.cursor * blockHeight - scale;
    context.fillRect(0, top, canvas.width, Math.max(blockHeight, 3 * scale));
  }
}
