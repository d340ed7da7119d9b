// Metadata of one peer behind pipes: node metadata.cjs readability|defuddle
//
// Speaks the protocol of peers/worker.py; the text of a page is JSON as in peers/metadata_worker.py.
"use strict";

const readline = require("node:readline");

const answer = (value) => process.stdout.write(JSON.stringify(value) + "\n");
console.log = console.info = console.debug = console.warn = console.error = () => {};

function parser() {
  const { JSDOM, VirtualConsole } = require("jsdom");
  const silent = new VirtualConsole();
  return (html, url) => new JSDOM(html, { url, virtualConsole: silent }).window;
}

const said = (title, author, date) =>
  JSON.stringify({
    title: title || "",
    authors: author ? [author] : [],
    date: String(date || "").slice(0, 10),
  });

function readability() {
  const { Readability } = require("@mozilla/readability");
  const parse = parser();
  return (html, url) => {
    const window = parse(html, url);
    const found = new Readability(window.document).parse() || {};
    window.close();
    return said(found.title, found.byline, found.publishedTime);
  };
}

// As in extract.cjs: on a jsdom document, Defuddle takes seconds for a page.
function defuddle() {
  const Defuddle = require("defuddle");
  const { parseHTML } = require("linkedom");
  return (html, url) => {
    const page = parseHTML(html).document;
    page.styleSheets ??= [];
    if (page.defaultView && !page.defaultView.getComputedStyle) {
      page.defaultView.getComputedStyle = () => ({ display: "" });
    }
    page.URL = url;
    const found = new Defuddle(page, { url, useAsync: false }).parse();
    return said(found.title, found.author, found.published);
  };
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
  let extract;
  try {
    extract = { readability, defuddle }[process.argv[2]]();
  } catch (error) {
    answer({ missing: error.message.split("\n")[0] });
    return;
  }
  answer({ takes: "text", versions: { node: process.versions.node } });
  readline
    .createInterface({ input: process.stdin })
    .on("line", (line) => answer(answered(extract, JSON.parse(line))));
}

main();
