"""Markup to events: tags, characters, lines, and what a head says."""
