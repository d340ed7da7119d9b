"""The kept part of one page as a document: headings, lists, tables, code, quotes, links, images."""
