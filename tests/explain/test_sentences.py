"""A sentence says what decided, how sure that is, and which facts the decision rests on."""

import itertools
import textwrap
from pathlib import Path

import numpy as np
import pytest
import sentences as benchmark
from msgspec.structs import replace

from victor.api import Cleaner, CleanerSpec
from victor.base.labels import Label
from victor.config import Decision, Scope
from victor.config import load as load_config
from victor.explain import Reason, Sides, explain, sentences
from victor.explain.deletion import Deletions, trees_without
from victor.explain.facts import FACTS
from victor.explain.reasons import NEIGHBOURS, PageReasons
from victor.features import NAMES, load
from victor.labelers.crf import CrfLabeler
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import analyze
from victor.training.training import train

ROOT = Path(__file__).parents[2]
TEXTS = """\
Volunteers who spent five winters tipping old shells into cold water have counted what grew on them.
The survey took three days at the lowest tides of the year and found forty thousand young oysters.
For the first two winters almost nothing happened, and the council came close to ending the project.
""".splitlines()
MENU = "".join(f"<li><a href=/{name}>{name}</a>" for name in ("Home", "News", "Sport", "Jobs"))
MORE = "".join(f"<li><a href=/{n}>Another story number {n}</a>" for n in range(4))
PAGE = (
    "<title>Oysters return to the bay</title><nav class=menu><ul>" + MENU + "</ul></nav>"
    "<article class=article-body><h1>Oysters return to the bay</h1>"
    + "".join(f"<p>{text}</p>" for text in TEXTS)
    + "</article><aside class=related><h3>More stories</h3><ul>" + MORE + "</ul></aside>"
    "<footer class=footer><p>Copyright The Harbour Post</footer>"
)  # fmt: skip


@pytest.fixture(scope="module")
def labeler():
    return CleanerSpec().build()


def told(labeler, page, scope=None, decision=None):
    """The sentences of a page, and its blocks."""
    cleaner = Cleaner(labeler, scope=scope or Scope(), decision=decision)
    result = cleaner.clean(page)
    found = sentences(labeler, result.in_batch[0], cleaner.scope, decision)
    assert [sentence.block for sentence in found] == [block.number for block in result.blocks]
    return found, result.blocks


def by_text(labeler, page, start, **options):
    """The sentence of the block that begins with a text."""
    found, blocks = told(labeler, page, **options)
    return next(s for s, block in zip(found, blocks, strict=True) if block.text.startswith(start))


# --- golden sentences -----------------------------------------------------------------------------


GOLDEN = """\
Sport: Dropped, more than 99 % sure: in an element named like a menu, among 4 blocks with the same markup that are mostly links, not ending like a sentence.
Oysters: Dropped by the scope main, which leaves out headlines; the model alone is 96 % sure of the opposite.
Volunteers: Kept, 97 % sure: beside text.
The survey: Kept, 98 % sure: beside text.
More stories: Dropped, 99 % sure: after most of the page's running text.
Another story number 0: Dropped, more than 99 % sure: in an element named like related links, in a box that is mostly links, outside the part of the page with most text.
Another story number 3: Dropped, more than 99 % sure: near the end of the page, in a box that is mostly links.
Copyright: Dropped, 99 % sure: in an element named like a footer, with markup that no other block has.
"""  # noqa: E501
"""Of the default model; another model has other reasons."""


@pytest.mark.parametrize("line", GOLDEN.splitlines())
def test_sentences_of_a_page(labeler, line):
    start, _, sentence = line.partition(": ")
    assert by_text(labeler, PAGE, start).text == sentence


def test_every_sentence_says_how_sure_the_model_is(labeler):
    for sentence, block in zip(*told(labeler, PAGE), strict=True):
        if sentence.decided_by == "labeler":
            p = block.marginals["other"] if not block.kept else 1 - block.marginals["other"]
            shown = "more than 99 %" if p >= 0.995 else f"{100 * p:.0f} %"
            assert f"{shown} sure" in sentence.text


@pytest.fixture(scope="module")
def doubted(labeler):
    """Function: the sentence of a kept block with reasons for both sides, at a p(other)."""
    page = PAGE.replace("</article>", "<h2>What is next</h2><p>" + TEXTS[0] + "</p></article>")
    cleaner = Cleaner(labeler)
    verdict = cleaner.clean(page).in_batch[0]
    block = next(
        s.block for s in sentences(labeler, verdict, cleaner.scope)
        if verdict.kept[s.block] and s.sides.to_keep and s.sides.to_drop
    )  # fmt: skip

    def at(other):
        marginals = verdict.marginals.copy()
        marginals[block] = 0, 1 - other, other
        changed = replace(verdict, marginals=marginals, method="threshold")
        options = Scope(), Decision("threshold", 0.99), [block]
        return sentences(labeler, changed, *options)[0].text

    return at


@pytest.mark.parametrize(
    ("other", "start", "is_balanced"),
    [(0.004, "Kept, more than 99 % sure: ", False), (0.006, "Kept, 99 % sure: ", False),
     (0.19, "Kept, 81 % sure: ", False), (0.21, "Kept, 79 % sure: ", True),
     (0.5, "Kept, 50 % sure: ", True),
     (0.51, "Kept, though only 49 % sure (the threshold keeps more than 1 %): ", True),
     (0.989, "Kept, though only 1 % sure (", True),
     (0.991, "Kept, though only less than 1 % sure (", True)],
)  # fmt: skip
def test_doubt_in_words(doubted, other, start, is_balanced):
    assert doubted(other).startswith(start)
    assert (", although " in doubted(other)) == is_balanced


# --- truth ----------------------------------------------------------------------------------------


def test_sentences_are_true_by_deletion(labeler, annotated):
    """As the benchmark tests them, with columns of other pages in place of those of a module."""
    rng = np.random.default_rng(0)
    cleaner = Cleaner(labeler)
    pages = []
    for page in annotated[:12]:
        result = cleaner.clean(page.html)
        pages.append(benchmark.Page("", result, explain(labeler.model, result.in_batch[0].table)))
    names = labeler.model.potentials.columns
    reference = {
        name: np.concatenate([page.explanation.columns[name] for page in pages[4:]])
        for name in names
    }
    tests = []
    for page in pages[:4]:
        verdict = page.result.in_batch[0]
        raw = labeler.label(verdict.table).kept
        deletion = benchmark.Deletion(page, reference, 8, rng)
        numbers = benchmark.drawn(page.result.blocks, rng)
        for sentence in sentences(labeler, verdict, cleaner.scope, blocks=numbers):
            test = benchmark.tested(page, sentence, deletion, bool(raw[sentence.block]))
            tests.append(test.is_true)
    assert len(tests) >= 30
    assert np.mean(tests) >= 0.9


def test_every_reason_holds_and_speaks_for_its_side(labeler):
    explanation = explain(labeler.model, labeler.table([PAGE.encode()]))
    page, deletions = PageReasons(explanation), Deletions(explanation)
    for block in range(len(explanation.table)):
        for sign, side in zip((1, -1), page.of_block(block), strict=True):
            changes = [sign * reason.change for reason in side]
            assert changes == sorted(changes, reverse=True)
            assert all(change >= 0.3 for change in changes)
            assert all(0.2 <= change / changes[0] <= 0.5 for change in changes[1:])
            for reason in side:
                if reason.module != NEIGHBOURS:
                    node, change = deletions.of_module(reason.module)
                    assert reason.change == change[block]
                    assert sign * node[block] > 0


# --- deletions ------------------------------------------------------------------------------------


def test_a_deleted_column_is_averaged_over_its_answers(tree_model):
    """By brute force: every leaf is the mean over the deleted bits, weighted as they occur."""
    trees = tree_model.potentials
    deleted = {"word.count", "link.density"}
    without = trees_without(trees, deleted)
    names = [trees.inputs[asked][0] for asked in trees.asked.tolist()]
    depth = trees.questions.shape[1]
    for tree in range(4):
        gone = [names[question] in deleted for question in trees.questions[tree].tolist()]
        cover = np.maximum(trees.cover[tree].astype(float), 1e-12)
        for leaf, bits in enumerate(itertools.product((0, 1), repeat=depth)):
            total = weight = 0.0
            for other, answers in enumerate(itertools.product((0, 1), repeat=depth)):
                pairs = list(zip(gone, bits, answers, strict=True))
                if all(a == b for is_gone, a, b in pairs if not is_gone):
                    share = sum(
                        cover[index]
                        for index, row in enumerate(itertools.product((0, 1), repeat=depth))
                        if all(x == y for is_gone, x, y in zip(gone, answers, row, strict=True)
                               if is_gone)
                    )  # fmt: skip
                    total += share * float(trees.leaves[tree, other])
                    weight += share
            assert without.leaves[tree, leaf] == pytest.approx(total / weight, abs=1e-5)


def test_to_delete_nothing_changes_nothing_and_all_leaves_the_mean(tree_model):
    trees = tree_model.potentials
    np.testing.assert_allclose(trees_without(trees, ()).leaves, trees.leaves, rtol=1e-6)
    constant = trees_without(trees, {name for name, _ in trees.inputs}).leaves
    np.testing.assert_allclose(constant, np.broadcast_to(constant[:, :1], constant.shape))


@pytest.mark.parametrize("name", ["linear", "bags"])
def test_linear_potentials_lose_the_terms_of_a_column(models, name):
    model = models[name]
    explanation = explain(model, FeatureExtractor(model.config).table([PAGE.encode()]))
    nodes = explanation.nodes
    gone = {"word.count", "lexicon.all"}
    terms = explanation.contributions(Label.TEXT)[:, : len(nodes.names)]
    stay = [not any(column in term for column in gone) for term in nodes.names]
    potentials = nodes.potentials_without(gone)
    odds = potentials[:, Label.TEXT] - potentials[:, Label.OTHER]
    assert not all(stay)
    np.testing.assert_allclose(odds, terms[:, stay].sum(axis=1), atol=1e-9)


def test_neighbours_are_deleted_with_the_edges(models):
    model = models["linear"]
    explanation = explain(model, FeatureExtractor(model.config).table([PAGE.encode()]))
    scores = explanation.nodes.potentials
    alone = np.logaddexp(scores[:, 0], scores[:, 1]) - scores[:, 2]
    other = explanation.marginals[:, Label.OTHER]
    together = np.log1p(-other) - np.log(other)
    np.testing.assert_allclose(Deletions(explanation).of_neighbours(), together - alone, atol=1e-6)


# --- decisions that the model did not make --------------------------------------------------------


@pytest.mark.parametrize(
    ("scope", "start", "said"),
    [
        (Scope(), "Oysters", "Dropped by the scope main, which leaves out headlines; the model"),
        (Scope("article", headline=False), "Oysters", "Dropped by your option --no-headline; the"),
        (Scope(keep=("footer",)), "Copyright", "Kept by your selectors (--keep); the model alone"),
        (Scope(drop=("article",)), "The survey", "Dropped by your selectors (--drop); the model"),
    ],
)
def test_the_scope_says_that_it_decided(labeler, scope, start, said):
    sentence = by_text(labeler, PAGE, start, scope=scope)
    assert sentence.text.startswith(said)
    assert sentence.text.endswith("sure of the opposite.")
    assert sentence.decided_by == "scope"


def test_a_scope_that_agrees_with_the_model_is_not_named(labeler):
    headline = by_text(labeler, PAGE, "Oysters", scope=Scope("article"))
    assert headline.text.startswith("Kept, ")
    assert headline.decided_by == "labeler"


def test_a_heading_that_heads_nothing(labeler):
    page = PAGE.replace("</article>", "<h2>What comes next for the oysters</h2></article>")
    sentence = by_text(labeler, page, "What comes next")
    if sentence.decided_by == "scope":
        assert "a heading with no text kept below it" in sentence.text


def test_a_table_that_is_kept_whole(labeler):
    rows = "".join(f"<tr><td>{n}<td>the name of thing {n}<td>{2 * n} words" for n in range(9))
    table = f"<table><tr><th>Number<th>Name<th>Length{rows}</table>"
    found, blocks = told(labeler, PAGE.replace("</article>", f"{table}</article>"))
    whole = [s for s, block in zip(found, blocks, strict=True) if block.reason == "whole"]
    assert all("whole with the table that it is part of" in s.text for s in whole)
    assert all(s.decided_by == "whole" for s in whole)


@pytest.mark.parametrize(("threshold", "kept"), [(0.999, True), (0.001, False)])
def test_a_threshold_may_decide_against_the_odds(labeler, threshold, kept):
    """Kept with less than half of the probability, and the other way."""
    found, blocks = told(labeler, PAGE, decision=Decision("threshold", threshold))
    against = [
        sentence
        for sentence, block in zip(found, blocks, strict=True)
        if sentence.decided_by == "labeler" and (block.marginals["other"] < 0.5) != block.kept
    ]
    assert against
    limit = "less than 1 %" if kept else "more than 99 %"
    word = "Kept" if kept else "Dropped"
    for sentence in against:
        assert sentence.text.startswith(f"{word}, though only ")
        assert f"(the threshold keeps more than {limit})" in sentence.text


def test_a_page_that_is_judged_empty(labeler):
    page = (ROOT / "annotations" / "pages" / "corvane-404.html").read_bytes()
    found, blocks = told(labeler, page)
    assert not any(block.kept for block in blocks)
    doubted = [sentence for sentence in found if sentence.decided_by == "page"]
    assert doubted
    for sentence in doubted:
        assert "the whole page, which seems to have no content, " in sentence.text


def test_a_snippet_keeps_what_is_not_surely_boilerplate(labeler):
    page = f"<p>{TEXTS[0]}</p><p><a href=/a>An aside of a few words</a></p>"
    found, blocks = told(labeler, page)
    by_f = [s for s, b in zip(found, blocks, strict=True) if s.decided_by == "page" and b.kept]
    assert all("on a page of so few blocks everything stays" in s.text for s in by_f)


@pytest.mark.parametrize("name", ["kimatu", "density", "link-quota", "bte"])
def test_rules_name_their_steps_or_numbers(name):
    labeler = CleanerSpec(labeler=name).build()
    found, blocks = told(labeler, PAGE)
    for sentence, block in zip(found, blocks, strict=True):
        assert sentence.text.startswith("Kept" if block.kept else "Dropped")
        assert sentence.sides == Sides((), ())
        assert f"by {name}" in sentence.text or sentence.decided_by != "labeler"


# --- both sides of every constant -----------------------------------------------------------------


ALIKE = "{1:.0f} blocks with the same markup that"


def some(words, change, module="links"):
    return Reason(words, module, change)


class Fixed(PageReasons):
    """Reasons that are given."""

    def _candidates(self, block, sign):
        yield from (reason for reason in GIVEN[block] if sign * reason.change > 0)

    def _turns(self, block, reason):
        return abs(reason.change) >= 3


GIVEN = {
    "between": [some("a", 1.0), some("b", 0.5), some("c", 0.2)],
    "nearly the same": [some("a", 1.0), some("b", 0.51), some("c", 0.5)],
    "next to nothing": [some("a", 1.0), some("b", 0.5), some("c", 0.19)],
    "more than three": [some("a", 1.0), some("b", 0.5), some("c", 0.4), some("d", 0.3)],
    "neighbours beside two": [some("a", 1.0), some("b", 0.5), some("c", 0.4, NEIGHBOURS)],
    "neighbours beside one": [some("a", 1.0), some("c", 0.5, NEIGHBOURS)],
    "neighbours that turn": [some("a", 1.0), some("b", 0.6), some("c", 3.0, NEIGHBOURS)],
    "said once": [some("in a box of text", 1.0), some("in a box of <p>", 0.5), some("b", 0.4)],
    "stands once": [some("before this", 1.0), some("before that", 0.5), some("b", 0.4)],
}


@pytest.mark.parametrize(
    ("case", "names"),
    [("between", "abc"), ("nearly the same", "ac"), ("next to nothing", "ab"),
     ("more than three", "abc"), ("neighbours beside two", "ab"), ("neighbours beside one", "ac"),
     ("neighbours that turn", "ca")],
)  # fmt: skip
def test_which_reasons_are_named(case, names):
    sides = Fixed(None).of_block(case)
    assert "".join(reason.words for reason in sides.to_keep) == names
    assert sides.to_drop == ()


@pytest.mark.parametrize(
    ("case", "words"),
    [("said once", ["in a box of text", "b"]), ("stands once", ["before this", "b"])],
)
def test_a_sentence_says_things_once(case, words):
    assert [reason.words for reason in Fixed(None).of_block(case).to_keep] == words


@pytest.mark.parametrize(
    ("module", "words", "true", "false"),
    [
        ("links", "mostly links", (0.5,), (0.49,)),
        ("links", "nothing but a link", (1.0,), (0.99,)),
        ("links", "amid running text", (15.0,), (14.9,)),
        ("links", "with hardly any running text around it", (3.9,), (4.0,)),
        ("words", "only {0:.0f} words", (8,), (9,)),
        ("words", "{0:.0f} words", (20,), (19,)),
        ("title", "like the title of the page", (0.5,), (0.49,)),
        ("groups", "in a box with {0:.0%} of the page's text", (0.3,), (0.29,)),
        ("groups", "in a box with hardly any of the page's text", (0.049,), (0.05,)),
        ("headings", "after the last longer text", (1,), (0,)),
        ("headings", "after the last longer text", (255,), (999,)),
        ("headings", "above all headings", (0, 254), (1, 254)),
        ("headings", "above all headings", (0, 254), (0, 255)),
        ("freetext", "before the first longer text", (0, 0, np.log(16)), (0, 0, np.log(15))),
        ("surroundings", "before the first long text", (-1, 254), (-1, 255)),
        ("surroundings", "before the first long text", (-1, 254), (0, 254)),
        ("surroundings", "after the last long text", (255, 1, 254), (255, 1, 255)),
        ("surroundings", "after the last long text", (255, 1, 254), (254, 1, 254)),
        ("surroundings", "after the last long text", (255, 1, 254), (255, -1, 254)),
        ("duplicates", "repeated ({0:.0f} times on the page)", (2, 1), (2, 0)),
        ("headings", "under a heading", (5,), (6,)),
        (
            "paths",
            "among {1:.0f} blocks with the same markup that are short on average",
            (8, 3),
            (8, 2),
        ),
        ("records", "one of {0:.0f} similar items", (3,), (2,)),
        ("page", "near the start of the page", (0.09,), (0.1,)),
        ("page", "near the end of the page", (0.91,), (0.9,)),
        ("document", "on a page of {0:,.0f} words", (400,), (399,)),
        ("duplicates", "repeated ({0:.0f} times on the page)", (2, 1), (1, 1)),
        ("declared", "on a page that declares itself an article", (4,), (3,)),
    ],
)
def test_both_sides_of_a_fact(module, words, true, false):
    fact = next(fact for fact in FACTS[module] if fact.words == words)
    for values, holds in ((true, True), (false, False)):
        columns = dict(zip(fact.columns, map(np.array, zip(values, strict=True)), strict=True))
        assert fact.of(columns).tolist() == [holds]


def test_facts_are_read_from_columns_of_their_module():
    assert set(FACTS) <= set(NAMES)
    columns_of = {name: {column.name for column in load(name).columns} for name in NAMES}
    of_any = set().union(*columns_of.values())
    for module, facts in FACTS.items():
        others = {name for fact in facts for name in fact.columns} & of_any - columns_of[module]
        assert others <= {"offset.h1", "place.from-end", "char.alpha-abs"}, module
        for fact in facts:
            shown = fact.words.format(*range(1, 9))
            assert "{" not in shown
            assert fact.of({}) is None


def test_pages_of_a_batch_have_the_sentences_of_each_alone(labeler):
    other = PAGE.replace("oysters", "mussels").replace("</article>", "<p>No more.</p></article>")
    cleaner = Cleaner(labeler)
    verdict, _ = next(cleaner.clean_many([PAGE, other, ""])).in_batch
    together = [sentence.text for sentence in sentences(labeler, verdict, cleaner.scope)]
    alone = [sentence.text for page in (PAGE, other) for sentence in told(labeler, page)[0]]
    assert together == alone


def test_a_page_without_blocks_has_no_sentences(labeler):
    verdict, _ = Cleaner(labeler).clean("").in_batch
    assert sentences(labeler, verdict, Scope()) == []


def test_a_module_of_your_own_is_named_by_its_column(tmp_path, annotated):
    """It has no facts; what it measured is told, where it matters."""
    file = tmp_path / "long_words.py"
    file.write_text(
        textwrap.dedent("""
        from victor.features.base import Column, Measure

        def build():
            column = Column("own.letters", "number", "letters of the block")
            return Measure((column,), lambda t: {column.name: (t.end - t.start) * 1.0})
    """)
    )
    settings = (f"features=[{{{file}: {{}}}}]", "discretize=null", "crf.c2=0.01",
                "template=[{column: own.letters}]")  # fmt: skip
    extractor = FeatureExtractor(load_config("crf", settings), trust_code=True)
    model = train(analyze(annotated[:8], extractor), extractor)
    labeler = CrfLabeler(model, trust_code=True)
    found, blocks = told(labeler, PAGE)
    own = [r for s in found for side in s.sides for r in side if r.module == "long_words.py"]
    assert own
    lengths = {f"{len(block.text)}" for block in blocks}
    assert {reason.words.removeprefix("letters of the block = ") for reason in own} <= lengths
