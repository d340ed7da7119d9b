"""Shipped configurations, one YAML file each; `victor.config.load` finds them by name."""
