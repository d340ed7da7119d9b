"""Measures of cleaned pages against their gold standard, and their averages and comparisons.

Pure functions of texts and label arrays, one measure to a module; printing is somebody else's.
"""
