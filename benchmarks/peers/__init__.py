"""Parts of the comparison with other systems; `benchmarks/peers.py` is its command."""
