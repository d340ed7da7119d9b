// What the server sends and takes (victor/annotate/api.py), and the elements of index.html.

/** A label: header, text, other, unlabelled. A string of these is a page's labels. */
export type Letter = "h" | "t" | "o" | "?";

/** Blocks from the first to the last, both included, counted from 0. */
export type Range = [first: number, last: number];

/** A range of blocks that have the same value. */
export type Run<Value = Letter> = [first: number, last: number, value: Value];

/** How far an annotator is with a page. */
export type State = "todo" | "done" | "no-content" | "wrong-language" | "broken" | "skip";

export interface Session {
  annotators: string[];
  pages: number;
  states: State[];
  store: string;
}

interface Described {
  id: string;
  /** From 1, in the order in which pages were added. */
  number: number;
  title: string;
  url: string | null;
  n_blocks: number;
}

export interface PageRow extends Described {
  state: State;
  annotators: string[];
}

export interface QueueAnswer {
  pages: PageRow[];
  total: number;
  states: States;
  /** Pages that anybody has finished. */
  labelled: number;
}

export type States = Partial<Record<State, number>>;

export interface SuggestedLabels {
  labeler: string;
  labels: string;
  /** Of each block, in per cent. */
  confidence: number[];
}

export interface SuggestionAnswer {
  suggestion: SuggestedLabels | null;
  /** Whether a labeler is still at work on the page. */
  suggesting: boolean;
}

/** The newest labels of an annotator on a page. */
export interface StoredLabels {
  revision: number;
  state: State;
  labels: string;
  /** Blocks that the annotator left unmarked on purpose. */
  decided: Range[];
}

export interface Page extends Described, StoredLabels, SuggestionAnswer {}

/** The revision that stands in the way of a save. */
export interface Conflict extends StoredLabels {
  annotator: string | null;
}

/** Changes of one page that are stored together. */
export interface Batch {
  key: string;
  changes: Run[];
  state?: State;
}

/** The request that stores a batch on top of a revision; a state alone needs none. */
export interface SaveRequest extends Batch {
  base?: number;
  annotator: string;
}

export interface SaveAnswer {
  revision: number;
}

export interface Adapting {
  state: "idle" | "running" | "done" | "failed";
  message: string;
}

/** The elements of index.html that are more than an HTMLElement, by their ids. */
export interface PageElements {
  clear: HTMLButtonElement;
  filter: HTMLSelectElement;
  "help-dialog": HTMLDialogElement;
  name: HTMLInputElement;
  "name-dialog": HTMLDialogElement;
  names: HTMLDataListElement;
  progress: HTMLProgressElement;
  redo: HTMLButtonElement;
  state: HTMLSelectElement;
  undo: HTMLButtonElement;
}

export type ElementById<Id extends string> = Id extends keyof PageElements
  ? PageElements[Id]
  : HTMLElement;
