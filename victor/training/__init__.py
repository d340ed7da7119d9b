"""Training: annotated pages to models, and to the constants of rule-based labelers."""
