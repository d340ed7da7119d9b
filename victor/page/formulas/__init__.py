"""Formulas of a page as TeX: where they stand in the markup, and what their drawings say."""
