// Puts the parts together: who annotates, which page is open, what each command does.

import * as api from "./api.js";
import { Adjudication } from "./adjudicate.js";
import { asked, byId, element, options } from "./dom.js";
import { Editor } from "./editor.js";
import { fillHelp } from "./help.js";
import { listen } from "./keys.js";
import { Queue } from "./queue.js";
import { Retraining } from "./retrain.js";
import { Saving } from "./saving.js";
import * as status from "./status.js";
import { Strip } from "./strip.js";
import { showTrouble, trouble } from "./trouble.js";
import { View } from "./view.js";

const session = await api.session();
const view = new View(byId("frame"), await api.text("/static/page.css"));
const strip = new Strip(byId("strip"), (block) => editor?.goTo(block));
const retraining = new Retraining(() => reload());
let annotator = null;
let letter = "t";
let queue = null;
let editor = null;
let adjudication = null;
let opening = 0;
let wears = true;

function choose(chosen) {
  letter = chosen;
  status.showChosen(letter);
}

/** The name in the address, that of the last time, or the one asked for. */
async function askName() {
  options(byId("names"), session.annotators.map((name) => [name, name]));
  byId("name").value = annotator ?? localStorage.getItem("annotator") ?? "";
  byId("name").select();
  await asked(byId("name-dialog"));
  return byId("name").value.trim();
}

async function identify(name) {
  annotator = name;
  while (!annotator) annotator = await askName();
  localStorage.setItem("annotator", annotator);
  byId("who").textContent = annotator;
}

function address() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

function remember(page) {
  const hash = new URLSearchParams({ annotator, page }).toString();
  history.replaceState(null, "", `#${hash}`);
}

/** Whether everything of the open page is stored; if not, the person is told what to do. */
async function leave() {
  if (!editor || (await editor.saving.flush())) return true;
  showTrouble(editor);
  return false;
}

function saverOf(id, revision, send) {
  return new Saving({
    revision,
    send: (batch, how) => send(id, { annotator, ...batch }, how),
    tell: (saving) => {
      status.showSaved(saving);
      if (editor?.saving === saving) showTrouble(editor);
    },
  });
}

function edit(page, send) {
  const saving = saverOf(page.id, page.revision, send);
  editor = new Editor({ page, view, strip, saving, chosen: () => letter, tell });
  status.showSaved(saving);
  status.showPage(page, session.pages);
  editor.show();
  if (!wears) view.wear(false);
  listen(view.shown, run);
}

/** Runs of labels of the open page changed, or what is selected did (no runs). */
function tell(runs) {
  status.showEditor(editor, view);
  if (runs.length) adjudication?.heard(runs);
}

async function open(id) {
  if (!(await leave())) return;
  try {
    await show(id, api.pageOf(id, annotator), api.save);
  } catch (error) {
    trouble(`Page ${id} cannot be shown: ${error.message}`, [["Try again", () => open(id)]]);
  }
}

/** Shows a page whose labels are on their way; resolves to whether it is still the one wanted. */
async function show(id, coming, send) {
  const turn = ++opening;
  editor?.close();
  editor = null;
  adjudication = null;
  byId("differences").hidden = true;
  byId("frame").setAttribute("aria-busy", "true");
  const [page] = await Promise.all([coming, view.open(api.shownAddress(id))]);
  if (turn !== opening) return false;
  view.find(page.n_blocks);
  edit(page, send);
  byId("frame").removeAttribute("aria-busy");
  byId("frame").dataset.page = id;
  queue.point(id);
  remember(id);
  if (!document.querySelector("dialog[open]")) view.focus();
  if (page.suggesting) waitForSuggestion(editor);
  return true;
}

/** A labeler is still at it: its suggestion comes when it comes. */
async function waitForSuggestion(waiting) {
  const { page } = waiting;
  while (editor === waiting) {
    const found = await api.suggestionOf(page.id);
    if (editor !== waiting) return;
    if (found.suggestion) waiting.suggest(found.suggestion);
    if (!found.suggesting) return;
  }
}

async function step(direction) {
  if (!editor) return;
  const id = await queue.neighbour(editor.page.id, direction);
  if (id === null) trouble(`This is the ${direction > 0 ? "last" : "first"} page of the list.`);
  else await open(id);
}

async function setState(state, goesOn) {
  if (!editor) return;
  const { page } = editor;
  editor.setState(state);
  if (!(await leave())) return;
  if (!adjudication) queue.update(page.id, state); // the list shows the person's own labels
  await queue.progress();
  if (goesOn) await step(1);
}

async function reload() {
  await queue.load();
  if (editor) await open(editor.page.id);
}

async function compare() {
  if (!editor || !(await leave())) return;
  const names = (await api.session()).annotators.map((name) => [name, name]);
  if (names.length < 2) {
    trouble("Nobody else has annotated yet: there is nothing to compare.");
    return;
  }
  options(byId("compare-a"), names, names[0][0]);
  options(byId("compare-b"), names, names[1][0]);
  if ((await asked(byId("compare-dialog"))) !== "ok") return;
  await adjudicate(editor.page.id, byId("compare-a").value, byId("compare-b").value);
}

async function adjudicate(id, a, b) {
  try {
    const found = await api.differences(id, a, b);
    const own = api.adjudicationOf(id, annotator);
    const coming = own.then((page) => ({ ...page, suggestion: null, suggesting: false }));
    if (!(await show(id, coming, api.adjudicate))) return;
    // Where both agree there is nothing to decide.
    if (!editor.page.revision) editor.assign(found.labels);
    adjudication = new Adjudication({ found, editor, view, close: () => open(id) });
  } catch (error) {
    trouble(`The page cannot be compared: ${error.message}`);
  }
}

function toggle(id, button) {
  byId(id).hidden = !byId(id).hidden;
  button.setAttribute("aria-expanded", String(!byId(id).hidden));
}

const COMMANDS = {
  "choose-h": () => choose("h"),
  "choose-t": () => choose("t"),
  "choose-o": () => choose("o"),
  "choose-?": () => choose("?"),
  label: () => editor?.label(),
  "label-h": () => editor?.label("h"),
  "label-t": () => editor?.label("t"),
  "label-o": () => editor?.label("o"),
  "label-?": () => editor?.label("?"),
  undo: () => editor?.undo(),
  redo: () => editor?.redo(),
  clear: () => editor?.clear(),
  down: () => editor?.move(1, false),
  up: () => editor?.move(-1, false),
  "extend-down": () => editor?.move(1, true),
  "extend-up": () => editor?.move(-1, true),
  top: () => editor?.move(-Infinity, false),
  bottom: () => editor?.move(Infinity, false),
  "extend-top": () => editor?.move(-Infinity, true),
  "extend-bottom": () => editor?.move(Infinity, true),
  drop: () => editor?.drop(),
  "least-certain": () => (adjudication ? adjudication.next() : editor?.goToLeastCertain()),
  accept: () => editor?.accept(),
  styles: () => editor && view.wear((wears = !wears)),
  "state-done": () => setState("done", true),
  "state-no-content": () => setState("no-content", true),
  "state-wrong-language": () => setState("wrong-language", true),
  "state-broken": () => setState("broken", true),
  "state-skip": () => setState("skip", true),
  next: () => step(1),
  previous: () => step(-1),
  pages: () => toggle("pages", byId("pages-button")),
  compare,
  retrain: () => retraining.open(),
  help: () => byId("help-dialog").showModal(),
  who: async () => {
    if (!(await leave())) return;
    await identify(null);
    await reload();
  },
};

function run(command) {
  COMMANDS[command]();
}

function wire() {
  document.addEventListener("click", (event) => {
    const command = event.target.closest("[data-command]")?.dataset.command;
    if (command) run(command);
  });
  byId("state").addEventListener("change", () => {
    const state = byId("state").value;
    setState(state, state !== "todo");
  });
  // A button pressed with the pointer takes no focus: the space bar goes on labelling.
  document.querySelector(".bar").addEventListener("mousedown", (event) => {
    if (event.target.closest("button")) event.preventDefault();
  });
  listen(document, run);
  addEventListener("beforeunload", (event) => {
    if (editor?.saving.isUnsaved) event.preventDefault();
  });
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    trouble(event.reason?.message ?? String(event.reason));
  });
  addEventListener("pagehide", () => editor?.saving.flush({ keepalive: true }));
  addEventListener("visibilitychange", () => document.hidden && editor?.saving.flush());
}

async function start() {
  fillHelp();
  status.showStates(session.states);
  choose(letter);
  const wanted = address();
  await identify(wanted.annotator ?? localStorage.getItem("annotator"));
  queue = new Queue({ ask: api.queue, annotator: () => annotator, session, open });
  wire();
  await queue.load();
  const first = wanted.page ?? queue.rows[0]?.id;
  if (first) await open(first);
  else byId("frame").replaceChildren(element("p", { className: "notice", textContent: "No pages." }));
}

start().catch((error) => trouble(`The tool cannot start: ${error.message}`));
