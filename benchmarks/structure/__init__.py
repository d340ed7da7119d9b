"""Structure of pages and of the Markdown made of them: items of many kinds, and their recall."""
