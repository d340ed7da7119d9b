"""Measuring: honest marginals, scores, curves, ablation and the report."""
