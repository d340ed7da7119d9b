"""How the article page looks: a measure for reading, light or dark as its reader has it."""

from __future__ import annotations

import base64
import hashlib
from typing import Final

STYLE: Final = """
:root{color-scheme:light dark;--ink:#1c1e21;--quiet:#5a616a;--line:#d4d8dd;--soft:#f4f5f7;--link:#0b57d0;--paper:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#e2e5e9;--quiet:#a2a9b3;--line:#41464e;--soft:#22262b;--link:#8ab4f8;--paper:#15181b}}
html{background:var(--paper);color:var(--ink);-webkit-text-size-adjust:100%}
body{box-sizing:border-box;max-width:calc(68ch + 2.5rem);margin:0 auto;padding:2.5rem 1.25rem 4rem;font:1.0625rem/1.65 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:break-word}
h1,h2,h3,h4,h5,h6{margin:1.8em 0 .5em;line-height:1.25;text-wrap:balance}
h1{font-size:clamp(1.6rem,5vw,2.1rem)}h2{font-size:1.4rem}h3{font-size:1.2rem}h4,h5,h6{font-size:1rem}
article>:first-child{margin-top:0}
a{color:var(--link);text-underline-offset:.15em}
:is(h1,h2,h3,h4,h5,h6) a:not(:hover,:focus){color:inherit;text-decoration:none}
.about{margin:0 0 2rem;padding-bottom:1rem;border-bottom:1px solid var(--line);color:var(--quiet);font-size:.9375rem}
h1:has(+.about){margin-bottom:.4em}
img{max-width:100%;height:auto}
code{padding:.1em .3em;border-radius:4px;background:var(--soft);font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{overflow-x:auto;padding:.9rem 1.1rem;border:1px solid var(--line);border-radius:6px;background:var(--soft);line-height:1.5;tab-size:4}
pre code{padding:0;background:none;font-size:.875rem}
blockquote,aside{margin:1.5em 0;padding:.1em 0 .1em 1.1em;border-inline-start:3px solid var(--line)}
aside{padding:.2em 1.1em;border-radius:0 6px 6px 0;border-color:var(--link);background:var(--soft)}
aside:is(.warning,.caution,.danger,.attention,.error,.failure,.bug,.important){border-color:#d97706}
:is(blockquote,aside)>:first-child{margin-top:.4em}:is(blockquote,aside)>:last-child{margin-bottom:.4em}
ul,ol{padding-inline-start:1.6em}li,dd{margin:.25em 0}li>:first-child{margin-top:0}dt{margin-top:1em;font-weight:600}dd{margin-inline-start:1.6em}
table{display:block;overflow-x:auto;width:max-content;max-width:100%;margin:1.5em 0;border-collapse:collapse;font-size:.9375rem;line-height:1.45}
caption,figcaption{padding-bottom:.5em;color:var(--quiet);font-size:.9375rem;text-align:start}
th,td{padding:.45em .75em;border:1px solid var(--line);text-align:start;vertical-align:top}
th{background:var(--soft)}td>p,th>p{margin:.2em 0}
figure{margin:1.5em 0}figcaption{padding-top:.5em}
hr{margin:2.5em 0;border:0;border-top:1px solid var(--line)}
sub,sup{line-height:0}
li[id^="note-"]{color:var(--quiet);font-size:.9375rem}:target{background:var(--soft)}
@media print{:root{--ink:#000;--paper:#fff;--link:#000}body{max-width:none;padding:0;font-size:11pt}pre{white-space:pre-wrap}h1,h2,h3,h4{break-after:avoid}img,pre,tr{break-inside:avoid}}
"""  # noqa: E501 - a rule a line
"""The style sheet; it fetches nothing."""
HASH: Final = "sha256-" + base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
"""What a Content Security Policy allows it by."""
