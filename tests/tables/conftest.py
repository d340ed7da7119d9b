from leaf_table_fixtures import table, tables

__all__ = ["table", "tables"]
