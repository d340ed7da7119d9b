"""Leaf tables of pages: their cells, which of them hold data, and what is kept or dropped whole."""
