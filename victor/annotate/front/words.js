// How the bar words what the program names by letters and identifiers.

export const LABELS = { h: "header", t: "text", o: "other", "?": "unlabelled" };

export const STATES = {
  todo: "to do",
  done: "done",
  "no-content": "no content",
  "wrong-language": "wrong language",
  broken: "broken",
  skip: "skipped",
};

/** 1 block, 2 blocks. */
export function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** "0, 4-7": blocks as people number them, from 1. */
export function blocks(first, last) {
  return first === last ? `${first + 1}` : `${first + 1}–${last + 1}`;
}

export function cut(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
