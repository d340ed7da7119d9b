// Where two annotators differ on the open page, and the decision about each place.

import { byId, element } from "./dom.js";
import { LABELS, blocks, count, cut } from "./words.js";

const LONGEST = 90;

export class Adjudication {
  #editor;
  #view;
  #found;
  #decided;

  /** found: what the server says of differences; editor: of the adjudicator's own labels. */
  constructor({ found, editor, view, close }) {
    this.#editor = editor;
    this.#view = view;
    this.#found = found;
    this.#decided = found.ranges.map(() => false);
    this.close = close;
    view.tag("data-d", found.ranges.map(([first, last]) => [first, last, ""]));
    this.#build();
    this.#draw();
  }

  #build() {
    const panel = byId("differences");
    const { a, b, kappa } = this.#found;
    this.summary = element("p", { role: "status" });
    this.list = element("ol", { className: "list" });
    this.list.append(...this.#found.ranges.map((range, place) => this.#item(range, place)));
    this.list.addEventListener("click", (event) => this.#press(event.target.closest("button")));
    const finish = element("button", { textContent: "Back to my labels", onclick: this.close });
    panel.replaceChildren(
      element("h2", { textContent: `${a} and ${b}` }),
      element("p", { textContent: `Cohen's kappa ${figure(kappa)}` }),
      this.summary, this.list, finish,
    );
    panel.hidden = false;
  }

  #item([first, last, one, other], place) {
    const text = cut(this.#view.blocks.text(first), LONGEST);
    const choice = (name, letter) => element("button", {
      textContent: `${name}: ${LABELS[letter]}`, data: { place, letter },
    });
    return element("li", {},
      element("button", { textContent: `Block ${blocks(first, last)}`, title: "Show", data: { place } }),
      element("q", { textContent: text }),
      choice(this.#found.a, one), " ", choice(this.#found.b, other));
  }

  #press(button) {
    if (!button) return;
    const place = Number(button.dataset.place);
    const [first, last] = this.#found.ranges[place];
    this.#editor.goTo(first);
    if (!button.dataset.letter) return;
    this.#editor.mark(first, last, button.dataset.letter);
    this.#decide(place);
  }

  /** The adjudicator labelled blocks by hand. */
  heard(runs) {
    this.#found.ranges.forEach(([first, last], place) => {
      if (runs.some(([from, to]) => from <= last && to >= first)) this.#decide(place);
    });
  }

  #decide(place) {
    const [first, last] = this.#found.ranges[place];
    this.#view.tag("data-d", [[first, last, "done"]]);
    const isLast = !this.#decided[place] && this.#decided.filter((is) => !is).length === 1;
    this.#decided[place] = true;
    if (isLast) this.#editor.setState("done");
    this.#draw();
  }

  /** The next place that waits for a decision. */
  next() {
    const place = this.#decided.indexOf(false);
    if (place >= 0) this.#editor.goTo(this.#found.ranges[place][0]);
  }

  #draw() {
    const left = this.#decided.filter((is) => !is).length;
    this.summary.textContent = left
      ? `${count(left, "difference")} to decide (U goes to the next)`
      : "All differences are decided";
    [...this.list.children].forEach((item, place) => this.#drawItem(item, place));
  }

  #drawItem(item, place) {
    item.toggleAttribute("data-decided", this.#decided[place]);
    const now = this.#editor.labels.letter(this.#found.ranges[place][0]);
    for (const button of item.querySelectorAll("[data-letter]")) {
      const isChosen = this.#decided[place] && button.dataset.letter === now;
      button.setAttribute("aria-pressed", String(isChosen));
    }
  }
}

function figure(kappa) {
  const value = typeof kappa === "object" && kappa !== null ? kappa.overall : kappa;
  return typeof value === "number" ? value.toFixed(3) : "not defined";
}
