"""A child that is forked while a thread loads a module can load it, too."""

import importlib
import os
import sys
import threading
import time

import pytest

from victor.base.forks import wait_for_modules


@pytest.fixture
def loading(tmp_path, monkeypatch):
    """A thread that is loading the module ``slowly``."""
    (tmp_path / "slowly.py").write_text("import time\ntime.sleep(1)\nready = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    thread = threading.Thread(target=importlib.import_module, args=["slowly"])
    thread.start()
    while "slowly" not in sys.modules:
        time.sleep(0.001)
    yield thread
    thread.join()
    del sys.modules["slowly"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of forks beside threads, the subject
def test_a_child_loads_what_a_thread_is_loading(loading):
    child = os.fork()
    if not child:
        watchdog = threading.Timer(60, os._exit, [1])
        watchdog.daemon = True
        watchdog.start()
        os._exit(0 if importlib.import_module("slowly").ready else 2)
    assert os.waitpid(child, 0)[1] == 0


def test_the_thread_that_loads_does_not_wait_for_itself(tmp_path, monkeypatch):
    (tmp_path / "forking.py").write_text(
        "import time\nfrom victor.base.forks import wait_for_modules\n"
        "start = time.monotonic()\nwait_for_modules()\ntook = time.monotonic() - start\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert importlib.import_module("forking").took < 5


def test_nobody_waits_for_ever(loading, monkeypatch):
    monkeypatch.setattr("victor.base.forks._LONGEST", 0.0)
    wait_for_modules()
    assert loading.is_alive()
