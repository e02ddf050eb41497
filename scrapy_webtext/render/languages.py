"""The language of a piece of code, where the page declares it."""

from __future__ import annotations

import re
from typing import Final

from scrapy_webtext.page.nodes import Nodes

#: "language-js", "lang-js", "highlight-source-js", "brush: js": how highlighters say it.
_DECLARED: Final = re.compile(
    r"(?:^|[\s;])(?:language|lang|highlight-source|highlight-text|brush|highlight)"
    r"(?:-|:\s*)([a-zA-Z][\w+#.-]{0,29})"
)
#: Attributes that name a language and nothing else.
_NAMED: Final = ("data-lang", "data-language", "data-code-language", "data-enlighter-language")
_NAME: Final = re.compile(r"[a-zA-Z][\w+#.-]{0,29}\Z")
#: Names that stand for none, and those of highlighters themselves.
_NONE: Final = frozenset(
    "default none no-highlight nohighlight notranslate plain plaintext text txt code output raw "
    "console-output highlight highlighter-rouge hljs auto".split()
)
#: Names of languages that are classes of their own.
_BARE: Final = frozenset(
    "bash c c++ cpp csharp css diff go haskell html java javascript js json kotlin lua perl php "
    "powershell py python python3 r ruby rust scala sh shell sql swift ts typescript xml "
    "yaml".split()
)
#: Levels above <pre> that may declare the language.
REACH: Final = 2


def language_of(nodes: Nodes, code: int) -> str | None:
    """Return the language of a <pre> by its attributes, its <code>'s or those right above it."""
    asked = [code]
    inner = code + 1
    if inner < nodes.end[code] and nodes.tag[inner] == "code":
        asked.append(inner)
    around = nodes.parent[code]
    for _ in range(REACH):
        if around >= 0 and nodes.tag[around] in ("div", "figure", "code-block"):
            asked.append(around)
            around = nodes.parent[around]
    for node in asked:
        attributes = dict(nodes.attributes[node])
        found = _declared(attributes) or (_bare(attributes) if node >= code else None)
        if found is not None:
            return found
    return None


def _declared(attributes: dict[str, str]) -> str | None:
    for name in _NAMED:
        value = attributes.get(name, "")
        if _NAME.match(value) and value.lower() not in _NONE:
            return value.lower()
    for match in _DECLARED.finditer(attributes.get("class", "")[:500]):
        if match[1].lower() not in _NONE:
            return match[1].lower()
    return None


def _bare(attributes: dict[str, str]) -> str | None:
    names = attributes.get("class", "")[:500].lower().split()
    return next((name for name in names if name in _BARE), None)
