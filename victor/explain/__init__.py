"""Why blocks have their labels, what a model reads, and where two systems differ."""
