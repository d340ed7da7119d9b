"""Pages made safe to show in a browser, as they look."""
