// One peer behind pipes: node extract.cjs readability|defuddle
//
// Speaks the protocol of peers/worker.py.
"use strict";

const readline = require("node:readline");

// Whatever a library prints must not come between the answers.
const answer = (value) => process.stdout.write(JSON.stringify(value) + "\n");
console.log = console.info = console.debug = console.error;

const BLOCKS = new Set(
  ("address article aside blockquote body br caption center dd details dialog dir div dl dt " +
    "fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main menu nav ol " +
    "optgroup option p pre section summary table tbody td tfoot th thead tr ul").split(" ")
);
const SILENT = new Set(["script", "style", "noscript", "template"]);

// Text of what the systems give as HTML: textContent would join the words of two paragraphs.
function collect(node, parts) {
  if (node.nodeType === 3) parts.push(node.nodeValue);
  if (node.nodeType !== 1 && node.nodeType !== 11) return;
  const name = (node.localName || "").toLowerCase();
  if (SILENT.has(name)) return;
  if (BLOCKS.has(name)) parts.push("\n");
  for (const child of node.childNodes) collect(child, parts);
  if (BLOCKS.has(name)) parts.push("\n");
}

function textOf(html, parse) {
  const parts = [];
  collect(parse(`<!doctype html><html><body>${html}</body></html>`).body, parts);
  return parts.join("");
}

function readability() {
  const { Readability } = require("@mozilla/readability");
  const { JSDOM, VirtualConsole } = require("jsdom");
  const silent = new VirtualConsole();
  const parse = (html, url) => new JSDOM(html, { url, virtualConsole: silent }).window;
  const extract = (html, url) => {
    const window = parse(html, url);
    const found = new Readability(window.document).parse();
    window.close();
    return found ? textOf(found.content, (text) => parse(text).document) : "";
  };
  return [extract, ["@mozilla/readability", "jsdom"]];
}

function defuddle() {
  const Defuddle = require("defuddle");
  const { parseHTML } = require("linkedom");
  const parse = (html) => parseHTML(html).document;
  const extract = (html, url) => {
    const page = parse(html);
    page.styleSheets ??= []; // Defuddle asks for styles, linkedom has none
    if (page.defaultView && !page.defaultView.getComputedStyle) {
      page.defaultView.getComputedStyle = () => ({ display: "" });
    }
    page.URL = url;
    const found = new Defuddle(page, { url, useAsync: false }).parse();
    return textOf(found.content || "", parse);
  };
  return [extract, ["defuddle", "linkedom"]];
}

function versions(names) {
  const { readFileSync } = require("node:fs");
  const { join } = require("node:path");
  const found = { node: process.versions.node };
  for (const name of names) {
    const places = (process.env.NODE_PATH || "").split(require("node:path").delimiter);
    for (const place of places) {
      try {
        found[name] ??= JSON.parse(readFileSync(join(place, name, "package.json"))).version;
      } catch {
        continue; // it is in another of the folders
      }
    }
  }
  return found;
}

function answered(extract, request) {
  const texts = [];
  const errors = [];
  request.pages.forEach((page, number) => {
    try {
      texts.push(extract(page, request.urls[number] || "http://page.invalid/"));
      errors.push(null);
    } catch (error) {
      texts.push("");
      errors.push(`${error.name}: ${error.message}`.slice(0, 200));
    }
  });
  return { texts, errors };
}

function main() {
  let extract, names;
  try {
    [extract, names] = { readability, defuddle }[process.argv[2]]();
  } catch (error) {
    answer({ missing: error.message.split("\n")[0] });
    return;
  }
  answer({ takes: "text", versions: versions(names) });
  readline
    .createInterface({ input: process.stdin })
    .on("line", (line) => answer(answered(extract, JSON.parse(line))));
}

main();
