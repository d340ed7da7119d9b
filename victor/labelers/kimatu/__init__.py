"""Kimatu: areas of the same appearance, a relevance of four ratios, and a few greedy steps."""
