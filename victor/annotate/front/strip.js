// All blocks of the page as a narrow strip: where labels and doubts are, and where the cursor is.

import { doubt } from "./suggestion.js";

/** Colour and part of the width of each letter that is drawn. */
const BARS = { h: ["--header", 1], t: ["--text", 0.7], "?": ["--unlabelled", 0.4] };

export class Strip {
  #canvas;
  #editor = null;
  #isDue = false;

  /** goTo(block) is called for a click. */
  constructor(canvas, goTo) {
    this.#canvas = canvas;
    canvas.addEventListener("click", (event) => {
      const length = this.#editor?.labels.length;
      if (length) goTo(Math.floor((event.offsetY / canvas.clientHeight) * length));
    });
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  show(editor) {
    this.#editor = editor;
    this.draw();
  }

  /** Draws before the next frame, once for however many changes. */
  draw() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      if (this.#editor) this.#paint(this.#editor);
    });
  }

  #paint({ labels, suggestion, selection }) {
    const canvas = this.#canvas;
    const scale = devicePixelRatio;
    canvas.width = canvas.clientWidth * scale;
    canvas.height = canvas.clientHeight * scale;
    const context = canvas.getContext("2d");
    const height = canvas.height / Math.max(labels.length, 1);
    const style = getComputedStyle(canvas);
    for (const [first, last, letter] of labels.runs()) {
      if (!(letter in BARS)) continue;
      const [colour, part] = BARS[letter];
      context.fillStyle = style.getPropertyValue(colour);
      const tall = Math.max((last - first + 1) * height, scale);
      context.fillRect(0, first * height, canvas.width * part, tall);
    }
    if (suggestion) paintDoubts(context, suggestion, height, style);
    context.fillStyle = style.getPropertyValue("--cursor");
    context.fillRect(0, selection.cursor * height - scale, canvas.width, Math.max(height, 3 * scale));
  }
}

function paintDoubts(context, suggestion, height, style) {
  context.fillStyle = style.getPropertyValue("--doubt");
  const { width } = context.canvas;
  for (const [first, last, degree] of suggestion.doubts()) {
    const part = (width * 0.3 * degree) / 3;
    if (part) context.fillRect(width - part, first * height, part, (last - first + 1) * height);
  }
}
