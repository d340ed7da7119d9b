"""XML that asks a parser for more than it holds: entities, other files, depth."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from hostile.zoo.inputs import ANY, Group
from hostile.zoo.texts import SENTENCE, TEXT, page_text

GROUP: Final = Group("xml")

SECRET: Final = Path(__file__).with_name("secret.txt")
"""No input holds what this file says, so that an output which does has read it."""
SECRET_WORD: Final = "zugbrueckenwaerter"

_INCLUDE: Final = "http://www.w3.org/2001/XInclude"
_DECLARATION: Final = '<?xml version="1.0"?>\n'
_LAUGHS: Final = "".join(f'<!ENTITY l{level + 1} "{f"&l{level};" * 10}">' for level in range(9))


def _converted(declarations: str, body: str) -> bytes:
    """A document that some program converted to XML, the kind that an XML parser reads."""
    kind = f"<!DOCTYPE document [{declarations}]>" if declarations else ""
    return (
        f"{_DECLARATION}{kind}<document><page><header>Lamps</header>"
        f"<textfield>{SENTENCE}</textfield>{body}</page></document>"
    ).encode()


def _web(declarations: str, body: str) -> bytes:
    kind = f"<!DOCTYPE html [{declarations}]>\n"
    text = page_text(TEXT + body).replace("<!DOCTYPE html>\n", kind)
    return (_DECLARATION + text).encode()


_ATTACKS: Final = {
    "laughs": lambda n: (f'<!ENTITY l0 "ha">{_LAUGHS}', "<p>&l9;</p>"),
    "long-entity": lambda n: (f'<!ENTITY a "{"x" * n(50_000)}">', f"<p>{'&a;' * n(50_000)}</p>"),
    "recursive": lambda n: ('<!ENTITY a "&b;"><!ENTITY b "&a;">', "<p>&a;</p>"),
    "file": lambda n: (f'<!ENTITY a SYSTEM "{SECRET.as_uri()}">', "<p>&a;</p>"),
    "system-file": lambda n: ('<!ENTITY a SYSTEM "file:///etc/passwd">', "<p>&a;</p>"),
    "relative-file": lambda n: ('<!ENTITY a SYSTEM "secret.txt">', "<p>&a;</p>"),
    "network": lambda n: ('<!ENTITY a SYSTEM "http://127.0.0.1:9/a">', "<p>&a;</p>"),
    "parameter": lambda n: (f'<!ENTITY % p SYSTEM "{SECRET.as_uri()}"> %p;', "<p>&p;</p>"),
    "parameter-network": lambda n: ('<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;', ""),
    "many-entities": lambda n: (
        "".join(f'<!ENTITY e{i} "x">' for i in range(n(100_000))), "<p>&e0;</p>"
    ),
    "attribute-entities": lambda n: (
        f'<!ENTITY a "{"x" * n(50_000)}">',
        "<p " + " ".join(f'a{i}="&a;&a;"' for i in range(n(2_000))) + ">x</p>",
    ),
    "default-attributes": lambda n: (
        "<!ATTLIST p " + " ".join(f'a{i} CDATA "x"' for i in range(n(20_000))) + ">", "<p>x</p>"
    ),
    "unclosed-declaration": lambda n: ("<!ENTITY " * n(100_000), "<p>x</p>"),
}  # fmt: skip
for _name, _attack in _ATTACKS.items():
    GROUP.add(f"page-{_name}", lambda n, attack=_attack: _web(*attack(n)), expected=ANY)
    GROUP.add(
        f"document-{_name}",
        lambda n, attack=_attack: _converted(*attack(n)),
        key=None,
        expected=ANY,
    )

GROUP.add(
    "document-deep",
    lambda n: _converted("", "<page>" * n(200_000) + "x" + "</page>" * n(200_000)),
    key=None, expected=ANY,
)  # fmt: skip
GROUP.add(
    "document-long",
    lambda n: _converted("", f"<textfield>{SENTENCE}</textfield>" * n(20_000)),
    key=None, expected=ANY,
)  # fmt: skip
GROUP.add(
    "include",
    lambda n: _converted(
        "", f'<x:include xmlns:x="{_INCLUDE}" href="{SECRET.as_uri()}" parse="text"/>'
    ),
    key=None, expected=ANY,
)  # fmt: skip
GROUP.add(
    "style-sheet",
    lambda n: (
        f'{_DECLARATION}<?xml-stylesheet href="{SECRET.as_uri()}"?>' + page_text(TEXT)
    ).encode(),
)
GROUP.add(
    "namespaces",
    lambda n: (
        f"{_DECLARATION}<html "
        + " ".join(f'xmlns:n{i}="urn:{i}"' for i in range(n(50_000)))
        + f">{TEXT}</html>"
    ).encode(),
)
GROUP.add("cdata-everywhere", lambda n: page_text(TEXT + "<![CDATA[x]]>y" * n(200_000)).encode())
GROUP.add("cdata-unclosed", lambda n: page_text(TEXT + "<![CDATA[ x" * n(200_000)).encode())
