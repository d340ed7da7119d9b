"""How far and where labels of encodings are looked for."""

import pytest

from victor.page.decoding.legacy_encodings import declared_labels

SURE, MOST = 1024, 1 << 16
META = b"<meta charset=koi8-r>"


def labels(page):
    return list(declared_labels(page))


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        # The head ends at the first element that it cannot hold, if that begins at byte 1,024.
        (b" " * (SURE - 1) + b"<p>" + META, ["koi8-r"]),
        (b" " * SURE + b"<p>" + META, []),
        (b" " * SURE + b"<link>" + META, ["koi8-r"]),
        (b" " * SURE + b"<!-- <p> -->" + META, ["koi8-r"]),
        (b"<p>" + b" " * MOST + META, []),
        (b" " * (MOST - len(META)) + META, ["koi8-r"]),
        (b" " * (MOST - len(META) + 1) + META, []),
        # Comments and declarations: "<!-->" is a whole one.
        (b"<!-->" + META, ["koi8-r"]),
        (b"<!--->" + META, ["koi8-r"]),
        (b"<!-" + META, []),
        (b"<!-- >" + META, []),
        (b"<!-- >" + META + b"-->" + META.replace(b"8", b"9"), ["koi9-r"]),
        (b"<!>" + META, ["koi8-r"]),
        (b"<?>" + META, ["koi8-r"]),
        (b"</>" + META, ["koi8-r"]),
        (b"<!x" + META, []),
        (b"<!x>" + META, ["koi8-r"]),
        (b"<!x" + META + META, ["koi8-r"]),
        (b"<!x", []),
        # Tags and elements.
        (b"</meta charset=a>" + META, ["koi8-r"]),
        (b"<title><meta charset=a></title>" + META, ["koi8-r"]),
        (b"<title><meta charset=a></titles>" + META, []),
        (b"</title>" + META, ["koi8-r"]),
        (META[:-1], []),
        (b"<link a='>" + META, []),
        (b"<meta charset=a charset=b>", ["a"]),
        (b"<meta charset=a>" + META, ["a", "koi8-r"]),
        (b"<meta http-equiv=content-type content='charset = \"x\"'>", ["x"]),
        (b"<meta http-equiv=refresh content='charset=x'>", []),
        (b"<meta content='charset=x'>", []),
        (b"<meta http-equiv=content-type content=html>", []),
        # The XML declaration has to be whole within the first 1,024 bytes.
        (b" " * 999 + b"<?xml encoding='a'", ["a"]),
        (b" <?xml version='1' encoding='a'?>" + META, ["koi8-r", "a"]),
        (b"<?xml " + b" " * (SURE - 18) + b" encoding='", []),
        (b"<?xml " + b" " * (SURE - 18) + b" encoding='ab'", ["a"]),
        (b"<a><?xml encoding='a'?>", []),
    ],
)
def test_labels(page, expected):
    assert labels(page) == expected
