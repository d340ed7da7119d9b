"""Annotated pages to and from other formats."""
