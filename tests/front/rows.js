// Tables of text files beside the tests.

import { readFileSync } from "node:fs";

/** The rows of a file below its first line, as trimmed cells. */
export function rowsOf(name) {
  const text = readFileSync(new URL(`rows/${name}`, import.meta.url), "utf-8");
  const lines = text.trim().split("\n").slice(1);
  return lines.map((line) => line.split("|").map((cell) => cell.trim()));
}
