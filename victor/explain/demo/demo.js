// @ts-check
/** The page, the clean text and the reasons, kept in step with the slider. */
import { endAt, labelAt, pieceAt, textParts } from "./positions.js";

/**
 * @typedef {object} Why
 * @property {readonly (readonly [name: string, meaning: string])[]} groups
 * @property {readonly (readonly [name: string, meaning: string])[]} names
 * @property {readonly string[]} values
 * @property {Readonly<Record<string, BlockWhy>>} blocks
 *
 * @typedef {object} BlockWhy
 * @property {number} label that is compared with other
 * @property {number} odds logarithm of the odds
 * @property {readonly Group[]} groups
 *
 * Group, sum, and flat contributions: name, value, weight.
 * @typedef {readonly [group: number, sum: number, terms: readonly number[]]} Group
 *
 * @typedef {object} Facts
 * @property {string} system
 * @property {string} method how labels were chosen
 * @property {boolean} isAsked somebody asked for this way of choosing
 * @property {Readonly<Record<string, number>>} presets
 * @property {number} nearest
 * @property {readonly number[]} words
 * @property {number} allWords
 * @property {readonly number[]} blocks
 * @property {string} markdown
 * @property {readonly string[]} labelNames
 * @property {readonly (readonly number[])[]} marginals
 * @property {readonly number[]} kinds
 * @property {readonly string[]} kindsNames
 * @property {readonly number[]} reasons
 * @property {readonly string[]} reasonsNames
 * @property {Why | null} why
 *
 * @typedef {import("./positions.js").Kept & Facts} Data
 */

const OTHER = 2;
const HEADER = 0;
const BLOCKS_OF_PART = 24;
const WAYS = {
  "expected-f": "best expected F of the page",
  viterbi: "most probable sequence of labels",
};

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element;
}

/**
 * @param {Element} parent
 * @param {string} name
 * @param {string} [text]
 * @param {string} [className]
 * @returns {HTMLElement}
 */
function add(parent, name, text, className) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  if (className) made.className = className;
  parent.append(made);
  return made;
}

/** @type {Data} */
const data = JSON.parse(byId("data").textContent ?? "");
const last = data.thresholds.length;
const slider = /** @type {HTMLInputElement} */ (byId("threshold"));
const blocks = byId("blocks");
const text = byId("text");
const pagePane = byId("page");
let position = last;
let chosen = -1;
let isHeld = false;

// --- the page and its text -----------------------------------------------------------------------

/** @type {HTMLElement[][]} */
const parts = data.labels.map(() => []);
for (const part of /** @type {NodeListOf<HTMLElement>} */ (blocks.querySelectorAll("[data-b]"))) {
  parts[Number(part.dataset.b)].push(part);
}
/**
 * @typedef {object} Piece of a block in the text
 * @property {Text} gap what stands before it
 * @property {HTMLElement} span
 * @property {HTMLElement} part of the text
 */
/** @type {(Piece | null)[]} */
const pieces = data.labels.map(() => null);
for (const group of textParts(data, BLOCKS_OF_PART)) {
  const part = add(text, "div");
  for (const block of group) {
    const gap = new Text();
    part.append(gap);
    const span = add(part, "span");
    span.dataset.t = String(block);
    pieces[block] = { gap, span, part };
  }
}
const end = new Text();
text.append(end);
/** What each block shows now. */
const shownLabels = data.labels.map(() => -1);

/** Show the decisions of a position; only what changes is touched. */
function show() {
  showLabels(); // first, while nothing has to be laid out before it can be measured
  const touched = new Set();
  pieces.forEach((piece, block) => {
    if (piece && showPiece(piece, ...pieceAt(data, block, position))) touched.add(piece.part);
  });
  // A part is a line of its own already, so the newline that it may begin with is one too many.
  for (const part of touched) part.classList.toggle("joined", part.textContent?.startsWith("\n"));
  end.data = endAt(data, position);
  showNumbers();
}

// Blocks in sight change at once, all others in the frames that follow: colouring thousands of
// blocks anew takes longer than a frame.
const BLOCKS_OF_FRAME = 400;
const NEAR = 20;
let nextBlock = 0;
let isWaiting = false;

function showLabels() {
  const { top, bottom } = pagePane.getBoundingClientRect();
  const from = Math.max(0, firstBelow(top) - NEAR);
  const to = Math.min(parts.length, firstBelow(bottom) + NEAR);
  for (let block = from; block < to; block++) showLabel(block);
  nextBlock = 0;
  blocks.setAttribute("aria-busy", "true");
  if (!isWaiting) requestAnimationFrame(() => requestAnimationFrame(showMore));
  isWaiting = true;
}

/**
 * The first block that ends below a line of the screen; blocks are about in this order.
 *
 * @param {number} y
 */
function firstBelow(y) {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const part = parts[middle][0];
    if (part && part.getBoundingClientRect().bottom > y) high = middle;
    else low = middle + 1;
  }
  return low;
}

function showMore() {
  for (let changed = 0; nextBlock < parts.length && changed < BLOCKS_OF_FRAME; nextBlock++) {
    changed += Number(showLabel(nextBlock));
  }
  isWaiting = nextBlock < parts.length;
  if (isWaiting) requestAnimationFrame(showMore);
  else blocks.setAttribute("aria-busy", "false");
}

/**
 * @param {number} block
 * @returns {boolean} did it show another one
 */
function showLabel(block) {
  const label = labelAt(data, block, position, OTHER);
  if (label === shownLabels[block]) return false;
  shownLabels[block] = label;
  for (const part of parts[block]) {
    part.classList.toggle("kept", label !== OTHER);
    part.classList.toggle("header", label === HEADER);
  }
  return true;
}

/**
 * @param {Piece} piece
 * @param {string} gap
 * @param {string} own
 * @returns {boolean} did it show anything else
 */
function showPiece(piece, gap, own) {
  const isSame = piece.gap.data === gap && piece.span.textContent === own;
  if (!isSame) {
    piece.gap.data = gap;
    piece.span.textContent = own;
  }
  return !isSame;
}

function showNumbers() {
  const isOwn = position === last;
  const name = Object.keys(data.presets).find((preset) => data.presets[preset] === position);
  const value = isOwn ? way() : data.thresholds[position].toFixed(2) + (name ? ` · ${name}` : "");
  byId("value").textContent = value;
  slider.setAttribute("aria-valuetext", value);
  byId("own").setAttribute("aria-pressed", String(isOwn));
  const [words, all] = [data.words[position], data.allWords].map((n) => n.toLocaleString("en"));
  byId("counts").textContent =
    `${words} of ${all} words kept, in ${data.blocks[position]} of ${data.labels.length} blocks`;
}

/** How the page was cleaned, in words. */
function way() {
  if (data.method === "threshold") return `threshold ${data.thresholds[data.nearest].toFixed(2)}`;
  return WAYS[/** @type {keyof typeof WAYS} */ (data.method)] ?? data.method;
}

/** @param {number} next */
function move(next) {
  position = next;
  slider.value = String(next === last ? data.nearest : next);
  show();
  if (chosen >= 0) explain(chosen);
}

function setUpSlider() {
  byId("own").textContent = data.isAsked ? "As cleaned" : data.why ? "Model’s choice" : "Its own choice";
  if (!last) {
    byId("slider").hidden = true;
    byId("own").hidden = true;
    byId("fixed").hidden = false;
    byId("fixed").textContent = `${data.system} says only yes or no; there is no threshold to move.`;
    return;
  }
  slider.max = String(last - 1);
  for (const [name, at] of Object.entries(data.presets)) {
    const mark = add(byId("marks"), "button", name);
    mark.style.left = `${(100 * at) / (last - 1)}%`;
    mark.title = `threshold ${data.thresholds[at].toFixed(3)}`;
    mark.addEventListener("click", () => move(at));
  }
  slider.addEventListener("input", () => move(Number(slider.value)));
  byId("own").addEventListener("click", () => move(last));
}

// --- why -----------------------------------------------------------------------------------------

/** @param {number} value */
function signed(value) {
  return (value < 0 ? "\u2212" : "+") + Math.abs(value).toFixed(2);
}

/** @param {number} block */
function state(block) {
  const label = labelAt(data, block, position, OTHER);
  return label === OTHER ? "dropped" : label === HEADER ? "kept as a heading" : "kept";
}

/** @param {number} block */
function because(block) {
  const p = data.marginals[block][OTHER];
  const isKept = labelAt(data, block, position, OTHER) !== OTHER;
  if (position === last) {
    const reason = data.reasonsNames[data.reasons[block]];
    return reason === "kept" ? "" : `reason: ${reason}`;
  }
  const threshold = data.thresholds[position];
  if (isKept === p < threshold) {
    return `p(other) is ${p.toFixed(2)}, ${isKept ? "below" : "not below"} ${threshold.toFixed(2)}`;
  }
  return "as the table or code that it is part of, or as the scope says";
}

/** @param {number} block */
function explain(block) {
  const panel = byId("reasons");
  panel.replaceChildren();
  add(panel, "h2", `Block ${block}: ${state(block)}`);
  add(panel, "p", [data.kindsNames[data.kinds[block]], because(block)].filter(Boolean).join(" · "), "soft");
  const bars = add(panel, "dl", "", "bars");
  data.labelNames.forEach((name, label) => {
    const p = data.marginals[block][label];
    add(bars, "dt", name);
    const bar = add(add(bars, "dd"), "span", "", `bar of-${name}`);
    bar.style.width = `${100 * p}%`;
    add(/** @type {Element} */ (bar.parentElement), "b", p.toFixed(3));
  });
  const why = data.why?.blocks[block];
  if (data.why && why) groups(panel, data.why, why);
  else add(panel, "p", data.why ? "Reasons are given for the blocks that were least sure." : `${data.system} gives a score and no reasons.`, "soft");
}

/**
 * @param {Element} panel
 * @param {Why} all
 * @param {BlockWhy} why
 */
function groups(panel, all, why) {
  const name = data.labelNames[why.label];
  add(panel, "h3", `${name} against other: ${signed(why.odds)}`).title = "logarithm of the odds";
  const most = Math.max(...why.groups.map(([, sum]) => Math.abs(sum)), 1e-9);
  const list = add(panel, "ul", "", "groups");
  for (const [group, sum, terms] of why.groups) {
    const item = add(list, "li");
    const [title, meaning] = all.groups[group];
    const head = add(item, "div", "", "group");
    add(head, "strong", title).title = meaning;
    add(head, "b", signed(sum));
    const bar = add(add(head, "span", "", "scale"), "span", "", sum < 0 ? "against" : "for");
    bar.style.width = `${(50 * Math.abs(sum)) / most}%`;
    for (let k = 0; k < terms.length; k += 3) {
      const [column, words] = all.names[terms[k]];
      const row = add(item, "p", "", "term");
      add(row, "span", words || column).title = column;
      add(row, "span", all.values[terms[k + 1]], "value");
      add(row, "b", signed(terms[k + 2]));
    }
  }
}

/** @param {number} block */
function choose(block) {
  if (block === chosen) return;
  mark(chosen, false);
  chosen = block;
  mark(chosen, true);
  explain(block);
}

/**
 * @param {number} block
 * @param {boolean} isChosen
 */
function mark(block, isChosen) {
  if (block < 0) return;
  for (const part of [...parts[block], pieces[block]?.span]) part?.classList.toggle("chosen", isChosen);
}

/**
 * @param {EventTarget | null} target
 * @returns {number} its block, -1 for none
 */
function blockOf(target) {
  const part = target instanceof Element ? target.closest("[data-b],[data-t]") : null;
  if (!(part instanceof HTMLElement)) return -1;
  return Number(part.dataset.b ?? part.dataset.t);
}

/** @param {number} block */
function hold(block) {
  isHeld = true;
  choose(block);
  const [p] = [data.marginals[block][OTHER].toFixed(2)];
  byId("said").textContent = `Block ${block}: ${state(block)}, p(other) ${p}`;
}

function letGo() {
  isHeld = false;
  mark(chosen, false);
  chosen = -1;
}

for (const pane of [blocks, text]) {
  pane.addEventListener("mouseover", (event) => {
    const block = blockOf(event.target);
    if (block >= 0 && !isHeld) choose(block);
  });
  pane.addEventListener("click", (event) => {
    const block = blockOf(event.target);
    if (block < 0) return letGo();
    hold(block);
    const there = pane === text ? parts[block][0] : pieces[block]?.span;
    there?.scrollIntoView({ block: "nearest" });
  });
}

// --- keys ----------------------------------------------------------------------------------------

let stop = 0;

/** Make one block the one that Tab reaches. @param {number} block */
function reach(block) {
  parts[stop]?.[0]?.setAttribute("tabindex", "-1");
  stop = block;
  parts[stop]?.[0]?.setAttribute("tabindex", "0");
}

/** @type {Readonly<Record<string, (block: number) => number>>} */
const STEPS = {
  ArrowDown: (block) => block + 1,
  ArrowRight: (block) => block + 1,
  ArrowUp: (block) => block - 1,
  ArrowLeft: (block) => block - 1,
  Home: () => 0,
  End: () => parts.length - 1,
};

blocks.addEventListener("focusin", (event) => {
  const block = blockOf(event.target);
  if (block < 0) return;
  reach(block);
  hold(block);
});
blocks.addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  parts[Math.max(0, Math.min(parts.length - 1, step(stop)))]?.[0]?.focus();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") letGo();
});

// --- tabs and views ------------------------------------------------------------------------------

const tabs = ["text", "markdown"].map((name) => byId(`tab-${name}`));

/** @param {HTMLElement} tab */
function select(tab) {
  for (const other of tabs) {
    const isSelected = other === tab;
    other.setAttribute("aria-selected", String(isSelected));
    other.tabIndex = isSelected ? 0 : -1;
    byId(other.getAttribute("aria-controls") ?? "").hidden = !isSelected;
  }
}

tabs.forEach((tab, index) => {
  tab.addEventListener("click", () => select(tab));
  tab.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    select(tabs[1 - index]);
    tabs[1 - index].focus();
  });
});
for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-show]"))) {
  button.addEventListener("click", () => view(button.dataset.show ?? ""));
}

/** What a narrow screen shows. @param {string} name */
function view(name) {
  document.body.dataset.view = name;
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-show]"))) {
    button.setAttribute("aria-pressed", String(button.dataset.show === name));
  }
}

byId("markdown").textContent = data.markdown || "(nothing is kept)";
setUpSlider();
view("page");
reach(0);
move(last);
