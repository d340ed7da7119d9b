"""Why blocks have their labels, what a model reads, and where two systems differ."""

from victor.explain.contributions import Explanation, Reasons, explain
from victor.explain.groups import Finding, Group, Grouped, Part, Why, grouped, why
from victor.explain.model_summary import edge_kinds, important, learnt, strongest
from victor.explain.reasons import Reason, Sides
from victor.explain.sentences import Sentence, sentences

__all__ = [
    "Explanation",
    "Finding",
    "Group",
    "Grouped",
    "Part",
    "Reason",
    "Reasons",
    "Sentence",
    "Sides",
    "Why",
    "edge_kinds",
    "explain",
    "grouped",
    "important",
    "learnt",
    "sentences",
    "strongest",
    "why",
]
