"""Processes that clean batches of records and survive what pages do to them."""
