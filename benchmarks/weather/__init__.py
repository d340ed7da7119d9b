"""Damaged archives and disturbed runs, for `benchmarks/crawl_weather.py`."""
