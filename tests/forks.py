"""Children of a process that has threads, which is the subject of the tests that fork them."""

import os
import threading

import pytest


def needs_fork(test):
    """Skip a test where nothing forks, and expect the warning of Python where it does."""
    ignored = pytest.mark.filterwarnings("ignore::DeprecationWarning")
    return pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")(ignored(test))


def status_of_child(act):
    """How a forked child ends: with 0 if what it did is true, with 1 if it hangs."""
    child = os.fork()
    if not child:
        watchdog = threading.Timer(60, os._exit, [1])
        watchdog.daemon = True
        watchdog.start()
        os._exit(0 if act() else 2)
    return os.waitpid(child, 0)[1]
