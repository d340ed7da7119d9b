"""What `benchmarks/foreign.py` is made of: the files of foreign suites, and what is compared."""
