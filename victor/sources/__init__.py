"""Names to inputs, inputs to pages: files, folders, archives, tables, WARC and the web."""
