"""Victor in WebMainBench.

Copy this file into `webmainbench/extractors/` of its checkout and import it in `__init__.py` there.
The extractor has the name ``victor``.
"""

import victor

from .base import BaseExtractor, ExtractionResult
from .factory import extractor


@extractor("victor")
class VictorExtractor(BaseExtractor):
    """Main content as Markdown, with the model that ships."""

    version = victor.__version__
    description = "Blocks labelled by a conditional random field over boosted trees"

    def _setup(self):
        self._cleaner = victor.api.load_cleaner()

    def _extract_content(self, html, url=None):
        try:
            result = self._cleaner.clean(html, url)
        except victor.VictorError as error:
            return ExtractionResult.create_error_result(f"Victor: {error}")
        return ExtractionResult(
            content=result.markdown,
            title=result.metadata.get("title"),
            language=result.metadata.get("language"),
            success=True,
        )
