"""What `benchmarks/victor_paper.py` stands on: scores of blocks, and the published figures."""
