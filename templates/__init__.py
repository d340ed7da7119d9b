"""Shipped offset templates, one YAML file each; configurations find them by name."""
