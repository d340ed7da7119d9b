"""Parts of `benchmarks/grafts.py`."""
