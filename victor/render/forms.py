"""Output forms: where each is written, its options, the page that it writes, and blocks in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct

from victor.base.errors import ConfigError
from victor.base.lazy import cached_property
from victor.page.verdict.verdict import Verdict

if TYPE_CHECKING:
    from yaml import ScalarNode
    from yaml.representer import SafeRepresenter

    from victor.page.verdict.verdict import Verdict
    from victor.render.tree.nodes import Tree
    from victor.render.tree.posts import Entry

_WIDEST: Final = 2**31  # texts of YAML are never broken into several lines


class Shown(NamedTuple):
    """Switches of the forms that are made from a document."""

    links: bool = True  # where links lead
    images: bool = True  # images
    formatting: bool = True  # bold, italic, code, deleted, raised and lowered text
    tables: bool = True  # data tables as tables; else as lines of text


def _nothing(_: str) -> Any:  # noqa: ANN401  (of any type)
    return None


class Page(Struct, frozen=True, eq=False, dict=True):
    """One page of a verdict with what its forms are written from."""

    verdict: Verdict  # what is kept of its batch
    number: int = 0  # of the page there
    markup: bytes | None = None  # UTF-8; where nobody gave it links and images are unknown
    url: str | None = None  # its address, which makes other addresses absolute
    id: str | None = None  # its name, for the forms that write it
    shown: Shown = Shown()  # what is shown beside words
    headline: str = ""  # to be shown above the text
    outline: Sequence[Entry] = ()  # posts that are to be told apart
    # ``metadata``, ``reason``, ``posts`` and ``schema_org`` as `victor.api.Result` has them, by
    # name; None for what is unknown
    found: Callable[[str], Any] = _nothing

    @cached_property
    def tree(self) -> Tree:
        """The kept part as a document."""
        from victor.render.tree.build import tree  # not all forms need one

        return tree(self)

    @property
    def metadata(self) -> Mapping[str, Any]:
        """What is known of the page."""
        metadata: Mapping[str, Any] | None = self.found("metadata")
        return {} if metadata is None else metadata


class Form(NamedTuple):
    """One output form."""

    # where it is written; if it needs an optional package, its ``check`` raises ConfigError
    module: str
    options: tuple[str, ...] = ()  # names of what its function takes beside the page
    of_page: tuple[str, ...] = ()  # names of fields of `Page` that are options of it
    function: str = "render"  # which takes a `Page` and returns its text
    # it is made from a document, so it takes the switches of `Shown`, ``headline`` and ``posts``
    is_document: bool = False
    has_metadata: bool = False  # metadata can stand above it


FORMS: Final = {
    "text": Form("victor.render.text", ("bullets",), has_metadata=True),
    "markdown": Form("victor.render.markdown", is_document=True, has_metadata=True),
    "html": Form("victor.render.html", ("preclean",)),
    "article": Form("victor.render.article", is_document=True),
    "json": Form("victor.render.json_page", ("fields",), ("id",), is_document=True),
    "cleaneval": Form("victor.render.cleaneval"),
    "records": Form("victor.render.json_page", (), ("id",), "records"),
    "native": Form("victor.render.text", function="native"),
    "sentences": Form("victor.kitten.sentences", ("settings", "removals")),
}
"""All forms by name."""
WITH_METADATA: Final = tuple(name for name, form in FORMS.items() if form.has_metadata)


def renderer(name: str) -> Callable[..., str]:
    """The function of a form: it takes a `Page` and the options of the form, and returns a text.

    Raises:
        ConfigError: there is no such form, or it needs a package that is not installed.
    """
    if name not in FORMS:
        raise ConfigError(f"no output format {name!r}; choose one of {', '.join(FORMS)}")
    module = import_module(FORMS[name].module)
    if hasattr(module, "check"):
        module.check()
    function: Callable[..., str] = getattr(module, FORMS[name].function)
    return function


class Options(NamedTuple):
    """Options of a form, checked."""

    of_form: dict[str, Any]  # for the function that renders
    of_page: dict[str, Any]  # for the `Page` that it renders
    headline: bool  # is the headline to be shown
    posts: bool  # are posts to be told apart
    with_metadata: bool  # are metadata to be written above the text


def checked(name: str, options: Mapping[str, Any]) -> Options:
    """The options of a form as the user wrote them; what is not there is as the form has it.

    Raises:
        ConfigError: the form has no such option, or a switch is neither true nor false.
    """
    form = FORMS[name]
    switches = {*Shown._fields, "headline", "posts"} if form.is_document else set()
    switches |= {"with_metadata"} if form.has_metadata else set()
    of_page = {*form.of_page, *(["shown"] if form.is_document else [])}
    names = switches | of_page | {*form.options}
    for option, value in options.items():
        if option not in names:
            known = f"it has {', '.join(sorted(names))}" if names else "it has none"
            raise ConfigError(f"the form {name} has no option {option!r}; {known}")
        if option in switches and not isinstance(value, bool):
            raise ConfigError(f"{option} is a switch, true or false, not {value!r}")
    given = {each: options[each] for each in of_page if options.get(each) is not None}
    if chosen := {each: options[each] for each in Shown._fields if each in options}:
        given["shown"] = given.get("shown", Shown())._replace(**chosen)
    fields = options.get("fields") or ()
    has_document = form.is_document and (name != "json" or "markdown" in fields)
    return Options(
        {each: options[each] for each in form.options if each in options},
        given,
        headline=has_document and options.get("headline", True),
        posts=has_document and options.get("posts", True),
        with_metadata=options.get("with_metadata", False),
    )


def front_matter(metadata: Mapping[str, Any]) -> str:
    """Metadata that YAML's safe loaders read back, between lines of dashes, and a blank line."""
    import yaml  # takes a while to load, and only who asks for metadata needs it

    from victor.page.plain_data import plain

    class Dumper(yaml.SafeDumper):
        """Dumps texts with line ends and other controls as they are, escaped on one line."""

        def ignore_aliases(self, data: object) -> bool:
            """What occurs twice is written twice."""
            return True

    Dumper.add_representer(str, _text)
    written = yaml.dump(
        plain(metadata), Dumper=Dumper, allow_unicode=True, sort_keys=False, width=_WIDEST
    )
    return f"---\n{written}---\n\n"


def _text(dumper: SafeRepresenter, text: str) -> ScalarNode:
    style = None if text.isprintable() else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


Range = tuple[int, int]
"""Start and end of some characters."""
