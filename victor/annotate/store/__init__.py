"""The store of annotations: pages and every revision of their labels, in SQLite."""
