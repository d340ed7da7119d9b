"""Configuration: the schema, shipped YAML files, files of the user and ``a.b=c`` overrides."""
