"""Annotated pages: importers, alignment of plain gold text to blocks, splits by site."""
