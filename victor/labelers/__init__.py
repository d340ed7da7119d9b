"""Labelers: systems that turn the pages of a batch into labelled blocks, behind one protocol."""
