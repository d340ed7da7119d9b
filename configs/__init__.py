"""Shipped configurations, one YAML file each; `victor.config.layers.load` finds them by name."""
