"""The HTTP server of the annotation tool."""
