"""Clean pages in pipelines of datatrove, which share inputs among the tasks of a cluster.

    pipeline = [WarcReader("/crawl/"), VictorExtractor(), JsonlWriter("/corpus")]
    SlurmPipelineExecutor(pipeline, tasks=1000, time="24:00:00", partition="cpu").run()

See docs/how-to/scale.md.
"""

from __future__ import annotations

from typing import Any

from victor.base import lazy
from victor.documents.process import CrawlSpec, Processor
from victor.sources.record import Record

lazy.load("datatrove", extra="all")  # says how to install it

from datatrove.pipeline.extractors.base import BaseExtractor  # noqa: E402
from datatrove.utils.logging import logger  # noqa: E402


class VictorExtractor(BaseExtractor):  # type: ignore[misc]
    """Text from HTML, after any of datatrove's readers.

    datatrove runs it in another process with a time limit per page, sends it one page at a time,
    and drops pages without text.

    Args:
        spec: what cleans.
        timeout: wall clock seconds that a page may take, loading the labeler included.

    Raises:
        VictorError: what cleans cannot be loaded.
    """

    name = "Victor: text"

    def __init__(self, spec: CrawlSpec | None = None, timeout: float = 10) -> None:
        super().__init__(timeout)
        self.spec = spec or CrawlSpec()
        self.spec.load()
        self._process: Processor | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_process": None}

    def extract(self, text: str) -> str:
        """Text of a page, or Markdown if the spec asks for it; empty if it is dropped or fails.

        An exception would end the process, and nobody would learn which.
        """
        try:
            if self._process is None:
                self._process = self.spec.load()
            (outcome,) = self._process([Record("", 0, text)])
        except Exception as error:
            logger.warning(f"Victor: {type(error).__name__}: {error}")
            return ""
        if outcome.row is None or outcome.status != "written":
            return ""
        return outcome.row.markdown or outcome.row.text
