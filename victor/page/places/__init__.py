"""Where a block stands: XPath, CSS path, headings, links, and its identifier."""
