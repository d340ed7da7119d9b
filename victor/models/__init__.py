"""Shipped models, one file each; `victor.load_model` finds them by name."""
