"""Kitten: normalised XHTML, and tables, lists and sentences that a parser can read."""
