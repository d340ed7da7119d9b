"""One run over inputs: parts, counts, progress, and going on after a kill."""
