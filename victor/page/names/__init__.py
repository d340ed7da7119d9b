"""Words in class names, ids and blocks, looked up without making strings."""
