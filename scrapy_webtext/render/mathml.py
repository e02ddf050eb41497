"""MathML as TeX, for formulas without TeX on the page (MathML Core, presentation elements)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scrapy_webtext.page import Nodes

#: Larger formulas have no TeX; their letters are text.
MAX_ELEMENTS: Final = 2_000
#: Element -> number of its children, and template for their TeX.
_TEMPLATES: Final = {
    "msqrt": (1, r"\sqrt{{{0}}}"),
    "mfrac": (2, r"\frac{{{0}}}{{{1}}}"),
    "mroot": (2, r"\sqrt[{1}]{{{0}}}"),
    **dict.fromkeys(("msup", "mover"), (2, "{0}^{{{1}}}")),
    **dict.fromkeys(("msub", "munder"), (2, "{0}_{{{1}}}")),
    **dict.fromkeys(("msubsup", "munderover"), (3, "{0}_{{{1}}}^{{{2}}}")),
}
_LEFT_OUT: Final = frozenset({"annotation", "annotation-xml", "mphantom", "none", "mprescripts"})
_ACCENTS: Final = {
    **dict.fromkeys("^ˆ", r"\hat"), **dict.fromkeys(("¯", "‾", r"\_"), r"\overline"),
    **dict.fromkeys("~˜", r"\tilde"), r"\to": r"\vec", "˙": r"\dot", "¨": r"\ddot",
}  # fmt: skip
_NAMES: Final = dict(
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
_SIGNS: Final = str.maketrans(
    {
        **{sign: f"\\{name} " for sign, name in _NAMES.items()},
        **{sign: f"\\{sign}" for sign in "{}%#&$_"},
        "−": "-",
        "\u2061": "",
        "\u2062": "",
        "\u2063": "",
        "\u200b": "",
        "\u00a0": " ",
    }
)
_FUNCTIONS: Final = frozenset(
    "cos cosh cot det dim exp gcd inf ker lim ln log max min mod sec sin sinh sup tan tanh".split()
)


def convert_mathml(nodes: Nodes, math: int) -> str:
    """Return a <math> as TeX, "" if it is too large."""
    end = nodes.end[math]
    if end - math > MAX_ELEMENTS:
        return ""
    inside: dict[int, list[str]] = {}  # the TeX of the children of a node, last first
    for i in range(end - 1, math - 1, -1):
        children = inside.pop(i, [])[::-1]
        if nodes.tag[i] not in _LEFT_OUT:
            inside.setdefault(nodes.parent[i], []).append(_element(nodes, i, children))
    return " ".join("".join(inside.get(nodes.parent[math], ())).split())


def _element(nodes: Nodes, node: int, children: Sequence[str]) -> str:
    tag, text = nodes.tag[node], (nodes.text[node] or "").strip()
    if tag in ("mtext", "ms"):
        return rf"\text{{{text}}}" if text else " "
    if tag in ("mi", "mo", "mn"):
        if len(text) > 1 and tag != "mn" and text.isalpha():
            return rf"\{text} " if text in _FUNCTIONS else rf"\mathrm{{{text}}}"
        return text.translate(_SIGNS)
    if tag == "mtable":
        rows = r" \\ ".join(children)
        return rf"\begin{{matrix}}{rows}\end{{matrix}}"
    if tag == "mtr":
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
