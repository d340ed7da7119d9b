"""`victor features`: the list, and the codes that a model sees."""

import json

from victor.config.layers import load
from victor.model.extractor import FeatureExtractor
from victor.page.decoding.decode import decode


def test_a_star_marks_what_the_configuration_switches_on(victor):
    lines = victor("features", "--list", "-c", "victor2007").out.splitlines()
    configured = {column.name for column in FeatureExtractor(load("victor2007")).features.columns}
    assert {line.split()[1] for line in lines if line.startswith("*")} == configured
    assert len(lines) > len(configured)


def test_codes_of_a_model(victor, folder, small_model, small_model_file):
    page = sorted(folder.iterdir())[0]
    lines = victor("features", "-f", "jsonl", "-m", small_model_file, page).out.splitlines()
    extractor, codebook = FeatureExtractor(small_model.config), small_model.potentials.codebook
    table = extractor.table([decode(page.read_bytes()).text.encode()])
    codes = codebook.codes(extractor.columns(table))
    for record, row in zip(map(json.loads, lines), codes.tolist(), strict=True):
        assert [record[name] for name in codebook.names] == row
