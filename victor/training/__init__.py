"""Learning: annotated pages to models and to constants of labelers."""
