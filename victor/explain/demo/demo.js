// @ts-check
/** The page, the clean text and the reasons of a block, as the slider stands. */
import { add, blockOf, byId } from "./dom.js";
import { PageView } from "./page_view.js";
import { countsText, OTHER, positionName, stateText } from "./positions.js";
import { showReasons } from "./reasons_panel.js";
import { TextView } from "./text_view.js";

/** @typedef {import("./positions.js").Data} Data */

const NONE = -1;
const EVEN = 0.5;
/** Where in its pane the first block stands that is kept, as a share of the height. */
const START = 0.15;
/** Share of the height of the marks that those have where few words change. */
const SMALLEST_MARK = 0.2;

class Demo {
  /** @param {Data} data */
  constructor(data) {
    this.data = data;
    this.own = data.thresholds.length;
    this.slider = /** @type {HTMLInputElement} */ (byId("threshold"));
    this.page = new PageView(byId("blocks"), data);
    this.text = new TextView(byId("text"), data);
    this.position = this.own;
    this.chosen = NONE;
    this.isHeld = false;
    /** The block that Tab reaches. */
    this.stop = 0;
  }

  /** Show where the text begins, and why the block is as it is that was hardest to decide. */
  open() {
    this.move(this.own);
    const first = this.page.firstKept();
    const [part] = this.page.partsOf(first);
    if (part) scrollTo(byId("page"), part);
    this.reach(Math.max(first, 0));
    const doubts = this.data.marginals.map((p) => Math.abs((p[OTHER] ?? 0) - EVEN));
    if (doubts.length) this.choose(doubts.indexOf(Math.min(...doubts)));
  }

  /**
   * Move to a position.
   *
   * @param {number} position
   */
  move(position) {
    this.position = position;
    this.slider.value = String(position === this.own ? this.data.nearest : position);
    this.page.show(position);
    this.text.show(position);
    const name = positionName(this.data, position);
    byId("value").textContent = name;
    this.slider.ariaValueText = name;
    byId("own").ariaPressed = String(position === this.own);
    byId("counts").textContent = countsText(this.data, position);
    if (this.chosen !== NONE) this.explain();
  }

  explain() {
    showReasons(byId("reasons"), this.data, this.chosen, this.position);
  }

  /**
   * Show what is known of a block.
   *
   * @param {number} block
   */
  choose(block) {
    if (block === this.chosen) return;
    this.mark(false);
    this.chosen = block;
    this.mark(true);
    this.explain();
  }

  /**
   * Show it until another one is held or this one let go.
   *
   * @param {number} block
   */
  hold(block) {
    this.isHeld = true;
    document.body.toggleAttribute("data-held", true);
    this.choose(block);
    const other = (this.data.marginals[block]?.[OTHER] ?? 0).toFixed(2);
    const state = stateText(this.data, block, this.position);
    byId("said").textContent = `Block ${block}: ${state}, p(other) ${other}`;
  }

  letGo() {
    this.isHeld = false;
    document.body.toggleAttribute("data-held", false);
    this.mark(false);
    this.chosen = NONE;
  }

  /** @param {boolean} isChosen */
  mark(isChosen) {
    const shown = [...this.page.partsOf(this.chosen), this.text.spanOf(this.chosen)];
    for (const part of shown) part?.classList.toggle("chosen", isChosen);
  }

  /**
   * Make a block the one that Tab reaches.
   *
   * @param {number} block
   */
  reach(block) {
    this.page.partsOf(this.stop)[0]?.setAttribute("tabindex", "-1");
    this.stop = block;
    this.page.partsOf(block)[0]?.setAttribute("tabindex", "0");
  }
}

/**
 * Scroll so that an element stands near the top of its pane.
 *
 * @param {HTMLElement} pane
 * @param {HTMLElement} element
 */
function scrollTo(pane, element) {
  const { top, height } = pane.getBoundingClientRect();
  pane.scrollTop += element.getBoundingClientRect().top - top - START * height;
}

/** @param {Demo} demo */
function setUpSlider(demo) {
  const { data, own, slider } = demo;
  const button = byId("own");
  if (!own) {
    byId("slider").hidden = true;
    button.hidden = true;
    byId("fixed").hidden = false;
    byId("fixed").textContent =
      `${data.system} says only yes or no here; there is no threshold to move.`;
    return;
  }
  slider.max = String(own - 1);
  for (const [name, position] of Object.entries(data.presets)) {
    const mark = add(byId("marks"), "button", name);
    mark.title = `threshold ${data.thresholds[position]?.toFixed(3)}`;
    mark.addEventListener("click", () => demo.move(position));
  }
  addFlips(data);
  slider.addEventListener("input", () => demo.move(Number(slider.value)));
  button.addEventListener("click", () => demo.move(own));
}

/**
 * Marks along the slider where words come and go, the higher the more.
 *
 * @param {Data} data
 */
function addFlips({ words, thresholds }) {
  const changes = thresholds.map((_, position) =>
    position ? Math.abs((words[position] ?? 0) - (words[position - 1] ?? 0)) : 0,
  );
  const most = Math.max(...changes);
  changes.forEach((change, position) => {
    if (!change) return;
    const mark = add(byId("flips"), "i");
    mark.style.left = `${(100 * position) / (thresholds.length - 1)}%`;
    const height = SMALLEST_MARK + (1 - SMALLEST_MARK) * Math.sqrt(change / most);
    mark.style.height = `${100 * height}%`;
  });
}

/** @param {Demo} demo */
function setUpPointer(demo) {
  const [blocks, text] = [byId("blocks"), byId("text")];
  for (const pane of [blocks, text]) {
    pane.addEventListener("mouseover", (event) => {
      const block = blockOf(event.target);
      if (block !== NONE && !demo.isHeld) demo.choose(block);
    });
    pane.addEventListener("click", (event) => {
      const block = blockOf(event.target);
      if (block === NONE) {
        demo.letGo();
        return;
      }
      demo.hold(block);
      const there = pane === text ? demo.page.partsOf(block)[0] : demo.text.spanOf(block);
      there?.scrollIntoView({ block: "nearest" });
    });
  }
}

/**
 * The block that a key goes to, none for other keys.
 *
 * @param {string} key
 * @param {number} block
 * @param {number} last
 */
function goal(key, block, last) {
  if (key === "ArrowDown" || key === "ArrowRight") return Math.min(block + 1, last);
  if (key === "ArrowUp" || key === "ArrowLeft") return Math.max(block - 1, 0);
  if (key === "Home") return 0;
  return key === "End" ? last : NONE;
}

/** @param {Demo} demo */
function setUpKeys(demo) {
  const blocks = byId("blocks");
  blocks.addEventListener("focusin", (event) => {
    const block = blockOf(event.target);
    if (block === NONE) return;
    demo.reach(block);
    demo.hold(block);
  });
  blocks.addEventListener("keydown", (event) => {
    const block = goal(event.key, demo.stop, demo.data.labels.length - 1);
    if (block === NONE || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    demo.page.partsOf(block)[0]?.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") demo.letGo();
  });
}

function setUpTabs() {
  const tabs = ["text", "markdown"].map((name) => byId(`tab-${name}`));
  /** @param {HTMLElement} chosen */
  const select = (chosen) => {
    for (const tab of tabs) {
      tab.ariaSelected = String(tab === chosen);
      tab.tabIndex = tab === chosen ? 0 : -1;
      byId(tab.getAttribute("aria-controls") ?? "").hidden = tab !== chosen;
    }
  };
  for (const tab of tabs) {
    tab.addEventListener("click", () => select(tab));
    tab.addEventListener("keydown", (event) => {
      const other = tabs.find((one) => one !== tab);
      if (!(other && (event.key === "ArrowLeft" || event.key === "ArrowRight"))) return;
      select(other);
      other.focus();
    });
  }
}

/** What a narrow screen shows. */
function setUpViews() {
  const buttons = [byId("show-page"), byId("show-clean")];
  /** @param {HTMLElement} chosen */
  const view = (chosen) => {
    document.body.dataset.view = chosen.id.replace("show-", "");
    for (const button of buttons) button.ariaPressed = String(button === chosen);
  };
  for (const button of buttons) button.addEventListener("click", () => view(button));
}

function start() {
  /** @type {Data} */
  const data = JSON.parse(byId("data").textContent ?? "");
  const demo = new Demo(data);
  byId("markdown").textContent = data.markdown || "(nothing is kept)";
  setUpSlider(demo);
  setUpPointer(demo);
  setUpKeys(demo);
  setUpTabs();
  setUpViews();
  demo.open();
}

start();
