// @ts-check
// Adjudication of two annotators on the open page: where they differ, and what is decided there.

import { byId, closest, element } from "./dom.js";
import { blockRange, count, LABEL_NAMES, truncate } from "./format.js";

/**
 * @import { Editor } from "./editor.js"
 * @import { Differences, Letter, Range, Run } from "./server_answers.d.ts"
 * @import { View } from "./view.js"
 */

const LONGEST_TEXT = 90;

export class Adjudication {
  #editor;
  #view;
  #differences;
  #isDecided;
  #summary = element("p", { role: "status" });
  #list = element("ol", { className: "list" });

  /**
   * @param {object} options
   * @param {Differences} options.differences
   * @param {Editor} options.editor holds the adjudicator's labels
   * @param {View} options.view
   * @param {() => void} options.close
   */
  constructor({ differences, editor, view, close }) {
    this.#editor = editor;
    this.#view = view;
    this.#differences = differences;
    this.#isDecided = differences.ranges.map(() => false);
    this.#build(close);
    this.#update();
  }

  get #nUndecided() {
    return this.#isDecided.filter((isDecided) => !isDecided).length;
  }

  /** @param {() => void} close */
  #build(close) {
    const { a, b, kappa, ranges } = this.#differences;
    this.#list.append(...ranges.map((range, index) => this.#itemOf(range, index)));
    this.#list.addEventListener("click", (event) => this.#press(closest(event, "button")));
    byId("differences").replaceChildren(
      element("h2", { textContent: `${a} and ${b}` }),
      element("p", { textContent: `Cohen's kappa ${kappa?.toFixed(3) ?? "not defined"}` }),
      this.#summary,
      this.#list,
      element("button", { textContent: "Back to my labels", onclick: close }),
    );
    byId("differences").hidden = false;
  }

  /**
   * @param {Differences["ranges"][number]} range
   * @param {number} index
   */
  #itemOf([first, last, letterA, letterB], index) {
    const { a, b } = this.#differences;
    /**
     * @param {string} annotator
     * @param {Letter} letter
     */
    const choice = (annotator, letter) =>
      element("button", {
        textContent: `${annotator}: ${LABEL_NAMES[letter]}`,
        data: { index, letter },
      });
    const textContent = `Block ${blockRange(first, last)}`;
    return element(
      "li",
      {},
      element("button", { textContent, title: "Show", data: { index } }),
      element("q", { textContent: truncate(this.#view.text(first), LONGEST_TEXT) }),
      choice(a, letterA),
      " ",
      choice(b, letterB),
    );
  }

  /** @param {HTMLElement | null} button */
  #press(button) {
    if (!button) return;
    const letter = /** @type {Letter | undefined} */ (button.dataset.letter);
    const index = Number(button.dataset.index);
    const [first, last] = this.#differences.ranges[index];
    this.#editor.goTo(first);
    if (letter) {
      this.#editor.mark(first, last, letter);
      this.#decide([index]);
    }
  }

  /**
   * Runs of labels changed: the differences they touch are decided.
   *
   * @param {Run[]} runs
   */
  labelsChanged(runs) {
    const indexes = [...this.#differences.ranges.keys()];
    this.#decide(
      indexes.filter((index) => {
        const [first, last] = this.#differences.ranges[index];
        return runs.some(([from, to]) => from <= last && to >= first);
      }),
    );
  }

  /** @param {number[]} indexes */
  #decide(indexes) {
    const wasOpen = this.#nUndecided > 0;
    for (const index of indexes) this.#isDecided[index] = true;
    if (wasOpen && !this.#nUndecided) this.#editor.setState("done");
    this.#update();
  }

  goToUndecided() {
    const index = this.#isDecided.indexOf(false);
    if (index >= 0) this.#editor.goTo(this.#differences.ranges[index][0]);
  }

  #update() {
    /**
     * @param {boolean} isDecided
     * @returns {Range[]}
     */
    const those = (isDecided) =>
      this.#differences.ranges
        .filter((_, index) => this.#isDecided[index] === isDecided)
        .map(([first, last]) => [first, last]);
    this.#view.drawDifferences(those(false), those(true));
    this.#summary.textContent = this.#nUndecided
      ? `${count(this.#nUndecided, "difference")} to decide (U goes to the next)`
      : "All differences are decided";
    for (const [index, item] of [...this.#list.children].entries()) this.#updateItem(item, index);
  }

  /**
   * @param {Element} item
   * @param {number} index
   */
  #updateItem(item, index) {
    const isDecided = this.#isDecided[index];
    item.toggleAttribute("data-decided", isDecided);
    const letter = this.#editor.labels.letter(this.#differences.ranges[index][0]);
    const buttons = item.querySelectorAll("[data-letter]");
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (buttons)) {
      button.ariaPressed = `${isDecided && button.dataset.letter === letter}`;
    }
  }
}
