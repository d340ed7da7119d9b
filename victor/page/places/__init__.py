"""Where a block stands: XPath, headings, links, its identifier; and what selectors select."""
