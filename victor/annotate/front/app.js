// @ts-check
// The tool as a whole: who annotates, which page is open, and what each command does.

import * as api from "./api.js";
import { byId, closed, closest, fillOptions, messageOf } from "./dom.js";
import { EDITOR_COMMANDS, Editor, LETTERS, variants } from "./editor.js";
import { adapt, endingOf } from "./ending.js";
import { listenToKeys, openHelp, prepareHelp } from "./keys.js";
import { Queue } from "./queue.js";
import { newKey, Saving } from "./saving.js";
import * as status from "./status.js";
import { View } from "./view.js";

/**
 * @import { Send } from "./saving.js"
 * @import { Letter, Page, Run, Session, State } from "./types.d.ts"
 */

/** @type {State[]} */
const FINAL_STATES = ["done", "no-content", "wrong-language", "broken", "skip"];
/** The states of a page that nobody could see. @type {State[]} */
const UNSEEN_STATES = ["broken", "skip"];
const WELCOME =
  "Correct the labels, then press D: the page is confirmed, and the next one opens. ? shows all keys";

/** The name of who annotates; empty if none was given. @param {string[]} annotators to offer */
async function askName(annotators) {
  const name = byId("name");
  fillOptions(byId("names"), annotators);
  name.value = localStorage.getItem("annotator") ?? "";
  name.select();
  await closed(byId("name-dialog"));
  return name.value.trim();
}

class App {
  #session;
  #view;
  #queue;
  #annotator = "";
  /** @type {Letter} */
  #letter = "t";
  /** @type {Editor | null} */
  #editor = null;
  /** @type {string | null} */
  #lastPage = null;
  /**
   * The page that stands in the list as the open one, but is not shown: not yet, or never.
   * @type {string | null}
   */
  #unshown = null;
  #usesPageStyles = true;
  /** Counts openings: a slower, earlier one must not replace a later one. */
  #nOpenings = 0;

  /** @type {Record<string, () => void>} */
  #commands = {
    ...variants("choose", LETTERS, (letter) => () => this.#choose(letter)),
    ...variants("state", FINAL_STATES, (state) => () => this.#setState(state, true)),
    "least-certain": () => this.#editor?.goToLeastCertain(),
    styles: () => this.#togglePageStyles(),
    next: () => this.step(1),
    previous: () => this.step(-1),
    pages: status.togglePages,
    adapt,
    help: openHelp,
    who: () => this.#changeAnnotator(),
  };

  /** @param {Session} session @param {string} pageCss the style sheet that colours blocks */
  constructor(session, pageCss) {
    this.#session = session;
    this.#view = new View(byId("frame"), pageCss);
    this.#queue = new Queue({
      request: (values) => api.queue({ annotator: this.#annotator, ...values }),
      session,
      annotator: () => this.#annotator,
      open: (id) => this.open(id),
    });
  }

  /** Opens the page in the address, or the first of the list. */
  async start() {
    prepareHelp();
    status.showStates(this.#session.states);
    this.#choose(this.#letter);
    const { annotator, page } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    await this.#identify(annotator ?? localStorage.getItem("annotator"));
    this.#listen();
    const first = await this.#queue.begin();
    const id = page ?? first ?? this.#queue.rows[0]?.id;
    if (!(page || first) && this.#queue.isAllDone && id) this.#end();
    else if (id) await this.open(id);
    else byId("frame-notice").textContent = "No pages.";
  }

  #listen() {
    document.addEventListener("click", (event) => {
      const command = closest(event, "[data-command]")?.dataset.command;
      if (command) this.#run(command);
    });
    byId("state").addEventListener("change", () => {
      const state = /** @type {State} */ (byId("state").value);
      this.#setState(state, state !== "todo");
    });
    // Clicking a button must not focus it: the space bar has to keep labelling.
    byId("bar").addEventListener("mousedown", (event) => {
      if (closest(event, "button")) event.preventDefault();
    });
    listenToKeys(document, (command) => this.#runByKey(command));
    addEventListener("unhandledrejection", (event) => {
      event.preventDefault();
      status.showError(messageOf(event.reason));
    });
    addEventListener("beforeunload", (event) => {
      if (this.#editor?.saving.isUnsaved) event.preventDefault();
    });
    addEventListener("pagehide", () => this.#editor?.saving.flush({ keepalive: true }));
    addEventListener("visibilitychange", () => {
      if (document.hidden) this.#editor?.saving.flush();
    });
  }

  /** @param {string} command */
  #runByKey(command) {
    this.#run(command);
    if (command === "pages" && !byId("pages").hidden) this.#queue.focus();
    else if (command === "pages" && this.#editor) this.#view.focus();
  }

  /** @param {string} command */
  #run(command) {
    status.showNotice("");
    if (command in this.#commands) this.#commands[command]();
    else if (this.#editor) EDITOR_COMMANDS[command](this.#editor);
  }

  /** Uses the given name, or asks for one. @param {string | null} givenName */
  async #identify(givenName) {
    let name = givenName;
    while (!name) name = await askName(this.#session.annotators);
    this.#annotator = name;
    localStorage.setItem("annotator", name);
    byId("who").textContent = name;
    if (!this.#session.annotators.includes(name)) status.showNotice(WELCOME);
  }

  async #changeAnnotator() {
    if (!(await this.#canLeave())) return;
    await this.#identify(null);
    await this.#queue.load();
    if (this.#editor) await this.open(this.#editor.page.id);
  }

  /** Opens a page with the annotator's labels. @param {string} id */
  async open(id) {
    if (!(await this.#canLeave())) return;
    const opening = ++this.#nOpenings;
    try {
      await this.#show(id, opening);
    } catch (error) {
      if (opening === this.#nOpenings) this.#showNothing(id, error);
    }
  }

  /**
   * Stands for a page that cannot be shown: whatever the reason, it can be left, skipped and marked.
   * @param {string} id
   * @param {unknown} error
   */
  #showNothing(id, error) {
    this.#closePage();
    this.#unshown = id;
    const frame = byId("frame");
    frame.removeAttribute("aria-busy");
    delete frame.dataset.page;
    frame.replaceChildren();
    this.#queue.markCurrent(id);
    status.showNoPage("This page cannot be shown");
    status.showError(`Page ${id} cannot be shown: ${messageOf(error)}`, [
      ["Broken, next page", () => this.#setState("broken", true)],
      ["Skip", () => this.#setState("skip", true)],
      ["Try again", () => this.open(id)],
    ]);
  }

  /** Opens the neighbour of the open page in the list. @param {1 | -1} direction */
  async step(direction) {
    const from = this.#editor?.page.id ?? this.#lastPage;
    if (from === null) return;
    const isEnded = byId("ending") !== null;
    const id = isEnded && direction < 0 ? from : this.#queue.neighbour(from, direction);
    if (id !== null) await this.open(id);
    else if (direction > 0 && this.#queue.isAllDone) this.#end();
    else status.showNotice(`This is the ${direction > 0 ? "last" : "first"} page of the list`);
  }

  /** Whether everything is stored; if not, the banner says what to do. */
  async #canLeave() {
    if (!this.#editor || (await this.#editor.saving.flush())) return true;
    status.showSavingError(this.#editor);
    return false;
  }

  /**
   * Shows a page, unless another one is opened meanwhile.
   * @param {string} id
   * @param {number} opening its number
   */
  async #show(id, opening) {
    this.#closePage();
    this.#unshown = this.#lastPage = id;
    const frame = byId("frame");
    frame.setAttribute("aria-busy", "true");
    const loading = api.page(id, { annotator: this.#annotator });
    const [page] = await Promise.all([loading, this.#view.open(api.pageAddress(id))]);
    if (opening !== this.#nOpenings) return;
    const editor = this.#edit(page);
    this.#unshown = null;
    status.hideError();
    frame.removeAttribute("aria-busy");
    frame.dataset.page = id;
    this.#queue.markCurrent(id);
    const hash = new URLSearchParams({ annotator: this.#annotator, page: id });
    history.replaceState(null, "", `#${hash}`);
    if (!document.querySelector("dialog[open]")) this.#view.focus();
    if (page.suggesting) this.#awaitSuggestion(editor);
  }

  /** @param {Page} page */
  #edit(page) {
    const view = this.#view;
    view.prepare(page.n_blocks);
    const editor = new Editor({
      page,
      view,
      saving: this.#savingOf(page),
      chosenLetter: () => this.#letter,
      onChange: (runs) => this.#labelsChanged(editor, runs),
    });
    this.#editor = editor;
    status.showSaving(editor.saving);
    status.showPage(page, this.#session.pages);
    editor.open();
    if (!this.#usesPageStyles) view.usePageStyles(false);
    listenToKeys(view.page, (command) => this.#runByKey(command));
    return editor;
  }

  /** @param {Page} page */
  #savingOf({ id, revision }) {
    const annotator = this.#annotator;
    /** @type {Send} */
    const send = (batch, options) => api.save(id, { annotator, ...batch }, options);
    return new Saving({
      revision,
      send,
      onState: (saving) => {
        status.showSaving(saving);
        if (this.#editor?.saving === saving) status.showSavingError(this.#editor);
      },
    });
  }

  /** @param {Editor} editor @param {Run[]} runs */
  #labelsChanged(editor, runs) {
    status.showEditor(editor, this.#view);
    if (runs.length) status.showNotice("");
  }

  /**
   * Takes the suggestion of a labeler that is still at work on the open page.
   * @param {Editor} editor
   */
  async #awaitSuggestion(editor) {
    while (this.#editor === editor && editor.page.suggesting) {
      const { suggestion, suggesting } = await api.suggestion(editor.page.id);
      editor.page.suggesting = suggesting;
      if (this.#editor === editor && suggestion) editor.suggest(suggestion);
    }
  }

  /** @param {State} state @param {boolean} isLeaving */
  async #setState(state, isLeaving) {
    if (this.#unshown !== null) return this.#markUnshown(this.#unshown, state);
    if (!this.#editor) return;
    const { page, labels } = this.#editor;
    if (state === "done" && page.suggesting && !labels.hasMarks) {
      status.showNotice(
        "The model is still at work on this page; label it by hand, or wait a moment",
      );
      return;
    }
    this.#editor.setState(state);
    if (!(await this.#canLeave())) return;
    this.#queue.setState(page.id, state);
    await this.#queue.updateProgress();
    if (isLeaving) await this.#leave(page.id);
  }

  /**
   * Gives a state to a page that is not shown, and goes on.
   * @param {string} id
   * @param {State} state
   */
  async #markUnshown(id, state) {
    if (!UNSEEN_STATES.includes(state)) {
      if (!byId("frame").ariaBusy) status.showNotice("This page cannot be shown: press B or S");
      return;
    }
    await api.save(id, {
      annotator: this.#annotator,
      key: newKey(),
      changes: [],
      state,
    });
    this.#queue.setState(id, state);
    await this.#queue.updateProgress();
    await this.#leave(id);
  }

  /** Goes on after a page that is finished. @param {string} id */
  async #leave(id) {
    const next = await this.#queue.nextToDo(id);
    if (next !== null) await this.open(next);
    else if (this.#queue.isAllDone) this.#end();
    else status.showNotice("This is the last page of the list");
  }

  /** Shows what was done, in place of a page. */
  #end() {
    this.#closePage();
    this.#nOpenings++;
    const ending = endingOf({ states: this.#queue.states, session: this.#session });
    delete byId("frame").dataset.page;
    byId("frame").replaceChildren(ending);
    status.showNoPage("All pages are done");
    status.hideError();
    history.replaceState(null, "", `#${new URLSearchParams({ annotator: this.#annotator })}`);
    byId("ending-heading").focus();
  }

  #closePage() {
    this.#lastPage = this.#editor?.page.id ?? this.#lastPage;
    this.#editor = null;
    this.#unshown = null;
  }

  /** @param {Letter} letter */
  #choose(letter) {
    this.#letter = letter;
    status.showChosenLetter(letter);
  }

  #togglePageStyles() {
    if (!this.#editor) return;
    this.#usesPageStyles = !this.#usesPageStyles;
    this.#view.usePageStyles(this.#usesPageStyles);
  }
}

async function start() {
  const [session, pageCss] = await Promise.all([api.session(), api.text("/static/page.css")]);
  await new App(session, pageCss).start();
}

start().catch((error) => status.showError(`The tool cannot start: ${messageOf(error)}`));
