"""Plans of the compiled core that give the values of all columns."""

from victor.features.kernels import Plan


def plan_of(entries):
    n_columns = max(0, sum(entry[1] for entry in entries))
    return Plan(entries, [None] * n_columns, range(n_columns))


def values_of(entries, table, inputs):
    return plan_of(entries).codes(table, inputs)[1]


def all_values(chosen, table):
    """(C, n) values of all columns of a feature set, by the compiled core."""
    names = [column.name for column in chosen.columns]
    return chosen.codes(table, [None] * len(names), names)[1]
