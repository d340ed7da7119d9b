"""Why blocks have their labels, what a model reads, and where two systems differ."""

from victor.explain.contributions import Explanation, explain
from victor.explain.groups import Group, Grouped, Part, grouped
from victor.explain.model_summary import Learnt, learnt
from victor.explain.sentences import Sentence, sentences
from victor.explain.why import Finding, Why, why

__all__ = [
    "Explanation",
    "Finding",
    "Group",
    "Grouped",
    "Learnt",
    "Part",
    "Sentence",
    "Why",
    "explain",
    "grouped",
    "learnt",
    "sentences",
    "why",
]
