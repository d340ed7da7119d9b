"""What the blocks of a page are, and which stay: kinds, units, scopes, posts of threads."""
