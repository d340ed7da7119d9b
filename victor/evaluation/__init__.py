"""Evaluation: cross-validated marginals, scores, curves, ablation and the report."""
