"""Bytes to text: the encoding of a page, and what is no page at all."""
