"""Measures of cleaned pages against their gold standard, and their averages.

Pure functions of texts, labels and scores; nothing here reads files or prints.
"""
