"""Why blocks have their labels, what a model reads, and where two systems differ."""

from victor.explain.contributions import Explanation, explain
from victor.explain.groups import Finding, Group, Grouped, Part, Why, grouped, why
from victor.explain.model_summary import Learnt, learnt
from victor.explain.sentences import Sentence, sentences

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
