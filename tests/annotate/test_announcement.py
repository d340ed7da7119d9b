"""What `victor annotate serve` prints at its start."""

from victor.annotate.store.revisions import Save
from victor.cli.annotate import _announce


def test_labels_that_came_along_are_counted(store, capsys):
    announce = _announce(store, open_browser=False)
    announce("http://x/")
    assert "3 pages in " in capsys.readouterr().err
    store.revisions.save("bees", Save("import", labels="htto", state="done"))
    announce("http://x/")
    assert "3 pages, 1 labelled, in " in capsys.readouterr().err
