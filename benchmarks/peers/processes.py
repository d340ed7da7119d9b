"""A long-lived child that answers JSON lines; one that hangs or dies costs one request."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Final

START_SECONDS: Final = 120.0
"""Some systems load models and word lists; this is not a page's time."""


class MissingError(Exception):
    """A system cannot be started; the message says why."""


class LostError(Exception):
    """A child gave no answer; it is started anew at the next request."""


class Child:
    """One child process, started when first asked.

    Args:
        command: program and arguments; its first line says what it is (see `peers.worker`).
        environment: variables added to those of this process.

    Attributes:
        about: the child's first line.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._command = list(command)
        self._environment = {**os.environ, **environment}
        self._process: subprocess.Popen[str] | None = None
        self.about: dict[str, Any] = {}

    def start(self) -> None:
        """Start the child and read its first line.

        Raises:
            MissingError: there is no such program, or what it needs is not installed.
        """
        try:
            self._process = subprocess.Popen(
                self._command,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
            )
            self.about = self._exchange(self._process, None, START_SECONDS)
        except (OSError, LostError) as error:
            raise MissingError(f"{self._command[0]} does not start: {error}") from None
        if "missing" in self.about:
            self.close()
            raise MissingError(self.about["missing"])

    def ask(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to one request.

        Raises:
            LostError: none came in time, or the child died.
            MissingError: the child had to be started and did not.
        """
        if self._process is None:
            self.start()
        assert self._process is not None
        return self._exchange(self._process, request, seconds)

    def _exchange(
        self, process: subprocess.Popen[str], request: Mapping[str, Any] | None, seconds: float
    ) -> dict[str, Any]:
        """Write a request, if any, and read a line; killing the child ends a wait at either."""
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Event()

        def stop() -> None:
            late.set()
            process.kill()

        watch = threading.Timer(seconds, stop)
        watch.start()
        try:
            if request is not None:
                process.stdin.write(json.dumps(request) + "\n")
                process.stdin.flush()
            answer: dict[str, Any] = json.loads(process.stdout.readline())
        except (OSError, ValueError):  # closed pipe, or no whole line
            self.close()
            reason = f"no answer in {seconds:g} s" if late.is_set() else "the process died"
            raise LostError(reason) from None
        finally:
            watch.cancel()
        return answer

    def close(self) -> None:
        """End the child."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:  # what was not yet written is of no use
                pass

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
