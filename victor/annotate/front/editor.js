// @ts-check
// One open page: every change of its labels is drawn, kept for undo and sent to the server.

import { listenToPointer } from "./blocks.js";
import { LABEL_NAMES } from "./dom.js";
import { Labels, runsOf, Selection, Suggestion, UNMARKED } from "./labels.js";
import { showNotice } from "./status.js";

/**
 * @import { Saving } from "./saving.js"
 * @import { Letter, Page, Range, Run, State, StoredLabels, SuggestedLabels } from "./types.d.ts"
 * @import { View } from "./view.js"
 */

export const LETTERS = /** @type {Letter[]} */ (Object.keys(LABEL_NAMES));

export class Editor {
  #view;
  #onChange;

  /**
   * @param {object} options
   * @param {Page} options.page
   * @param {View} options.view
   * @param {Saving} options.saving takes the changes
   * @param {() => Letter} options.chosenLetter the label to give
   * @param {(runs: Run[]) => void} options.onChange called with the runs that changed, or with none
   *   when something else did
   */
  constructor({ page, view, saving, chosenLetter, onChange }) {
    this.page = page;
    this.saving = saving;
    this.chosenLetter = chosenLetter;
    this.labels = new Labels(page.labels, page.decided);
    this.selection = new Selection(this.labels.length);
    this.suggestion = page.suggestion && new Suggestion(page.suggestion);
    this.#view = view;
    this.#onChange = onChange;
  }

  /** Draws everything and starts to listen to the pointer. */
  open() {
    const { selection } = this;
    listenToPointer(this.#view.page, this.#view.blocks, {
      click: (block, hasShift) => {
        this.#view.drawHover(null);
        this.#labelRange(selection.click(block, hasShift));
      },
      drag: (from, to, isFinished) => this.#drag(from, to, isFinished),
      hover: (block) => this.#hover(block),
    });
    this.#begin();
    this.#drawAll();
  }

  /** Starts at the first block to keep that the page displays. */
  #begin() {
    for (const [first, last, letter] of runsOf(0, this.labels.length - 1, (n) => this.letter(n))) {
      for (let block = first; letter !== UNMARKED && block <= last; block++) {
        if (!this.#view.isVisible(block)) continue;
        this.selection.moveTo(block);
        this.#view.scrollToTop(block);
        return;
      }
    }
  }

  /** Whether a labeler's suggestions stand for what nobody has decided on yet. */
  get isSuggested() {
    return this.suggestion !== null && this.page.state === "todo";
  }

  /**
   * The label that a labeler suggests for a block, null where a person has decided.
   * @param {number} block
   */
  suggestedLetter(block) {
    const isOpen = this.isSuggested && !this.labels.isDecided(block);
    return isOpen ? (this.suggestion?.labels.letter(block) ?? null) : null;
  }

  /** The label of a block, given or suggested. @param {number} block */
  letter(block) {
    return this.suggestedLetter(block) ?? this.labels.letter(block);
  }

  #drawAll() {
    this.#paint([[0, this.labels.length - 1]]);
    this.#drawSelection();
  }

  /** @param {(Range | Run)[]} ranges */
  #paint(ranges) {
    const { labels, suggestion } = this;
    for (const [first, last] of ranges) {
      this.#view.setAttribute("data-l", withNull(labels.runs(first, last), UNMARKED));
      if (!suggestion) continue;
      const suggested = runsOf(first, last, (block) => this.suggestedLetter(block));
      this.#view.setAttribute("data-s", withNull(suggested, UNMARKED));
      this.#view.setAttribute("data-c", withNull(suggestion.doubts(first, last), 0));
    }
  }

  #drawSelection() {
    this.#view.drawSelection(this.selection);
    this.#onChange([]);
  }

  #showCursor() {
    this.#view.drawHover(null);
    if (this.labels.length) this.#view.scrollTo(this.selection.cursor);
    this.#drawSelection();
  }

  /**
   * Takes a labeler's suggestion that arrived later than the page.
   * @param {SuggestedLabels} suggestion
   */
  suggest(suggestion) {
    this.suggestion = new Suggestion(suggestion);
    if (!this.selection.cursor && !this.labels.canUndo) this.#begin();
    this.#drawAll();
  }

  /** @param {number} from @param {number} to @param {boolean} isFinished */
  #drag(from, to, isFinished) {
    this.selection.drag(from, to);
    this.#labelRange(isFinished ? this.selection.close() : null);
  }

  /** @param {number | null} block */
  #hover(block) {
    const isOpen = this.selection.anchor !== null;
    this.#view.drawHover(isOpen ? null : block);
    if (!isOpen || block === null) return;
    this.selection.hover(block);
    this.#drawSelection();
  }

  /**
   * Labels a range, if there is one, and draws the selection.
   * @param {Range | null} range
   * @param {Letter} letter
   */
  #labelRange(range, letter = this.chosenLetter()) {
    if (range) {
      this.suggestion?.settle(...range);
      // The whole range is saved, also where the label is the same: it says what was decided.
      this.#apply(this.labels.mark(...range, letter), [[...range, letter]]);
      this.#paint([range]); // doubts disappear even where the label was right
    }
    this.#drawSelection();
  }

  /**
   * Draws runs of labels that changed, and saves them or the changes that they came from.
   * @param {Run[]} runs
   * @param {Run[]} [changes]
   */
  #apply(runs, changes = runs) {
    this.#paint(runs);
    if (changes.length) this.saving.add({ changes });
    this.#onChange(changes);
  }

  /**
   * Labels the selection of the keyboard and moves on to the next block.
   * @param {Letter} [letter] the chosen one, if none is given
   */
  label(letter) {
    if (!this.labels.length) return;
    const range = this.selection.close();
    this.#labelRange(range, letter);
    this.selection.moveTo(range[1] + 1);
    this.#showCursor();
  }

  /**
   * Labels the whole list or table around the cursor and moves on behind it.
   * @param {Letter} [letter] the chosen one, if none is given
   */
  labelWhole(letter) {
    const range = this.#view.blocks.whole(this.selection.cursor);
    if (!range) return false;
    this.selection.cancel();
    this.#labelRange(range, letter);
    this.selection.moveTo(range[1] + 1);
    this.#showCursor();
    return true;
  }

  /** @param {number} step @param {boolean} isExtending */
  move(step, isExtending = false) {
    this.selection.move(step, isExtending);
    this.#showCursor();
  }

  /** @param {number} block */
  goTo(block) {
    this.selection.cancel();
    this.selection.moveTo(block);
    this.#showCursor();
  }

  cancelSelection() {
    this.selection.cancel();
    this.#drawSelection();
  }

  undo() {
    this.#apply(this.labels.undo());
    this.#drawAll(); // suggestions come back where no label changed
  }

  redo() {
    this.#apply(this.labels.redo());
    this.#drawAll();
  }

  /** Makes the page empty: nothing is labelled, and nothing is suggested any more. */
  clear() {
    this.#labelRange([0, this.labels.length - 1], UNMARKED);
  }

  goToLeastCertain() {
    const block = this.suggestion?.leastCertain() ?? null;
    if (block !== null) this.goTo(block);
  }

  /**
   * Gives the page a state. One that is done takes the suggestions over: they become the person's
   * labels where no others are.
   * @param {State} state
   */
  setState(state) {
    if (state === "done" && this.isSuggested && this.suggestion) {
      this.#apply(this.labels.fill(this.suggestion.labels.letters()));
    }
    this.page.state = state;
    this.#drawAll();
    this.saving.add({ changes: [], state });
    this.#onChange([]);
  }

  /**
   * Takes over the labels another tab has saved, with or without the unsaved changes on top.
   * @param {StoredLabels} theirs
   * @param {boolean} keepsUnsaved
   */
  rebase(theirs, keepsUnsaved) {
    this.labels = new Labels(theirs.labels, theirs.decided);
    if (keepsUnsaved) for (const run of this.saving.unsaved) this.labels.mark(...run);
    else this.saving.abandon();
    this.saving.resume(theirs.revision);
    this.#drawAll();
  }
}

/**
 * Runs with null in place of the one value that is not drawn.
 *
 * @template Value
 * @param {Run<Value>[]} runs
 * @param {Value} hidden
 * @returns {Run<Value | null>[]}
 */
export function withNull(runs, hidden) {
  return runs.map(([first, last, value]) => [first, last, value === hidden ? null : value]);
}

/**
 * Commands "prefix-value".
 * @template {string} Value
 * @template Command
 * @param {string} prefix
 * @param {Value[]} values
 * @param {(value: Value) => Command} commandOf
 * @returns {Record<string, Command>}
 */
export function variants(prefix, values, commandOf) {
  return Object.fromEntries(values.map((value) => [`${prefix}-${value}`, commandOf(value)]));
}

/** Labels the list or table around the cursor. @param {Editor} editor @param {Letter} [letter] */
function labelWhole(editor, letter) {
  if (!editor.labelWhole(letter)) showNotice("This block is in no list or table");
}

/**
 * The commands that only concern the open page.
 * @type {Record<string, (editor: Editor) => void>}
 */
export const EDITOR_COMMANDS = {
  label: (editor) => editor.label(),
  ...variants("label", LETTERS, (letter) => (/** @type {Editor} */ one) => one.label(letter)),
  whole: (editor) => labelWhole(editor),
  ...variants("whole", LETTERS, (letter) => (/** @type {Editor} */ one) => labelWhole(one, letter)),
  undo: (editor) => editor.undo(),
  redo: (editor) => editor.redo(),
  clear: (editor) => editor.clear(),
  down: (editor) => editor.move(1),
  up: (editor) => editor.move(-1),
  top: (editor) => editor.move(-Infinity),
  bottom: (editor) => editor.move(Infinity),
  "extend-down": (editor) => editor.move(1, true),
  "extend-up": (editor) => editor.move(-1, true),
  "extend-top": (editor) => editor.move(-Infinity, true),
  "extend-bottom": (editor) => editor.move(Infinity, true),
  "cancel-selection": (editor) => editor.cancelSelection(),
};
