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
  /** Labels and doubts without the cursor, drawn once for all its moves. */
  #labels = document.createElement("canvas");
  #isStale = true;
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

  /** Draws labels that have changed. */
  draw() {
    this.#isStale = true;
    this.drawCursor();
  }

  /** Draws before the next frame, once for any number of calls. */
  drawCursor() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      if (this.#editor) this.#paint(this.#editor);
    });
  }

  /** @param {Editor} editor */
  #paint(editor) {
    const canvas = this.#canvas;
    const scale = devicePixelRatio;
    const style = getComputedStyle(canvas);
    canvas.width = canvas.clientWidth * scale;
    canvas.height = canvas.clientHeight * scale;
    if (!(canvas.width && canvas.height)) return;
    if (this.#isStale) paintLabels(this.#labels, canvas, editor, style);
    this.#isStale = false;
    const context = canvas.getContext("2d");
    if (!context) return;
    context.drawImage(this.#labels, 0, 0);
    context.fillStyle = style.getPropertyValue("--cursor");
    const blockHeight = canvas.height / Math.max(editor.labels.length, 1);
    const top = editor.selection.cursor * blockHeight - scale;
    context.fillRect(0, top, canvas.width, Math.max(blockHeight, 3 * scale));
  }
}

/**
 * Paints labels, suggestions and doubts in the size of another canvas.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {{width: number, height: number}} size
 * @param {Editor} editor
 * @param {CSSStyleDeclaration} style has the colours
 */
function paintLabels(canvas, { width, height }, editor, style) {
  const { labels, suggestion } = editor;
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  if (!context) return;
  const blockHeight = height / Math.max(labels.length, 1);
  /** @param {Run<string | null>[]} runs */
  const paintBars = (runs) => {
    for (const [letter, [colour, part]] of Object.entries(BARS)) {
      context.fillStyle = style.getPropertyValue(colour);
      for (const [first, last, value] of runs) {
        if (value !== letter) continue;
        const barHeight = Math.max((last - first + 1) * blockHeight, devicePixelRatio);
        context.fillRect(0, first * blockHeight, width * part, barHeight);
      }
    }
  };
  paintBars(labels.runs());
  context.globalAlpha = SUGGESTED_OPACITY;
  paintBars(runsOf(0, labels.length - 1, (block) => editor.suggestedLetter(block)));
  context.globalAlpha = 1;
  context.fillStyle = style.getPropertyValue("--doubt");
  for (const [first, last, degree] of suggestion?.doubts() ?? []) {
    const doubtWidth = width * DOUBT_WIDTH * degree;
    const doubtHeight = (last - first + 1) * blockHeight;
    context.fillRect(width - doubtWidth, first * blockHeight, doubtWidth, doubtHeight);
  }
}
