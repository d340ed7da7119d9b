"""Why blocks have their labels, what a model reads, and where two systems differ."""

from victor.explain.contributions import Explanation, Reasons, explain
from victor.explain.model_summary import edge_kinds, important, strongest

__all__ = ["Explanation", "Reasons", "edge_kinds", "explain", "important", "strongest"]
