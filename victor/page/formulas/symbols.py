"""TeX of the characters, names and accents of mathematics, as LaTeX and KaTeX have them."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final


def _table(pairs: str) -> dict[str, str]:
    """Character to command, from pairs of them."""
    words = pairs.split()
    return {character: "\\" + name for character, name in zip(words[::2], words[1::2], strict=True)}


_LETTERS: Final = _table(
    "α alpha β beta γ gamma δ delta ϵ epsilon ε varepsilon ζ zeta η eta θ theta ϑ vartheta ι iota "
    "κ kappa ϰ varkappa λ lambda μ mu µ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma "
    "ς varsigma τ tau υ upsilon ϕ phi φ varphi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta "
    "Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega ℵ aleph ℶ beth ℷ gimel ℸ daleth "
    "ℏ hbar ı imath ȷ jmath ℓ ell ℘ wp ∂ partial ∇ nabla ∞ infty ∅ emptyset ∀ forall "
    "∃ exists ∄ nexists ∠ angle ∡ measuredangle ∢ sphericalangle △ triangle □ square ■ blacksquare "
    "◊ lozenge ⊤ top ⊥ bot ♭ flat ♮ natural ♯ sharp ♣ clubsuit ♢ diamondsuit ♡ heartsuit "
    "♠ spadesuit ★ bigstar ℧ mho ð eth § S ¶ P © copyright £ pounds … ldots ⋯ cdots ⋮ vdots "
    "⋱ ddots ∁ complement ✓ checkmark ✠ maltese"
)
"""Of letters and other signs that stand by themselves."""
_INFIX: Final = _table(
    "± pm ∓ mp × times ÷ div ∗ ast ⋆ star ∘ circ • bullet ⋅ cdot · cdot ∩ cap ∪ cup ⊎ uplus "
    "⊓ sqcap ⊔ sqcup ∨ vee ∧ wedge ∖ setminus ≀ wr ⋄ diamond ⊕ oplus ⊖ ominus ⊗ otimes ⊘ oslash "
    "⊙ odot † dagger ‡ ddagger ⨿ amalg ⋉ ltimes ⋊ rtimes ⊞ boxplus ⊟ boxminus ⊠ boxtimes "
    "⊡ boxdot ⊺ intercal ⋒ Cap ⋓ Cup ∔ dotplus ⊼ barwedge ⊻ veebar "
    "≤ leq ≥ geq ⩽ leqslant ⩾ geqslant ≠ neq ≪ ll ≫ gg ⋘ lll ⋙ ggg ≦ leqq ≧ geqq ≮ nless "
    "≯ ngtr ≰ nleq ≱ ngeq ≲ lesssim ≳ gtrsim ≶ lessgtr ≷ gtrless ≺ prec ≻ succ ≼ preceq "
    "≽ succeq ⪯ preceq ⪰ succeq ≡ equiv ∼ sim ≁ nsim ≃ simeq ≅ cong ≇ ncong ≈ approx "
    "≊ approxeq ≍ asymp ≐ doteq ≔ coloneqq ≜ triangleq ∝ propto ∣ mid ∤ nmid ∥ parallel "
    "∦ nparallel ⊢ vdash ⊣ dashv ⊨ models ⊩ Vdash ⊬ nvdash ⊭ nvDash ⋈ bowtie ⌣ smile ⌢ frown "
    "∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ⊊ subsetneq ⊋ supsetneq "
    "⊈ nsubseteq ⊉ nsupseteq ⊏ sqsubset ⊐ sqsupset ⊑ sqsubseteq ⊒ sqsupseteq "
    "⊲ triangleleft ⊳ triangleright ⊴ trianglelefteq ⊵ trianglerighteq ∴ therefore ∵ because "
    "← leftarrow → to ↔ leftrightarrow ⇐ Leftarrow ⇒ Rightarrow ⇔ Leftrightarrow "
    "↑ uparrow ↓ downarrow ↕ updownarrow ⇑ Uparrow ⇓ Downarrow ⇕ Updownarrow ↦ mapsto "
    "⟵ longleftarrow ⟶ longrightarrow ⟷ longleftrightarrow ⟸ Longleftarrow ⟹ Longrightarrow "
    "⟺ iff ⟼ longmapsto ↗ nearrow ↘ searrow ↙ swarrow ↖ nwarrow ↪ hookrightarrow "
    "↩ hookleftarrow ⇀ rightharpoonup ⇁ rightharpoondown ↼ leftharpoonup ↽ leftharpoondown "
    "⇌ rightleftharpoons ⇋ leftrightharpoons ↠ twoheadrightarrow ↣ rightarrowtail "
    "⇝ rightsquigarrow ↝ leadsto ⊸ multimap ↚ nleftarrow ↛ nrightarrow ⇏ nRightarrow "
    "⇄ rightleftarrows ⇆ leftrightarrows ⇉ rightrightarrows ↻ circlearrowright ↺ circlearrowleft"
)
"""Of operators between two things."""
LARGE: Final = _table(
    "∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ∯ oiint ∰ oiiint ⋂ bigcap ⋃ bigcup "
    "⨆ bigsqcup ⋁ bigvee ⋀ bigwedge ⨀ bigodot ⨂ bigotimes ⨁ bigoplus ⨄ biguplus"
)
"""Of operators whose limits stand below and above them."""
OPENING: Final = {"(": "(", "[": "[", "{": "\\{"} | _table("⟨ langle 〈 langle ⌊ lfloor ⌈ lceil")
CLOSING: Final = {")": ")", "]": "]", "}": "\\}"} | _table("⟩ rangle 〉 rangle ⌋ rfloor ⌉ rceil")
BARS: Final = {"|": "|", "‖": "\\|", "∥": "\\|", "∣": "|"}
"""Fences that open and close alike."""
_ASCII: Final = {
    "\\": "\\backslash", "#": "\\#", "$": "\\$", "%": "\\%", "&": "\\&", "_": "\\_",
    "~": "\\sim", "^": "\\wedge", "−": "-", "‐": "-", "–": "-", "―": "-", "∕": "/", "⁄": "/",
    "∶": ":",
    "`": "`", "ⅆ": "d", "ⅅ": "D", "ⅇ": "e",
    "ⅈ": "i", "ⅉ": "j", "\u00a0": "\\ ", "\u2009": "\\,", "\u200a": "\\,", "\u205f": "\\:",
    "\u2005": "\\:", "\u2004": "\\;", "\u2002": "\\enspace ", "\u2003": "\\quad ",
    "√": "\\surd", "°": "^{\\circ}", "∆": "\\Delta", "Ω": "\\Omega", "ℎ": "h",
}  # fmt: skip
"""Of characters that TeX reads otherwise, or that stand for others."""
INVISIBLE: Final = frozenset(
    "\u2061\u2062\u2063\u2064\u200b\u200c\u200d\u2060\ufeff\u00ad\ufe0e\ufe0f"
)
"""Function application, times, separator, plus, and what joins or parts words."""
PRIMES: Final = {"'": 1, "′": 1, "ʹ": 1, "″": 2, "‴": 3, "⁗": 4}
RELATIONS: Final = frozenset("=<>+-:*") | _INFIX.keys() | {"−", "∕"}
"""Signs that stand between two things, with space around them."""
SYMBOLS: Final = _LETTERS | _INFIX | LARGE | OPENING | CLOSING | _ASCII | {"‖": "\\|"}

FUNCTIONS: Final = frozenset(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf "
    "limsup ln log max min Pr sec sin sinh sup tan tanh".split()
)
"""Names that TeX has a command for."""
LIMITED: Final = frozenset("lim limsup liminf max min sup inf det gcd Pr argmax argmin".split())
"""Names whose limits stand below them."""

OVER: Final = {
    "^": ("hat", "widehat"), "ˆ": ("hat", "widehat"), "̂": ("hat", "widehat"),
    "~": ("tilde", "widetilde"), "˜": ("tilde", "widetilde"), "∼": ("tilde", "widetilde"),
    "̃": ("tilde", "widetilde"), "¯": ("bar", "overline"), "‾": ("bar", "overline"),
    "_": ("bar", "overline"), "―": ("bar", "overline"), "̄": ("bar", "overline"),
    "̅": ("overline", "overline"), "−": ("bar", "overline"), "-": ("bar", "overline"),
    "–": ("bar", "overline"), "—": ("overline", "overline"), "ˉ": ("bar", "overline"),
    "→": ("vec", "overrightarrow"), "⃗": ("vec", "overrightarrow"), "⇀": ("vec", "overrightarrow"),
    "←": ("overleftarrow",) * 2, "↔": ("overleftrightarrow",) * 2, "˙": ("dot",) * 2,
    "̇": ("dot",) * 2, "¨": ("ddot",) * 2, "̈": ("ddot",) * 2, "⃛": ("dddot",) * 2,
    "ˇ": ("check", "widecheck"), "̌": ("check",) * 2, "˘": ("breve",) * 2, "̆": ("breve",) * 2,
    "´": ("acute",) * 2, "́": ("acute",) * 2, "`": ("grave",) * 2, "̀": ("grave",) * 2,
    "˚": ("mathring",) * 2, "̊": ("mathring",) * 2, "⏞": ("overbrace",) * 2,
    "︷": ("overbrace",) * 2, "⏠": ("overgroup",) * 2,
}  # fmt: skip
"""Accents above: the command for one letter, and the one for more."""
UNDER: Final = {
    "_": "underline", "¯": "underline", "‾": "underline", "̲": "underline", "―": "underline",
    "−": "underline", "⏟": "underbrace", "︸": "underbrace", "→": "underrightarrow",
    "←": "underleftarrow", "↔": "underleftrightarrow", "⏡": "undergroup",
}  # fmt: skip
"""Accents below."""
ARROWS: Final = {
    "→": "xrightarrow", "⟶": "xrightarrow", "←": "xleftarrow", "⟵": "xleftarrow",
    "↔": "xleftrightarrow", "⇒": "xRightarrow", "⇐": "xLeftarrow", "⇔": "xLeftrightarrow",
    "↦": "xmapsto", "⇌": "xrightleftharpoons",
}  # fmt: skip
"""Arrows that grow with what is written on them."""
STYLES: Final = {
    "bold": "mathbf", "double-struck": "mathbb", "script": "mathcal", "bold-script": "mathcal",
    "fraktur": "mathfrak", "bold-fraktur": "mathfrak", "sans-serif": "mathsf",
    "bold-sans-serif": "mathsf", "sans-serif-italic": "mathsf", "monospace": "mathtt",
    "sans-serif-bold-italic": "mathsf", "bold-italic": "boldsymbol", "normal": "mathrm",
}  # fmt: skip
"""Commands of the values of ``mathvariant``."""
_STYLE_WORDS: Final = (
    ("DOUBLE-STRUCK", "mathbb"), ("SCRIPT", "mathcal"), ("FRAKTUR", "mathfrak"),
    ("BLACK-LETTER", "mathfrak"), ("SANS-SERIF", "mathsf"), ("MONOSPACE", "mathtt"),
    ("BOLD ITALIC", "boldsymbol"), ("BOLD", "mathbf"),
)  # fmt: skip
"""Parts of the Unicode names of styled letters, the first that fits, and their commands."""


@cache
def symbol(character: str) -> str:
    r"""TeX of one character in mathematics; a character without a command is itself.

    >>> symbol("α"), symbol("𝔸"), symbol("%"), symbol("語")
    ('\\alpha', '\\mathbb{A}', '\\%', '語')
    """
    tex = SYMBOLS.get(character)
    if tex is not None:
        return tex
    base = unicodedata.normalize("NFKC", character)
    if base == character or len(base) != 1 or not base.isalnum():
        return character
    name = unicodedata.name(character, "")
    command = next((command for words, command in _STYLE_WORDS if words in name), "")
    plain = SYMBOLS.get(base, base)
    if not command:
        return plain
    return f"\\{'boldsymbol' if plain != base else command}{{{plain}}}"


COMMANDS: Final = frozenset(
    [command.strip("\\") for command in SYMBOLS.values() if command[1:].isalpha()]
    + [command for pair in OVER.values() for command in pair]
    + [*UNDER.values(), *ARROWS.values(), *STYLES.values(), *FUNCTIONS]
    + "frac dfrac tfrac cfrac sqrt binom left right big Big bigg Bigg begin displaystyle textstyle "
    "operatorname text mathit boldsymbol mathscr bm limits nolimits ne le ge to rightarrow "
    "lvert rvert lVert rVert quad qquad dots dotsc overset underset stackrel substack tag pmod "
    "bmod mod implies cancel boxed not hspace mathop mathrel over choose land lor lnot gets colon "
    "prime mbox".split()
)
"""Names of commands that tell that a text is TeX."""
