r"""The formulas of a page as TeX: in text and HTML between ``\(`` and ``\)``.

KaTeX, MathJax, Temml and MediaWiki write a formula several times: as MathML, as styled letters, as
a picture. The TeX is in an annotation, a script, an attribute or an alternative text. If there is
no TeX, it is made from MathML.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Final
from urllib.parse import unquote

from scrapy_webtext.core.texts import Signs
from scrapy_webtext.page import Nodes, Page, parse
from scrapy_webtext.page.encoding import storable_text
from scrapy_webtext.render.pictures import TextAround
from scrapy_webtext.render.tree import Formula, Part

_ELEMENTS: Final = frozenset({"math", "mjx-container", "math-renderer"})
_ATTRIBUTES: Final = (
    "data-tex", "data-latex", "data-math", "data-formula", "data-katex", "data-equation-content",
    "data-entry", "alttext",
)  # fmt: skip
#: Attributes of elements that contain one formula; values of them that are no TeX.
_NAMED: Final = frozenset(_ATTRIBUTES[:5])
_NO_TEX: Final = re.compile(r"=|(?:true|false|inline|display|block|[01])?\Z")
#: Class names of elements that contain one formula.
_NAMES: Final = re.compile(
    r"(?:^|\s)(?:katex(?:-display|-mathml|-html)?|MathJax\w*|MJX\w*(?:-\w+)?|mwe-math-\S+|ztext-math"
    r"|math-(?:inline|display|block)|arithmatex)(?:$|\s)"
)
_PICTURE: Final = re.compile(
    r"(?:^|[\s_-])(?:(?:la)?tex|(?:img)?math)(?:$|[\s_-])|mwe-math|equation", re.IGNORECASE
)
#: Parts of the addresses of formula pictures.
_PICTURE_SOURCES: Final = (
    "latex.php?", "codecogs.com", "/math/render/", "cht=tx", "equation?tex=", "math?math=",
    "math.now.sh", "upmath.me", "mimetex.cgi", "mathtex.cgi",
)  # fmt: skip
_SERVICE: Final = re.compile("|".join(map(re.escape, _PICTURE_SOURCES)))
#: The TeX in the address of a picture; commands at its start that only set its looks.
_PARAMETER: Final = re.compile(
    r"[?&](?:latex|tex|chl|math|eq|from|formula)=([^&#]+)|upmath\.me/(?:svg|png)/([^?#]+)"
    r"|/(%5[Cc][^/?#]+)\Z|(?:codecogs\.com/[\w.]{1,20}|(?:mime|math)tex\.cgi)\?([^#]+)"
)
_LOOKS: Final = re.compile(
    r"\A(?:\s*\\(?:dpi\{\d+\}|bg_\w+|fn_\w+|inline|(?:[hH]uge|[lL]arge|LARGE|small|tiny)(?![a-z])))+"
)
_NO_ALT: Final = frozenset({"", "equation", "formula", "math", "latex", "image", "tex"})
#: Attribute -> parts of its value in elements that may contain a formula.
_SIGNS: Final = {
    "class": Signs("math", "atex", "mjx", "equation", "tex ", "tex\t", "tex\n", "tex_", "tex-"),
    "alt": Signs("$", "\\"),
    "src": Signs(*_PICTURE_SOURCES, "=%5c", "/%5c", "=\\"),
}
#: Alternative texts of formula pictures.
_TEX_ALT: Final = re.compile(r"\$[^$]+\$|\\[(\[a-zA-Z].+", re.DOTALL)
_DISPLAY: Final = re.compile(r"display(?!\S{0,40}inline)|mwe-math-element-block", re.IGNORECASE)
_STYLE: Final = re.compile(r"\A\{?\\(?:display|text)style\s*(?P<tex>.*?)\s*\}?\Z", re.DOTALL)
_SCRIPT: Final = re.compile(r"<script[^<>]{0,200}math/tex([^<>]{0,200})>", re.IGNORECASE)
#: Maximum number of levels above a formula that may belong to it, and of elements before a script
#: that may show its formula.
_REACH: Final = 6
MAX_CHARS: Final = 10_000


def find_formulas(page: Page) -> Sequence[Formula]:
    """Return the formulas of a page in document order; they are cached with the page."""
    return page.cached("formulas", lambda: _find(page))


def _find(page: Page) -> list[Formula]:
    nodes = page.nodes
    found: dict[int, Formula] = {}  # first node -> formula
    outside = 0
    for node in sorted({_find_top(page, i) for i in _find_elements(page)}):
        if node >= outside and page.runs.first[node] not in page.runs.preformatted:
            tex, is_display = _read_tex(page, node)
            outside = nodes.end[node]
            if tex:
                found[node] = _make_formula(page, node, node, tex, is_display)
    for script, tex, is_display in _read_scripts(page):
        first = _find_first_shown(page, script)
        for covered in [i for i in range(first, script) if i in found]:
            del found[covered]
        found[first] = _make_formula(page, first, script, tex, is_display)
    return [found[node] for node in sorted(found)]


def _find_elements(page: Page) -> Iterator[int]:
    """Yield elements whose tag, class name, address or alternative text shows a formula."""
    nodes, attributes, tag = page.nodes, page.nodes.attributes, page.nodes.tag
    yield from nodes.tagged(_ELEMENTS)
    for i, name, value in attributes.named({*_NAMED, "eeimg"}):
        if tag[i] == "img" if name == "eeimg" else not _NO_TEX.match(value.strip()):
            yield i
    for i, name, value in attributes.with_signs(_SIGNS):
        is_of_picture = (
            (name == "class" and _PICTURE.search(value))
            or (name == "alt" and _TEX_ALT.fullmatch(value))
            or (name == "src" and (_SERVICE.search(value) or "\\" in _read_source(value)))
        )
        if (is_of_picture and tag[i] == "img") or (name == "class" and _NAMES.search(value)):
            yield i


def _read_source(source: str) -> str:
    """Return the TeX in the address of a picture; "" if missing."""
    match = _PARAMETER.search(source)
    if not match:
        return ""
    given = next(filter(None, match.groups()), "").replace("&space;", " ")
    tex = unquote(given.replace("+", " ") if match[1] else given).replace("&space;", " ")
    return _LOOKS.sub("", tex).strip()


def _make_formula(page: Page, first: int, last: int, tex: str, is_display: bool) -> Formula:
    runs, end = page.runs, page.nodes.end[last]
    before, after = _find_space(page, first, False), _find_space(page, last, True)
    return Formula(first, end, runs.first[first], runs.end[last], tex, is_display, before, after)


def _read_scripts(page: Page) -> Iterator[tuple[int, str, bool]]:
    """Yield (node, TeX, is display formula) for the scripts of type math/tex.

    The TeX is read from the source, because nodes of scripts have no text.
    """
    typed = page.nodes.attributes.named({"type"}, start="math/tex")
    scripts = [i for i, _, _ in typed if page.nodes.tag[i] == "script"]
    source = page.source if scripts else ""
    match = _SCRIPT.search(source)
    for i in scripts:
        end = source.find("</script", match.end()) if match else -1
        if match is None or end < 0:
            return
        tex = source[match.end() : end].strip().removeprefix("%").strip()
        tex = _strip_signs(
            tex.removeprefix("<![CDATA[").removesuffix("]]>").strip().removesuffix("%")
        )
        if 0 < len(tex) <= MAX_CHARS:
            yield i, tex, "display" in match[1]
        match = _SCRIPT.search(source, end)


def _find_top(page: Page, node: int) -> int:
    """Return the outermost element, at or above a node, that belongs to its formula."""
    tag, parent, top = page.nodes.tag, page.nodes.parent, node
    get = page.nodes.attributes.get
    for _ in range(_REACH):
        node = parent[node]
        if node < 0:
            break
        if tag[node].startswith(("mjx-", "math-")) or _NAMES.search(get(node, "class")):
            top = node
    return top


def _find_first_shown(page: Page, script: int) -> int:
    """Return the first of the elements directly before a script that show its formula."""
    nodes, first = page.nodes, script
    for _ in range(_REACH):
        node = _sibling_before(page, first)
        is_shown = node >= 0 and _NAMES.search(page.nodes.attributes.get(node, "class"))
        if not is_shown or (nodes.tail[node] or "").strip():
            break
        first = node
    return first


def _sibling_before(page: Page, node: int) -> int:
    """Return the previous sibling of a node; -1 if missing."""
    parent, before = page.nodes.parent, node - 1
    while before >= 0 and parent[before] > parent[node]:
        before = parent[before]
    return before if before > parent[node] else -1


def _find_space(page: Page, node: int, is_after: bool) -> str:
    """Return the separator between an element and the text before it or after it."""
    nodes, runs = page.nodes, page.runs
    for _ in range(_REACH):
        up = nodes.parent[node]
        if is_after:
            sibling = nodes.end[node] if up >= 0 and nodes.end[node] < nodes.end[up] else -1
            text = (nodes.tail[node] or "")[:1]
        else:
            sibling = _sibling_before(page, node)
            around = nodes.tail[sibling] if sibling >= 0 else nodes.text[up] if up >= 0 else ""
            text = (around or "")[-1:]
            if sibling >= 0 and nodes.tag[sibling] == "br" and not (around or "").strip():
                return "\n"
        if text or up < 0 or (sibling >= 0 and runs.first[sibling] < runs.end[sibling]):
            return " " if text.isspace() else ""
        node = sibling if sibling >= 0 else up
    return ""


def _read_tex(page: Page, node: int) -> tuple[str, bool]:
    """Return the TeX in an element ("" if missing) and whether it is a display formula."""
    nodes = page.nodes
    tex = of_mathml = ""
    is_display = has_mathml = False
    for i in range(node, nodes.end[node]):
        tag, given = nodes.tag[i], dict(nodes.attributes[i])
        is_display = is_display or given.get("display") in ("block", "true")
        is_display = is_display or bool(_DISPLAY.search(given.get("class", "")))
        values = (given[name].strip() for name in _ATTRIBUTES if given.get(name))
        own = next((value for value in values if not _NO_TEX.match(value)), "")
        if tag == "annotation" and "tex" in given.get("encoding", "").lower():
            own = nodes.text[i] or ""
        elif tag == "img" and not own:
            own = given.get("alt", "")
            if own.strip().lower() in _NO_ALT or own == given.get("src"):
                own = _read_source(given.get("src", ""))
        tex = tex or _strip_signs(own)
        if tag == "math" and not has_mathml:
            of_mathml, has_mathml = convert_mathml(nodes, i), True
        elif given.get("data-mathml") and not has_mathml:
            has_mathml = True
            inner = parse(given["data-mathml"]).nodes
            of_mathml = next((convert_mathml(inner, m) for m in inner.tagged(_ELEMENTS)), "")
    tex = tex or of_mathml or read_styled(nodes, node)
    return (tex if len(tex) <= MAX_CHARS else ""), is_display


def _strip_signs(tex: str) -> str:
    r"""Return TeX on one line, without delimiters and outer style commands."""
    tex = " ".join(storable_text(tex).split())
    for start, end in (("$latex", "$"), ("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]")):
        if len(tex) > len(start + end) and tex.startswith(start) and tex.endswith(end):
            tex = tex[len(start) : -len(end)].strip()
    if tex in (r"\begingroup", r"\endgroup"):
        return ""
    match = _STYLE.match(tex)
    return match["tex"] if match and tex.startswith("{") == tex.endswith("}") else tex


def _is_beside(page: Page, formula: Formula, part: Part) -> bool:
    """Return whether a formula and a block are in the same block-level element."""
    return page.containers[formula.node] == page.blocks.node[part.block]


def place_formulas(page: Page, parts: Sequence[Part]) -> list[Part]:
    """Return the parts of a text in which formulas replace their runs.

    A formula outside of all blocks becomes a part of its own if the text around it is chosen.
    """
    chosen = [k for part in parts for k in part.runs]
    around = TextAround(page, chosen) if chosen else None
    first, last = [part.runs[0] for part in parts], [part.runs[-1] for part in parts]
    inside: dict[int, list[Formula]] = {}
    between: dict[int, list[Formula]] = {}  # index of the next part -> formulas
    covered: set[int] = set()
    for formula in find_formulas(page):
        own = range(formula.first_run, formula.end_run)
        k = bisect_left(first, formula.first_run) - 1  # the last part before it
        after = bisect_left(chosen, own.start)
        if after < len(chosen) and chosen[after] in own:
            covered.update(own)
            inside.setdefault(bisect_left(last, chosen[after]), []).append(formula)
        elif k >= 0 and (own.stop <= last[k] or _is_beside(page, formula, parts[k])):
            inside.setdefault(k, []).append(formula)
        elif k + 1 < len(parts) and _is_beside(page, formula, parts[k + 1]):
            inside.setdefault(k + 1, []).append(formula)
        elif (
            around
            and 0 <= k < len(parts) - 1
            and (around.is_within(own.start, own.stop) or around.holds(formula.node))
        ):
            between.setdefault(k + 1, []).append(formula)
    placed: list[Part] = []
    for k, part in enumerate(parts):
        placed += [Part("", formulas=(formula,)) for formula in between.get(k, ())]
        if k in inside or not covered.isdisjoint(part.runs):
            runs = [run for run in part.runs if run not in covered]
            part = part._replace(runs=runs, formulas=inside.get(k, ()))
        if part.runs or part.formulas:
            placed.append(part)
    return placed


#: A <math> with more elements is not converted to TeX; its letters are text.
MAX_ELEMENTS: Final = 2_000
#: Element -> (number of its children, template that combines their TeX).
_TEMPLATES: Final = {
    "msqrt": (1, r"\sqrt{{{0}}}"),
    "mfrac": (2, r"\frac{{{0}}}{{{1}}}"),
    "mroot": (2, r"\sqrt[{1}]{{{0}}}"),
    **dict.fromkeys(("msup", "mover"), (2, "{0}^{{{1}}}")),
    **dict.fromkeys(("msub", "munder"), (2, "{0}_{{{1}}}")),
    **dict.fromkeys(("msubsup", "munderover"), (3, "{0}_{{{1}}}^{{{2}}}")),
}
_LEFT_OUT: Final = frozenset(
    "annotation annotation-xml mphantom none mprescripts surd assistive-mml".split()
)
#: Element of MathJax 3 (CHTML), whose letters are in class names -> element of MathML.
_OF_CHTML: Final = {
    "mjx-frac": "mfrac",
    "mjx-sqrt": "msqrt",
    "mjx-msqrt": "mrow",
    **dict.fromkeys(("mjx-mover", "mjx-munder", "mjx-munderover"), "limits"),
    **dict.fromkeys(("mjx-stretchy-h", "mjx-stretchy-v"), "c"),
}
_CHAR: Final = re.compile(r"(?:^|\s)mjx-c([0-9A-Fa-f]{2,5})(?:\s|$)")
_ACCENTS: Final = {
    **dict.fromkeys("^ˆ", r"\hat"), **dict.fromkeys(("¯", "‾", r"\_"), r"\overline"),
    **dict.fromkeys("~˜", r"\tilde"), r"\to": r"\vec", "˙": r"\dot", "¨": r"\ddot",
}  # fmt: skip
_NAMES_OF_SIGNS: Final = dict(
    pair.split("=")
    for pair in """
    α=alpha β=beta γ=gamma δ=delta ϵ=epsilon ε=varepsilon ζ=zeta η=eta θ=theta ϑ=vartheta ι=iota
    κ=kappa λ=lambda μ=mu ν=nu ξ=xi π=pi ρ=rho σ=sigma ς=varsigma τ=tau υ=upsilon φ=varphi ϕ=phi
    χ=chi ψ=psi ω=omega Γ=Gamma Δ=Delta Θ=Theta Λ=Lambda Ξ=Xi Π=Pi Σ=Sigma Υ=Upsilon Φ=Phi Ψ=Psi
    Ω=Omega ∑=sum ∏=prod ∫=int ∮=oint ∂=partial ∇=nabla ∞=infty ±=pm ∓=mp ×=times ÷=div ⋅=cdot
    ·=cdot ≤=le ≥=ge ≠=ne ≈=approx ≡=equiv ∼=sim ≃=simeq ∝=propto ∈=in ∉=notin ∋=ni ⊂=subset
    ⊆=subseteq ⊃=supset ⊇=supseteq ∪=cup ∩=cap ∅=emptyset ∀=forall ∃=exists ¬=neg ∧=wedge ∨=vee
    →=to ←=leftarrow ↔=leftrightarrow ⇒=Rightarrow ⇐=Leftarrow ⇔=Leftrightarrow ↦=mapsto …=ldots
    ⋯=cdots ⟨=langle ⟩=rangle ℏ=hbar ℓ=ell ′=prime ∗=ast ∘=circ ⊕=oplus ⊗=otimes ∥=parallel ⊥=perp
    ℝ=mathbb{R} ℕ=mathbb{N} ℤ=mathbb{Z} ℚ=mathbb{Q} ℂ=mathbb{C}
    """.split()
)
_TEX_SIGNS: Final = str.maketrans(
    {sign: f"\\{name} " for sign, name in _NAMES_OF_SIGNS.items()}
    | {sign: f"\\{sign}" for sign in "{}%#&$_"}
    | {"−": "-", "\u00a0": " ", **dict.fromkeys("\u2061\u2062\u2063\u200b", "")}
)
_FUNCTIONS: Final = frozenset(
    "cos cosh cot det dim exp gcd inf ker lim ln log max min mod sec sin sinh sup tan tanh".split()
)


#: The TeX of an element and, of a vertical list in KaTeX, (height, TeX) of its entries.
_Styled = tuple[str, list[tuple[float, str]]]
_Write = Callable[[Nodes, int, list[_Styled]], _Styled | None]


def convert_mathml(nodes: Nodes, math: int) -> str:
    """Convert a <math> to TeX; return "" if it is too large."""
    return "" if nodes.end[math] - math > MAX_ELEMENTS else _fold(nodes, math, _mathml)


def _fold(nodes: Nodes, top: int, write: _Write) -> str:
    """Return the TeX of an element, made from its children's, last child first."""
    inside: dict[int, list[_Styled]] = {}
    for i in range(nodes.end[top] - 1, top - 1, -1):
        found = write(nodes, i, inside.pop(i, [])[::-1])
        if found is not None:
            tail = _letters_of(nodes.tail[i]) if write is _katex and i != top else ""
            inside.setdefault(nodes.parent[i], []).append((found[0] + tail, found[1]))
    return " ".join("".join([tex for tex, _ in inside.get(nodes.parent[top], ())]).split())


def _mathml(nodes: Nodes, node: int, children: list[_Styled]) -> _Styled | None:
    """Return the TeX of an element of MathML or of MathJax 3 (CHTML)."""
    tag, inner = nodes.tag[node], [tex for tex, _ in children]
    if tag.startswith("mjx-"):
        inner = [tex for tex in inner if tex.strip()]
        tag = _OF_CHTML.get(tag, tag[4:])
    return None if tag in _LEFT_OUT else (_element(nodes, node, tag, inner), [])


def _element(nodes: Nodes, node: int, tag: str, children: Sequence[str]) -> str:
    text = (nodes.text[node] or "").strip() or "".join(children)
    if tag == "c":
        char = _CHAR.search(nodes.attributes.get(node, "class"))
        return unicodedata.normalize("NFKC", chr(int(char[1], 16))) if char else text
    if tag == "script" and nodes.tag[nodes.parent[node]] == "mjx-msubsup" and len(children) > 1:
        return f"_{{{children[-1].strip()}}}^{{{children[0].strip()}}}"
    if tag in ("over", "under"):
        return f"{'^' if tag == 'over' else '_'}{{{text.strip()}}}"
    if tag == "limits":
        return "".join(sorted(children, key=lambda part: part[0] in "^_"))
    if tag in ("mtext", "ms"):
        return rf"\text{{{text}}}" if text else " "
    if tag in ("mi", "mo", "mn"):
        if len(text) > 1 and tag != "mn" and text.isalpha():
            return rf"\{text} " if text in _FUNCTIONS else rf"\mathrm{{{text}}}"
        return text.translate(_TEX_SIGNS)
    if tag == "mtable":
        rows = r" \\ ".join(children)
        return rf"\begin{{matrix}}{rows}\end{{matrix}}"
    if tag == "mlabeledtr" and len(children) > 1:  # the first cell is the number of the equation
        label = children[0].strip().removeprefix(r"\text{").removesuffix("}").strip("()")
        return rf"{' & '.join(children[1:])} \tag{{{label}}}"
    if tag in ("mtr", "mlabeledtr"):
        return " & ".join(children)
    if tag == "mfenced":
        given = dict(nodes.attributes[node])
        return f"{given.get('open', '(')}{', '.join(children)}{given.get('close', ')')}"
    if tag == "msqrt":
        children = ["".join(children)]
    number, template = _TEMPLATES.get(tag, (0, ""))
    if number != len(children) or not number:
        return "".join(children)
    parts = [child.strip() for child in children]
    if tag == "mover" and (accent := _ACCENTS.get(parts[1])):
        return f"{accent}{{{parts[0]}}}"
    if template.startswith("{0}") and len(parts[0]) > 1 and parts[0][0] != "\\":
        parts[0] = f"{{{parts[0]}}}"
    return template.format(*parts)


# Formulas without TeX and MathML are made of styled letters: KaTeX with HTML only, and MathJax 3
# (CHTML) without assistive MathML.

#: Class names of KaTeX's elements without meaning; minimum height (em) of what is raised.
_KATEX_SPACE: Final = frozenset({"pstrut", "strut", "vlist-s", "frac-line", "nulldelimiter"})
_TOP: Final = re.compile(r"(?:^|;)\s*top:\s*-(\d{1,2}(?:\.\d{1,6})?)em")
_RAISED: Final = 2.8
_KATEX_SIGNS: Final = frozenset({"mrel", "mbin"})


def read_styled(nodes: Nodes, node: int) -> str:
    """Return TeX for the styled letters in an element; "" if there are none."""
    for i in range(node, min(nodes.end[node], node + MAX_ELEMENTS)):
        if nodes.end[i] - i > MAX_ELEMENTS:
            return ""
        if nodes.tag[i] == "mjx-math":
            return _fold(nodes, i, _mathml)
        if "katex-html" in nodes.attributes.get(i, "class").split():
            return _fold(nodes, i, _katex)
    return ""


def _letters_of(text: str | None) -> str:
    return unicodedata.normalize("NFKC", text or "").translate(_TEX_SIGNS)


def _katex(nodes: Nodes, node: int, children: list[_Styled]) -> _Styled:
    names = {*nodes.attributes.get(node, "class").split()}
    if not names.isdisjoint(_KATEX_SPACE):
        return "", []
    tex = _letters_of(nodes.text[node]) + "".join(tex for tex, _ in children)
    entries = [entry for _, own in children for entry in own]
    top = _TOP.search(nodes.attributes.get(node, "style"))
    if top and tex.strip():
        return "", [(float(top[1]), tex.strip())]
    heights = sorted(entries, reverse=True)
    if "msupsub" in names:
        return tex + "".join(f"{'^' if h >= _RAISED else '_'}{{{one}}}" for h, one in heights), []
    if "mfrac" in names and len(heights) > 1:
        return rf"\frac{{{heights[0][1]}}}{{{heights[-1][1]}}}", []
    if "sqrt" in names and entries:
        return rf"\sqrt{{{entries[0][1]}}}", []
    if "op-limits" in names and entries:
        middle = min(heights, key=lambda one: abs(one[0] - 3.0))
        rest = [one for one in heights if one is not middle]
        limits = [f"{'^' if h > middle[0] else '_'}{{{one}}}" for h, one in rest]
        return middle[1] + "".join(limits), []
    if not names.isdisjoint(_KATEX_SIGNS):
        return f" {tex} ", entries
    return tex, entries
