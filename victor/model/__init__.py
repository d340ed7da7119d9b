"""Columns to marginals to labels: discretiser, template, trees, chain and the model file."""
