"""The elements of a page that we wrote, by another parser than ours; their tags must balance."""

from html.parser import HTMLParser

VOIDS = {"meta", "img", "br", "hr", "input", "link", "source"}


class Elements(HTMLParser):
    """All elements in their order.

    Attributes:
        all: (name, attributes) of every element.
        inside: those within the element whose id is `within`, with all text there in `text`.
    """

    def __init__(self, page, within=""):
        super().__init__(convert_charrefs=True)
        self.all, self.inside, self.text = [], [], []
        self._within, self._open = within, []
        self.feed(page)
        self.close()
        assert not self._open, "all is closed"

    @property
    def names(self):
        return {name for name, _ in self.all}

    @property
    def attributes(self):
        """(element, name, value) of every attribute."""
        return [(name, *pair) for name, attributes in self.all for pair in attributes.items()]

    def _is_within(self):
        return any(of_id == self._within for _, of_id in self._open)

    def handle_starttag(self, tag, attrs):
        self.all.append((tag, dict(attrs)))
        if self._is_within():
            self.inside.append(self.all[-1])
        if tag not in VOIDS:
            self._open.append((tag, dict(attrs).get("id")))

    def handle_endtag(self, tag):
        assert self._open.pop()[0] == tag, "in order"

    def handle_data(self, data):
        if self._is_within():
            self.text.append(data)


def letters(text):
    """Letters and digits of a text, where only its words count."""
    return "".join(filter(str.isalnum, text))
