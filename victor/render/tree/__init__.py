"""The kept part of a page as a tree: headings, lists, tables, code, notes, images."""
