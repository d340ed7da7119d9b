"""The conditional random field: training, weights, tables for tagging, inference."""
