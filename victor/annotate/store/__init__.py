"""What annotators labelled, with every revision, in SQLite."""
