"""Whole crawls: pages with an address in, documents out, every page accounted for."""
