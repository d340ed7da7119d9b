"""Readers: inputs of a crawl to records, one module per kind of input."""
