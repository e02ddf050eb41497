"""Formulas of many tools become TeX."""

import pytest

from scrapy_webtext.page import parse
from scrapy_webtext.render import render_blocks


def katex(inside: str) -> str:
    return f"<span class=katex><span class=katex-html aria-hidden=true>{inside}</span></span>"


def vlist(*entries: tuple[str, str]) -> str:
    rows = "".join(
        f"<span style='top:-{top}em;'><span class=pstrut></span><span>{one}</span></span>"
        for top, one in entries
    )
    return f"<span class=vlist-t><span class=vlist-r><span class=vlist>{rows}</span></span></span>"


def letters(*codes: str) -> str:
    return "".join(f"<mjx-mi><mjx-c class='mjx-c{code} TEX-I'></mjx-c></mjx-mi>" for code in codes)


def chtml(inside: str) -> str:
    return f"<mjx-container><mjx-math aria-hidden=true>{inside}</mjx-math></mjx-container>"


NUM = "<mjx-num><mjx-nstrut></mjx-nstrut>{}</mjx-num>"
DEN = "<mjx-dbox><mjx-dtable><mjx-row><mjx-den>{}</mjx-den></mjx-row></mjx-dtable></mjx-dbox>"
FORMULAS = {
    "<img src='http://a.example/formula/%5Cfrac%7Ba%7D%7Bb%7D'>": r"\(\frac{a}{b}\)",
    "<span class=math data-math='\\frac{a}{b}'>ab</span>": r"\(\frac{a}{b}\)",
    "<span data-formula='\\frac{a}{b}'><svg></svg></span>": r"\(\frac{a}{b}\)",
    "<span data-katex='a^2'>a2</span>": r"\(a^2\)",
    "<span data-latex='a_1'>a1</span>": r"\(a_1\)",
    "<span data-formula='=SUM(A1)'>5</span>": "5",
    "<span data-math='true'>5</span>": "5",
    "<img src='https://s0.wp.com/latex.php?latex=a%2Bb&bg=fff' alt=''>": r"\(a+b\)",
    "<img src='https://latex.codecogs.com/png.latex?\\dpi{150}&space;\\frac{a}{b}'>":
        r"\(\frac{a}{b}\)",
    "<img src='https://chart.googleapis.com/chart?cht=tx&chl=x%5E2' alt=Formula>": r"\(x^2\)",
    "<img src='https://www.zhihu.com/equation?tex=%5Calpha' alt='\\alpha'>": r"\(\alpha\)",
    "<img src='https://render.githubusercontent.com/render/math?math=e%5E%7Bi%7D'>": r"\(e^{i}\)",
    "<img src='https://any.example/x?tex=%5Cbeta%20x'>": r"\(\beta x\)",
    "<img src='https://i.upmath.me/svg/%5Cgamma' alt=image>": r"\(\gamma\)",
    "<img src='https://any.example/x?from=home&to=b' alt=x>": "",
    katex("<span class=base><span class=mord>E</span><span class=mrel>=</span><span class=mord>m"
          "</span><span class=mord><span class=mord>c</span><span class=msupsub>"
          + vlist(("3.063", "2")) + "</span></span></span>"): r"\(E = mc^{2}\)",
    katex("<span class=mord>x<span class=msupsub>" + vlist(("2.55", "1"), ("3.1", "2"))
          + "</span></span>"): r"\(x^{2}_{1}\)",
    katex("<span class=mfrac>" + vlist(("2.314", "b"), ("3.23", ""), ("3.677", "a")) + "</span>"):
        r"\(\frac{a}{b}\)",
    katex("<span class='mord sqrt'>" + vlist(("2.9", "π"), ("3.5", "")) + "</span>"):
        r"\(\sqrt{\pi}\)",
    katex("<span class='mop op-limits'>" + vlist(("1.87", "i"), ("3.05", "∑"), ("4.3", "n"))
          + "</span>"): r"\(\sum^{n}_{i}\)",
    chtml(letters("1D465") + "<mjx-mo><mjx-c class='mjx-c3D'></mjx-c></mjx-mo>" + letters("1D466")):
        r"\(x=y\)",
    chtml("<mjx-msup>" + letters("1D465") + "<mjx-script>" + letters("1D466")
          + "</mjx-script></mjx-msup>"): r"\(x^{y}\)",
    chtml("<mjx-msubsup>" + letters("1D465") + "<mjx-script>" + letters("1D466") + "<mjx-spacer>"
          "</mjx-spacer>" + letters("1D467") + "</mjx-script></mjx-msubsup>"): r"\(x_{z}^{y}\)",
    chtml("<mjx-mfrac><mjx-frac>" + NUM.format(letters("1D465")) + DEN.format(letters("1D466"))
          + "</mjx-frac></mjx-mfrac>"): r"\(\frac{x}{y}\)",
    chtml("<mjx-msqrt><mjx-sqrt><mjx-surd><mjx-mo><mjx-c class=mjx-c221A></mjx-c></mjx-mo>"
          "</mjx-surd><mjx-box>" + letters("1D6FC") + "</mjx-box></mjx-sqrt></mjx-msqrt>"):
        r"\(\sqrt{\alpha}\)",
    chtml("<mjx-munder><mjx-row><mjx-base>" + letters("6C", "69", "6D") + "</mjx-base></mjx-row>"
          "<mjx-row><mjx-under>" + letters("1D465") + "</mjx-under></mjx-row></mjx-munder>"):
        r"\(lim_{x}\)",
    "<math><mtable><mlabeledtr><mtd><mtext>(1)</mtext></mtd><mtd><mi>x</mi></mtd></mlabeledtr>"
    "</mtable></math>": r"\(\begin{matrix}x \tag{1}\end{matrix}\)",
}  # fmt: skip


@pytest.mark.parametrize("html", FORMULAS)
def test_formulas_are_tex_in_their_sentence(html: str) -> None:
    page = parse(f"<p>Here {html} it is.</p>")
    assert render_blocks(page, [0]).split() == ["Here", *FORMULAS[html].split(), "it", "is."]
