"""A page with all of its markup: every tag and attribute, nesting, embedded content."""
