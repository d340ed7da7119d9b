"""Language identification, and sentences and tokens of texts."""
