"""Training: annotated pages to models."""
