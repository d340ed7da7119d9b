"""Why blocks have their labels, what a model reads, and where two systems differ."""

from victor.explain.contributions import Explanation, Reasons, explain
from victor.explain.groups import Group, Grouped, Part, grouped
from victor.explain.model_summary import edge_kinds, important, strongest

__all__ = [
    "Explanation",
    "Group",
    "Grouped",
    "Part",
    "Reasons",
    "edge_kinds",
    "explain",
    "grouped",
    "important",
    "strongest",
]
