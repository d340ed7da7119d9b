"""What is made when it is first used: properties, names of packages, optional packages."""

import importlib
import subprocess
import sys
import threading
import time
from importlib import import_module

import pytest

from tests.forks import needs_fork, status_of_child
from victor.base import lazy
from victor.base.lazy import cached_property
from victor.errors import ConfigError

PACKAGES = ("victor", "victor.api")


class Page:
    """Its text is ready when `may_finish` is set."""

    def __init__(self, *, is_ready=True):
        self.started, self.may_finish = threading.Event(), threading.Event()
        self.calls = 0
        if is_ready:
            self.may_finish.set()

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
    page = Page(is_ready=False)
    thread = threading.Thread(target=lambda: page.text)
    thread.start()
    assert page.started.wait(60)
    yield page
    page.may_finish.set()
    thread.join()


def in_thread(act):
    """A thread that has begun with something, and the list that will hold what came of it."""
    found = []
    thread = threading.Thread(target=lambda: found.append(act()), daemon=True)
    thread.start()
    return thread, found


def test_a_value_is_computed_once():
    page = Page()
    assert page.text is page.text
    assert page.calls == 1


@pytest.mark.usefixtures("slow_page")
def test_an_object_does_not_wait_for_another():
    page = Page()
    thread, texts = in_thread(lambda: page.text)
    thread.join(60)
    assert texts == [page.text]


def test_threads_that_compute_at_once_get_one_value(slow_page):
    thread, texts = in_thread(lambda: slow_page.text)
    slow_page.may_finish.set()
    thread.join()
    assert texts == [slow_page.text]


@needs_fork
@pytest.mark.usefixtures("slow_page")
def test_a_fork_does_not_wait_for_a_thread_it_has_not():
    assert status_of_child(lambda: Page().text) == 0


@pytest.mark.parametrize("package", PACKAGES)
def test_every_offered_name_can_be_loaded_and_no_other(package):
    module = import_module(package)
    assert all(getattr(module, name) for name in module.__all__)
    with pytest.raises(AttributeError, match=package):
        module.klean  # noqa: B018


def test_names_that_need_what_is_not_installed_are_not_listed():
    for needed, listed in (("yaml", True), ("no_such_package_here", False)):
        get, names = lazy.loader("victor", {"victor.errors": "VictorError"}, {"clean": needed})
        assert ("clean" in names()) == listed
        assert get("VictorError").__name__ == "VictorError"
    _, names = lazy.loader("victor", {})
    assert names() == sorted(sys.modules["victor"].__all__)


BLOCKED = (
    *("jinja2", "joblib", "matplotlib", "pycrfsuite", "rapidfuzz", "scipy", "sklearn"),
    "sklearn_crfsuite",
)
PROGRAM = f"""
import sys
sys.modules.update(dict.fromkeys({BLOCKED}))
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
    with pytest.raises(ConfigError, match=r"no_such_package_here: .*'victor-crf\[crawl\]'"):
        lazy.load(module, extra="crawl")


def test_one_that_a_command_can_do_without(monkeypatch):
    assert lazy.is_installed("yaml")
    monkeypatch.setitem(sys.modules, "yaml", None)
    for name in ("yaml", "no_such_package_here", "no_such_package_here.inner"):
        assert not lazy.is_installed(name)


def test_commands_start_without_them():
    """What a command does not need it does not import, and the estimator says what it needs."""
    run = subprocess.run([sys.executable, "-P", "-c", PROGRAM], stdout=-1, text=True, check=True)
    assert "needs the package sklearn: pip install 'victor-crf[train]'" in run.stdout


@needs_fork
def test_a_child_loads_what_a_thread_is_loading(tmp_path, monkeypatch):
    (tmp_path / "slowly.py").write_text("import time\ntime.sleep(1)\nready = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    thread, _ = in_thread(lambda: importlib.import_module("slowly"))
    while "slowly" not in sys.modules:
        time.sleep(0.001)
    assert status_of_child(lambda: importlib.import_module("slowly").ready) == 0
    thread.join()


def test_the_thread_that_loads_does_not_wait_for_itself(tmp_path, monkeypatch):
    (tmp_path / "forking.py").write_text(
        "import time\nfrom victor.base.lazy import wait_for_modules\n"
        "start = time.monotonic()\nwait_for_modules()\ntook = time.monotonic() - start\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert importlib.import_module("forking").took < 5
