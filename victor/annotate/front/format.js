// Names and numbers as the tool displays them.

export const LABEL_NAMES = { h: "header", t: "text", o: "other", "?": "unlabelled" };

const STATE_NAMES = {
  todo: "to do",
  done: "done",
  "no-content": "no content",
  "wrong-language": "wrong language",
  broken: "broken",
  skip: "skipped",
};

export const stateName = (state) => STATE_NAMES[state] ?? state;

/** "1 block", "2 blocks". */
export function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** "1", "5–8": blocks as people number them, from 1. */
export function blockRange(first, last) {
  return first === last ? `${first + 1}` : `${first + 1}–${last + 1}`;
}

export function truncate(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
