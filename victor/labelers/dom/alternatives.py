"""Alternative texts that stand in place of ignored images: the two switches *Display ALT Links*."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from victor.labelers.dom.settings import Filters
from victor.page.parsing.events import IMAGE_END, Bundles, PageTarget, Recorder
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import segment


def are_shown(filters: Filters) -> bool:
    """Do alternative texts stand in place of some images."""
    return (filters.non_link_images and filters.alt_for_images) or (
        filters.image_links and filters.alt_for_image_links
    )


def with_alternatives(
    pages: Sequence[bytes], filters: Filters, attributes: tuple[str, ...]
) -> BlockTable:
    """Block table of a batch of pages given as UTF-8 bytes, with the texts for ignored images.

    Such a text lies inside the image element. All images of such a table have an end tag.
    """
    target = partial(
        AlternativeTarget,
        in_links=filters.image_links and filters.alt_for_image_links,
        elsewhere=filters.non_link_images and filters.alt_for_images,
    )
    recorder = Recorder(attributes=attributes, target=target)
    for page in pages:
        recorder.add(page)
    return segment(recorder.events(), "block")


class AlternativeTarget(PageTarget):
    """Parser target of one page that turns the ``alt`` of some images into text inside them.

    Args:
        bundles: shared by the pages of a batch.
        alt_text: not used; the two below say it of the images in links and of all others.
        attributes: which attributes make a bundle.
        in_links: for images inside ``<a href>``.
        elsewhere: for all others.
    """

    def __init__(
        self,
        bundles: Bundles,
        *,
        alt_text: bool = False,
        attributes: tuple[str, ...] = (),
        in_links: bool,
        elsewhere: bool,
    ) -> None:
        super().__init__(bundles, alt_text=True, attributes=attributes)
        self._anchors: list[bool] = []
        self._n_links = 0
        self._in_links, self._elsewhere = in_links, elsewhere
        self.start = self._counting_start(self.start)
        self.end = self._counting_end(self.end)

    def _counting_start(
        self, lean: Callable[[str, Mapping[str, str]], None]
    ) -> Callable[[str, Mapping[str, str]], None]:
        def start(name: str, attributes: Mapping[str, str]) -> None:
            if name == "a":
                self._anchors.append("href" in attributes)
                self._n_links += self._anchors[-1]
            lean(name, attributes)

        return start

    def _counting_end(self, lean: Callable[[str], None]) -> Callable[[str], None]:
        def end(name: str) -> None:
            if name == "a":
                self._n_links -= self._anchors.pop()
            lean(name)

        return end

    def _rare_start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name != "img" or self._dropped_depth:
            super()._rare_start(name, attributes)
            return
        is_shown = self._in_links if self._n_links else self._elsewhere
        text = attributes.get("alt", "") if is_shown else ""
        self.events += [self._open_code(name, attributes), text, IMAGE_END]
