"""Suggestions, the order of the queue, and training in the background."""
