// The elements of index.html that are more than an HTMLElement, by their ids.

export interface PageElements {
  clear: HTMLButtonElement;
  filter: HTMLSelectElement;
  "help-dialog": HTMLDialogElement;
  more: HTMLButtonElement;
  name: HTMLInputElement;
  "name-dialog": HTMLDialogElement;
  names: HTMLDataListElement;
  order: HTMLSelectElement;
  progress: HTMLProgressElement;
  redo: HTMLButtonElement;
  state: HTMLSelectElement;
  undo: HTMLButtonElement;
}

export type ElementById<Id extends string> = Id extends keyof PageElements
  ? PageElements[Id]
  : HTMLElement;
