"""Pages made safe to show in the browser of an annotator."""
