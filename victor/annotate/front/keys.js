// Which key does what: one table for the listener and for the help.

/** [heading, [[keys, command, what it does]]] */
export const KEYS = [
  ["Labels", [
    [["1"], "choose-h", "choose header"],
    [["2"], "choose-t", "choose text"],
    [["3"], "choose-o", "choose other"],
    [["4"], "choose-?", "choose unlabelled, where careful readers could disagree"],
    [[" ", "Enter"], "label", "give the selected blocks the chosen label"],
    [["h"], "label-h", "label the selected blocks header"],
    [["t"], "label-t", "label the selected blocks text"],
    [["o"], "label-o", "label the selected blocks other"],
    [["x"], "label-?", "label the selected blocks unlabelled"],
    [["Ctrl+z"], "undo", "undo"],
    [["Ctrl+Shift+z", "Ctrl+y"], "redo", "redo"],
    [["c"], "clear", "clear all labels of the page"],
  ]],
  ["Blocks", [
    [["j", "ArrowDown"], "down", "next block"],
    [["k", "ArrowUp"], "up", "previous block"],
    [["Shift+j", "Shift+ArrowDown"], "extend-down", "select one block more"],
    [["Shift+k", "Shift+ArrowUp"], "extend-up", "select one block less, or upwards"],
    [["Home"], "top", "first block"],
    [["End"], "bottom", "last block"],
    [["Shift+Home"], "extend-top", "select up to the first block"],
    [["Shift+End"], "extend-bottom", "select up to the last block"],
    [["Escape"], "drop", "give up the selection"],
    [["u"], "least-certain", "least certain block"],
    [["a"], "accept", "accept the suggested labels"],
    [["v"], "styles", "the page with or without its own style"],
  ]],
  ["Pages", [
    [["d"], "state-done", "done, next page"],
    [["n"], "state-no-content", "no content, next page"],
    [["w"], "state-wrong-language", "wrong language, next page"],
    [["b"], "state-broken", "broken, next page"],
    [["s"], "state-skip", "skip, next page"],
    [["ArrowRight", "]"], "next", "next page"],
    [["ArrowLeft", "["], "previous", "previous page"],
    [["q"], "pages", "list of pages"],
    [["m"], "compare", "compare two annotators"],
    [["r"], "retrain", "retrain the model"],
    [["?"], "help", "this help"],
  ]],
];

const COMMANDS = new Map(
  KEYS.flatMap(([, rows]) => rows.flatMap(([keys, command]) => keys.map((key) => [key, command]))),
);
const SPOKEN = {
  " ": "Space", ArrowDown: "↓", ArrowUp: "↑", ArrowRight: "→", ArrowLeft: "←", Escape: "Esc",
};

/** The key of an event as the table writes it. Digits go by place: some layouts need shift. */
export function keyOf(event) {
  const digit = /^(?:Digit|Numpad)([0-9])$/.exec(event.code);
  if (digit) return digit[1];
  const isLetter = event.key.length === 1;
  const name = isLetter ? event.key.toLowerCase() : event.key;
  const hasShift = event.shiftKey && (!isLetter || /\p{Letter}/u.test(name));
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${hasShift ? "Shift+" : ""}${name}`;
}

export function commandOf(event) {
  return event.altKey ? undefined : COMMANDS.get(keyOf(event));
}

/** How people call a key of the table. */
export function spoken(key) {
  return key.split("+").map((part) => SPOKEN[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join("+");
}

/** Whether the element needs the key itself: fields all, buttons those that press them. */
function isTaken(event) {
  const target = event.target;
  if (target.ownerDocument !== document) return false;
  if (document.querySelector("dialog[open]")) return true;
  if (target.closest("input, select, textarea")) return true;
  return [" ", "Enter"].includes(event.key) && target.closest("button, summary, a, input") !== null;
}

/** Calls run(command) for the keys of the table pressed in a document. */
export function listen(place, run) {
  place.addEventListener("keydown", (event) => {
    const command = commandOf(event);
    if (!command || isTaken(event)) return;
    event.preventDefault();
    run(command);
  });
}
