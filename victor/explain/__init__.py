"""Why blocks have their labels, what a model reads, and where two systems differ."""

from victor.explain.contributions import Explanation, Reasons, explain, important, strongest

__all__ = ["Explanation", "Reasons", "explain", "important", "strongest"]
