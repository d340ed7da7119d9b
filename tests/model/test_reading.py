"""Models that read codes of columns."""

from victor.labelers.load import model_file
from victor.model.model import Model, Reading


def test_bounds_of_codes_are_those_of_the_codebook():
    model = Model.load(model_file("default"))
    names = [*sorted(model.columns), "another"]
    reading = Reading.of(model, names)
    assert [bounds is None for bounds in reading.thresholds][-1:] == [True]
    assert sum(bounds is not None for bounds in reading.thresholds) == len(
        model.potentials.codebook.names
    )
    assert reading.raw == (*model.pooling.columns, *model.edges.columns)
