"""What is made when it is first used: properties, names of packages, optional packages."""

import importlib
import os
import subprocess
import sys
import threading
import time
from importlib import import_module

import pytest

from victor.base import lazy
from victor.base.lazy import cached_property
from victor.errors import ConfigError


class Page:
    """Its text is ready when `may_finish` is set."""

    def __init__(self):
        self.started, self.may_finish = threading.Event(), threading.Event()
        self.calls = 0

    @cached_property
    def text(self):
        """A new object at every call."""
        self.calls += 1
        self.started.set()
        assert self.may_finish.wait(60)
        return object()


@pytest.fixture
def slow_page():
    """A page whose text another thread is computing."""
    page = Page()
    thread = threading.Thread(target=lambda: page.text)
    thread.start()
    assert page.started.wait(60)
    yield page
    page.may_finish.set()
    thread.join()


def ready_page():
    page = Page()
    page.may_finish.set()
    return page


def test_a_value_is_computed_once():
    page = ready_page()
    assert page.text is page.text
    assert page.calls == 1


@pytest.mark.usefixtures("slow_page")
def test_an_object_does_not_wait_for_another():
    page, texts = ready_page(), []
    thread = threading.Thread(target=lambda: texts.append(page.text), daemon=True)
    thread.start()
    thread.join(60)
    assert texts == [page.text]


def test_threads_that_compute_at_once_get_one_value(slow_page):
    texts = []
    thread = threading.Thread(target=lambda: texts.append(slow_page.text))
    thread.start()
    slow_page.may_finish.set()
    thread.join()
    assert texts == [slow_page.text]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.usefixtures("slow_page")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of forks beside threads, the subject
def test_a_fork_does_not_wait_for_a_thread_it_has_not():
    child = os.fork()
    if not child:
        os.close(2)
        watchdog = threading.Timer(60, os._exit, [1])
        watchdog.daemon = True
        watchdog.start()
        os._exit(0 if ready_page().text else 1)
    assert os.waitpid(child, 0)[1] == 0


PACKAGES = ("victor", "victor.api")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_offered_name_can_be_loaded(package):
    module = import_module(package)
    assert all(getattr(module, name) for name in module.__all__)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_name_that_is_not_offered_is_an_attribute_error(package):
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'klean'"):
        import_module(package).klean  # noqa: B018


BLOCKED = (
    *("jinja2", "joblib", "matplotlib", "pycrfsuite", "rapidfuzz", "scipy", "sklearn"),
    "sklearn_crfsuite",
)
PROGRAM = """
import sys
sys.modules.update(dict.fromkeys({blocked}))
import victor.cli.clean, victor.cli.evaluate, victor.cli.explain
import victor.cli.sweep, victor.cli.train, victor.evaluation.report
from victor.errors import ConfigError
try:
    import victor
    victor.VictorCRF
except ConfigError as error:
    print(error)
"""


@pytest.mark.parametrize("module", ["no_such_package_here", "no_such_package_here.inner"])
def test_a_missing_one_is_a_configuration_error(module):
    with pytest.raises(
        ConfigError,
        match=r"needs the package no_such_package_here: pip install 'victor-crf\[crawl\]'",
    ):
        lazy.load(module, extra="crawl")


def test_one_that_a_command_can_do_without(monkeypatch):
    assert lazy.is_installed("yaml")
    monkeypatch.setitem(sys.modules, "yaml", None)
    assert not lazy.is_installed("yaml")
    assert not lazy.is_installed("no_such_package_here")
    assert not lazy.is_installed("no_such_package_here.inner")


def test_commands_start_without_them():
    """What a command does not need it does not import, and the estimator says what it needs."""
    program = PROGRAM.format(blocked=BLOCKED)
    run = subprocess.run([sys.executable, "-P", "-c", program], stdout=-1, text=True, check=True)
    assert "needs the package sklearn: pip install 'victor-crf[train]'" in run.stdout


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
        "import time\nfrom victor.base.lazy import wait_for_modules\n"
        "start = time.monotonic()\nwait_for_modules()\ntook = time.monotonic() - start\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert importlib.import_module("forking").took < 5
