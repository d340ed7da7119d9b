"""Why blocks have their labels, what a model reads, and where two systems differ."""

from victor.explain.contributions import Explanation, Reasons, explain
from victor.explain.groups import Finding, Group, Grouped, Part, Why, grouped, why
from victor.explain.model_summary import edge_kinds, important, learnt, strongest

__all__ = [
    "Explanation",
    "Finding",
    "Group",
    "Grouped",
    "Part",
    "Reasons",
    "Why",
    "edge_kinds",
    "explain",
    "grouped",
    "important",
    "learnt",
    "strongest",
    "why",
]
