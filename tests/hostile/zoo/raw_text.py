"""Elements whose content is not markup, without their end or with a strange one."""

from __future__ import annotations

from typing import Final

from hostile.zoo.inputs import ANY, Group
from hostile.zoo.texts import KEY, SCRIPT_MARK, SENTENCE, TEXT, UTF_8, page, page_text

GROUP: Final = Group("raw-text")

_UNCLOSED: Final = (
    "textarea title style script xmp iframe noembed noframes plaintext template svg object select "
    "math noscript button audio canvas video head map dialog"
).split()
for _tag in _UNCLOSED:
    GROUP.add(
        f"unclosed-{_tag}",
        lambda n, tag=_tag: page(f"{TEXT}<{tag}>" + f"<p>{SENTENCE}</p>" * n(2_000)),
    )
    GROUP.add(
        f"unclosed-{_tag}-before",
        lambda n, tag=_tag: page(f"<{tag}><p>{SENTENCE}</p>" + TEXT),
        key=None,
        expected=ANY,
    )

_COMMENTS: Final = {
    "unclosed": f"{TEXT}<!-- {SENTENCE}",
    "dash-bang": f"<!-- a --!>{TEXT}<!-- b --!>",
    "empty": f"<!-->{TEXT}<!--->",
    "dashes-inside": f"<!-- a -- b ---->{TEXT}<!---- ---->",
    "conditional": f"<!--[if IE]><p>old</p><![endif]--><![if !IE]>{TEXT}<![endif]>",
    "nested": f"<!-- a <!-- b -->{TEXT}",
    "bogus": f"<!x>{TEXT}<!y><?z></ w>",
    "in-script": f"<script><!-- '{SCRIPT_MARK}' //--></script>{TEXT}",
    "script-in-comment-in-script": (
        f"<script><!-- <script> '{SCRIPT_MARK}' </script> '{SCRIPT_MARK}' --></script>{TEXT}"
    ),
}
for _name, _body in _COMMENTS.items():
    GROUP.add(f"comment-{_name}", lambda n, body=_body: page(body))

_ENDS: Final = {
    "blanks": "</script\t\n>", "slash": "</script/>", "attributes": '</script x="y">',
    "capitals": "</SCRIPT>", "mixed": "</ScRiPt >",
}  # fmt: skip
for _name, _end in _ENDS.items():
    GROUP.add(
        f"script-end-with-{_name}",
        lambda n, end=_end: page(f"<script>var a = '{SCRIPT_MARK}';{end}{TEXT}"),
    )
GROUP.add(
    "script-with-markup-in-strings",
    lambda n: page(f"<script>a = '<p>{SCRIPT_MARK}<\\/p>';</script>{TEXT}" * n(4_000)),
)
GROUP.add("scripts-unclosed-often", lambda n: page(TEXT + f"<script>{SCRIPT_MARK}" * n(100_000)))
GROUP.add("areas-unclosed-often", lambda n: page(TEXT + "<textarea>x" * n(100_000)))
GROUP.add("titles-unclosed-often", lambda n: page(TEXT + "<title>x" * n(100_000)))
GROUP.add("styles-unclosed-often", lambda n: page(TEXT + "<style>x" * n(100_000)))
GROUP.add("raw-elements-mixed", lambda n: page(TEXT + "<xmp><iframe><noembed><p>x" * n(50_000)))
GROUP.add(
    "title-unclosed", lambda n: page_text(TEXT, UTF_8).replace("</title>", "").encode(), key=KEY
)
GROUP.add(
    "style-unclosed-in-head",
    lambda n: page_text(TEXT, UTF_8).replace("</style>", "").encode(),
    key=None,
    expected=ANY,
)
GROUP.add("shadow", lambda n: page(f"<div><template shadowrootmode=open>{TEXT}</template></div>"),
          key=None)  # fmt: skip
GROUP.add("noscript-article", lambda n: page(f"<noscript>{TEXT}</noscript>"), key=None)
GROUP.add("article-in-area", lambda n: page(f"<textarea>{TEXT}</textarea>"), key=None)
GROUP.add("article-in-xmp", lambda n: page(f"<xmp>{TEXT}</xmp>"), key=None)
GROUP.add("article-after-plaintext", lambda n: page(f"<plaintext>{TEXT}"), key=None)
