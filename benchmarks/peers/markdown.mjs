// Markdown of one peer behind pipes: node markdown.mjs NODE_MODULES readability|defuddle
//
// The first line says what it is ({about} or {missing}); then every line {page, url} is answered by
// {title, markdown, error}. Defuddle writes Markdown itself, Readability's HTML goes through turndown.
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const answer = (value) => process.stdout.write(JSON.stringify(value) + "\n");
console.log = console.info = console.debug = console.warn = console.error;

const folder = process.argv[2];
const require = createRequire(join(folder, "_"));

function parser() {
  const { JSDOM, VirtualConsole } = require("jsdom");
  const silent = new VirtualConsole(); // pages hold styles and scripts that jsdom complains of
  return (html, url) => new JSDOM(html, { url, virtualConsole: silent });
}

async function readability() {
  const parse = parser();
  const { Readability } = require("@mozilla/readability");
  const Turndown = require("turndown");
  const { gfm } = require("turndown-plugin-gfm");
  const service = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced" });
  service.use(gfm);
  return async (html, url) => {
    const { window } = parse(html, url);
    try {
      const article = new Readability(window.document).parse();
      return { title: article?.title ?? "", markdown: article ? service.turndown(article.content) : "" };
    } finally {
      window.close();
    }
  };
}

async function defuddle() {
  const parse = parser();
  const file = join(folder, "defuddle", "dist", "node.js");
  const { Defuddle } = await import(pathToFileURL(file).href);
  return async (html, url) => {
    const dom = parse(html, url);
    try {
      const options = { markdown: true, useAsync: false };
      const article = await Defuddle(dom.window.document, url, options);
      return { title: article.title || "", markdown: article.content || "" };
    } finally {
      dom.window.close();
    }
  };
}

async function main() {
  let convert;
  try {
    convert = await { readability, defuddle }[process.argv[3]]();
  } catch (error) {
    answer({ missing: error.message.split("\n")[0] });
    return;
  }
  answer({ node: process.versions.node });
  for await (const line of createInterface({ input: process.stdin })) {
    const { page, url } = JSON.parse(line);
    try {
      answer({ ...(await convert(page, url)), error: null });
    } catch (error) {
      answer({ title: "", markdown: "", error: `${error.name}: ${error.message}`.slice(0, 200) });
    }
  }
}

main();
