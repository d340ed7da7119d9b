// One open page: what is done to its labels is drawn, remembered and sent.

import { Clock } from "./clock.js";
import { Labels, UNMARKED } from "./labels.js";
import { Painter } from "./painter.js";
import { point } from "./pointing.js";
import { Selection } from "./selection.js";
import { Suggestion } from "./suggestion.js";

export class Editor {
  #clock = new Clock();
  #view;
  #strip;
  #tell;
  #painter;

  /** saving: where changes go; chosen(): the letter to give; tell(runs): hears of every change. */
  constructor({ page, view, strip, saving, chosen, tell }) {
    this.page = page;
    this.saving = saving;
    this.chosen = chosen;
    this.labels = new Labels(page.labels);
    this.selection = new Selection(this.labels.length);
    this.suggestion = page.suggestion && new Suggestion(page.suggestion);
    this.#view = view;
    this.#strip = strip;
    this.#tell = tell;
    this.#painter = new Painter((first, last) => this.#draw(first, last));
  }

  /** Draws everything and begins to listen to the pointer. */
  show() {
    this.#listen();
    this.#paint([this.#all]);
    this.#drawSelection();
    this.#strip.show(this);
  }

  /** The page is left. */
  close() {
    this.#painter.stop();
  }

  get #all() {
    return [0, this.labels.length - 1];
  }

  #paint(ranges) {
    this.#painter.paint(ranges, this.selection.cursor);
  }

  #draw(first, last) {
    const runs = this.labels.runs(first, last);
    this.#view.tag("data-l", valued(runs, UNMARKED));
    if (!this.suggestion) return;
    this.#view.tag("data-s", valued(this.suggestion.labels.runs(first, last), UNMARKED));
    this.#view.tag("data-c", valued(this.suggestion.doubts(first, last), 0));
  }

  /** A labeler's suggestion came later than the page. */
  suggest(suggestion) {
    this.suggestion = new Suggestion(suggestion);
    this.#paint([this.#all]);
    this.#drawSelection();
  }

  #drawSelection() {
    const { range, cursor, anchor } = this.selection;
    this.#view.select(range, cursor, anchor !== null);
    this.#strip.draw();
    this.#tell([]);
  }

  #listen() {
    const { selection } = this;
    point(this.#view.shown, this.#view.blocks, {
      click: (block, extend) => this.#give(selection.click(block, extend), this.chosen()),
      drag: (from, to, isOver) => this.#drag(from, to, isOver),
      hover: (block) => this.#hover(block),
    });
    this.#view.shown.addEventListener("pointermove", () => this.#clock.tick());
  }

  #drag(from, to, isOver) {
    this.selection.drop();
    this.selection.click(from, false);
    this.selection.cursor = to;
    this.selection.reach(to);
    if (isOver) this.#give(this.selection.take(), this.chosen());
    else this.#drawSelection();
  }

  #hover(block) {
    if (this.selection.anchor === null) return;
    this.selection.reach(block);
    this.#drawSelection();
  }

  /** Labels a range, if there is one, and draws the selection. */
  #give(range, letter) {
    if (range) {
      this.suggestion?.settle(...range);
      this.#changed(this.labels.mark(...range, letter));
      this.#paint([range]); // doubts go even where the label was right
    }
    this.#drawSelection();
  }

  #changed(runs) {
    this.#paint(runs);
    if (runs.length) this.saving.add({ changes: runs, seconds: this.#clock.take() });
    this.#strip.draw();
    this.#tell(runs);
  }

  /** Labels what the keyboard selected and goes on to the next block. */
  label(letter = this.chosen()) {
    if (!this.labels.length) return;
    const range = this.selection.take();
    this.#give(range, letter);
    this.selection.go(range[1] + 1);
    this.#look();
  }

  /** Labels a given range, wherever the cursor is. */
  mark(first, last, letter) {
    this.#give([first, last], letter);
  }

  move(step, extend) {
    this.selection.move(step, extend);
    this.#look();
  }

  goTo(block) {
    this.selection.drop();
    this.selection.go(block);
    this.#look();
  }

  drop() {
    this.selection.drop();
    this.#drawSelection();
  }

  #look() {
    this.#clock.tick();
    if (this.labels.length) this.#view.reveal(this.selection.cursor);
    this.#drawSelection();
  }

  undo() {
    this.#changed(this.labels.undo());
  }

  redo() {
    this.#changed(this.labels.redo());
  }

  clear() {
    this.#changed(this.labels.mark(0, this.labels.length - 1, UNMARKED));
  }

  assign(letters) {
    this.#changed(this.labels.assign(letters));
  }

  accept() {
    if (this.suggestion) this.assign(this.suggestion.labels.letters());
  }

  goToLeastCertain() {
    const block = this.suggestion?.leastCertain() ?? null;
    if (block !== null) this.goTo(block);
  }

  setState(state) {
    this.page.state = state;
    this.saving.add({ changes: [], state, seconds: this.#clock.take() });
    this.#tell([]);
  }

  /** Another tab was faster: its labels, and on them what is unsaved here, or not. */
  rebase(theirs, keepsMine) {
    const mine = keepsMine ? this.saving.unsaved : [];
    this.labels = new Labels(theirs.labels);
    for (const run of mine) this.labels.mark(...run);
    this.#paint([this.#all]);
    if (!keepsMine) this.saving.abandon();
    this.saving.resume(theirs.revision);
    this.#strip.draw();
    this.#tell([]);
  }
}

/** Runs with null for the one value that is not drawn. */
function valued(runs, unseen) {
  return runs.map(([first, last, value]) => [first, last, value === unseen ? null : value]);
}
