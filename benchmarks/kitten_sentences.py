"""Share of lines of the renderer `sentences` that are one sentence, with and without each rule.

    python benchmarks/kitten_sentences.py FOLDER [--pages N] [--jobs N]

A line is exactly one sentence if a segmenter of another kind, pysbd, finds one sentence in it and
it ends as sentences do, with a full stop, question or exclamation mark, or an ellipsis, closing
quotes and brackets left aside. Whole pages, taken at equal distances among the sorted ones. Also
counts the words that are neither in the output nor among the texts that rules dropped, and prints
the texts that each rule dropped most often.
"""

import argparse
import re
from collections import Counter
from functools import cache, lru_cache
from pathlib import Path

import pysbd

from victor.cli.processes import parallel_map
from victor.kitten.removals import Removals
from victor.kitten.sentences import whole_page
from victor.kitten.settings import load_settings
from victor.page.decode import utf8
from victor.page.full_record import Kind, record_full
from victor.page.tags import SPLITTING

ALL = "all rules"
MOST_FREQUENT = 4
RULES = {
    ALL: (),
    "with menus dropped": ("sentences.drop_menus=true",),
    "without links": ("lists.drop_links=false",),
    "without bullets": ("lists.drop_bullets=false",),
    "without flatten": ("lists.flatten=false",),
    "without triggers": ("lists.repeat_triggers=false",),
    "without clauses": ("tables.clauses=false",),
    "without split": ("sentences.split=false",),
    "without full stops": ("sentences.full_stops=false",),
    "without joined breaks": ("sentences.join_breaks=false",),
    "without abbreviations": ("sentences.expand_abbreviations=false",),
    "without options": ("sentences.drop_options=false",),
}
NONE = tuple(
    setting for name, settings in RULES.items() if "without" in name for setting in settings
)
END = re.compile(r"[.?!…。！？][\"'”’»)\]]*$")
WORD = re.compile(r"[^\W_]+")


def settings_of(rules):
    return load_settings("kitten", rules)


@cache
def segmenter(language):
    known = language if language in pysbd.languages.LANGUAGE_CODES else "en"
    return pysbd.Segmenter(language=known, clean=False)


@lru_cache(maxsize=1_000_000)
def is_sentence(line, language):
    return bool(END.search(line)) and len(segmenter(language).segment(line)) == 1


def words_of_page(full):
    """Words of the visible text: block-level tags, options and line breaks separate, others not."""
    pieces = []
    for item in full.items:
        if item.dropped:
            continue
        if item.kind is Kind.TEXT:
            pieces.append(item.text)
        elif item.text in SPLITTING or item.text in ("br", "option") or "-" in item.text:
            pieces.append(" ")
    return Counter(WORD.findall("".join(pieces)))


def measure(path):
    """Counts per setting, and how often each rule dropped each text with all rules."""
    page = path.read_bytes()
    markup = utf8(page)
    full = record_full(markup)
    root = next((i for i in full.items if i.text == "html" and i.kind is Kind.START), None)
    language = (root.attributes.get("lang") or "en")[:2].lower() if root else "en"
    page_words = words_of_page(full)
    archives = {name: Removals() for name in (*RULES, "without any rule")}
    per_setting = {
        name: counts(markup, settings_of(RULES.get(name, NONE)), archive, language, page_words)
        for name, archive in archives.items()
    }
    return per_setting, Counter(map(tuple, archives[ALL].entries))


def counts(markup, settings, removals, language, page_words):
    """Lines, lines that are one sentence, dropped texts, lost words."""
    text = whole_page(markup, settings, removals)
    lines = [line for line in text.splitlines() if line]
    kept_words = Counter(
        WORD.findall("\n".join([text, *(entry.text for entry in removals.entries)]))
    )
    return Counter(
        lines=len(lines),
        sentences=sum(is_sentence(line, language) for line in lines),
        dropped=len(removals.entries),
        lost=(page_words - kept_words).total(),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=1)
    call = parser.parse_args()
    paths = sorted(path for path in call.folder.iterdir() if path.is_file())
    chosen = [paths[len(paths) * k // call.pages] for k in range(min(call.pages, len(paths)))]
    total, removed = {}, Counter()
    for counts_by_name, dropped in parallel_map(measure, chosen, call.jobs):
        removed.update(dropped)
        for name, counted in counts_by_name.items():
            total.setdefault(name, Counter()).update(counted)
    heads = f"{'lines':>8}{'one sentence':>14}{'dropped':>9}{'lost words':>12}"
    print(f"{len(chosen)} pages\n{'':24}{heads}")
    for name, c in total.items():
        share = c["sentences"] / max(c["lines"], 1)
        print(f"{name:24}{c['lines']:8}{share:14.1%}{c['dropped']:9}{c['lost']:12}")
    report_removals(removed)


def report_removals(removed):
    """Per rule: dropped texts, how many differ, and the most frequent ones."""
    by_rule = {}
    for (rule, text), count in removed.items():
        by_rule.setdefault(rule, Counter())[text] = count
    print(f"\n{'dropped by all rules':32}{'texts':>7}{'different':>11}  most frequent")
    for rule, texts in sorted(by_rule.items(), key=lambda entry: -entry[1].total()):
        frequent = ", ".join(f"{text[:40]} ({n})" for text, n in texts.most_common(MOST_FREQUENT))
        print(f"{rule:32}{texts.total():7}{len(texts):11}  {frequent}")


if __name__ == "__main__":
    main()
