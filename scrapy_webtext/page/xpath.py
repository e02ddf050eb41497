"""Translates XPath to CSS if CSS can select the same elements, as for most rules of sites.

CSS is matched in linear time; evaluating XPath on a tree can take quadratic time.

::

    //div[@id='a']/p[1]                       div[id="a"] > p:nth-of-type(1)
    //div[contains(@class, 'x') or @role]     div:is([class*="x"], [role])
    //meta[@name='author']/@content           meta[name="author"]::attr(content)
    //a | //b                                 a, b
"""

from __future__ import annotations

import re
from typing import Final

_TOKEN: Final = re.compile(r"""\s+|"[^"]*"|'[^']*'|\d+|[a-zA-Z_][\w.-]*|::|//|!=|[/@\[\]()|,.*=]""")
_AXES: Final = {"child": " > ", "descendant": " ", "following-sibling": " ~ ", "self": ""}
_OPERATORS: Final = {"contains": "*=", "starts-with": "^=", "ends-with": "$="}


class XPathError(ValueError):
    """An expression is no XPath, or cannot be translated to CSS."""


def is_xpath(selector: str) -> bool:
    """Return whether a selector is XPath: no CSS begins like this."""
    return selector.lstrip().startswith(("/", "./", "("))


def css_of(xpath: str) -> str:
    """Return the CSS that selects the same elements; raise XPathError if there is none."""
    return _Reader(xpath).read()


class _Reader:
    """Parses the tokens of an expression from left to right."""

    def __init__(self, xpath: str) -> None:
        self._tokens: list[str] = []
        self._starts: list[int] = []
        at, self._xpath = 0, (xpath := xpath.strip())
        while at < len(xpath):
            found = _TOKEN.match(xpath, at)
            if found is None:
                raise XPathError(f"no XPath that is known from {xpath[at : at + 20]!r} on")
            if found[0].strip():
                self._tokens.append(found[0])
                self._starts.append(at)
            at = found.end()
        self._tokens += ["", ""]
        self._at = 0

    def read(self) -> str:
        paths = [self._path()]
        while self._take("|"):
            paths.append(self._path())
        if self._next:
            raise self._unknown()
        return ", ".join(paths)

    @property
    def _next(self) -> str:
        return self._tokens[self._at]

    def _take(self, *tokens: str) -> bool:
        """If these tokens come next, skip them; return whether they were there."""
        if tuple(self._tokens[self._at : self._at + len(tokens)]) != tokens:
            return False
        self._at += len(tokens)
        return True

    def _any(self) -> str:
        if not self._next:
            raise self._unknown()
        self._at += 1
        return self._tokens[self._at - 1]

    def _need(self, token: str) -> None:
        if not self._take(token):
            raise self._unknown()

    def _unknown(self) -> XPathError:
        if not self._next:
            return XPathError("the XPath ends too early")
        rest = self._xpath[self._starts[self._at] :]
        return XPathError(f"CSS has no equal for the XPath from {rest[:40]!r} on")

    def _path(self) -> str:
        is_first = not self._take(".")  # "./" begins at the root
        if self._next not in ("/", "//"):
            raise self._unknown()
        css = "" if self._next == "//" else ":root"
        while self._next in ("/", "//"):
            sign = self._any()
            if self._take("@"):
                return f"{css}::attr({self._any()})"
            if self._take("text", "(", ")"):
                return f"{css}::text"
            gap, has_places = (" " if sign == "//" else " > "), True
            if self._tokens[self._at + 1] == "::":
                axis = self._any()
                if axis not in (("child", "descendant") if is_first else _AXES) or sign == "//":
                    raise XPathError(f"CSS has no equal for the axis {axis}")
                gap, has_places = _AXES[axis], axis == "child"
                css = css if axis == "child" or not is_first else ""
                self._need("::")
            step = self._step(has_places)
            step = step if gap else f":is({step})"
            css = step + css if is_first else f"{css}{gap}{step}"
            is_first = False
        return css

    def _step(self, has_places: bool = True) -> str:
        """Return the CSS of a step: name, conditions and, with ``has_places``, positions."""
        name = self._any()
        if name != "*" and not name.replace("-", "a").isidentifier():
            raise XPathError(f"CSS has no equal for the step {name!r}")
        css = name
        while self._take("["):
            position = self._position("" if name == "*" else "of-type")
            if position and (css != name or not has_places):
                what = "another condition" if has_places else "this axis"
                raise XPathError(f"CSS has no equal for a position after {what}")
            css += position or self._either()
            self._need("]")
        return css

    def _position(self, of_type: str) -> str:
        kind = of_type or "child"
        if self._take("last", "(", ")"):
            return f":last-{kind}"
        self._take("position", "(", ")", "=")
        return f":nth-{kind}({self._any()})" if self._next.isdigit() else ""

    def _either(self) -> str:
        some = [self._all()]
        while self._take("or"):
            some.append(self._all())
        return some[0] if len(some) == 1 else f":is({', '.join(some)})"

    def _all(self) -> str:
        css = self._one()
        while self._take("and"):
            css += self._one()
        return css

    def _one(self) -> str:
        if self._take("("):
            css = self._either()
        elif self._take("not", "("):
            css = f":not({self._either()})"
        elif self._next in _OPERATORS:
            operator = _OPERATORS[self._any()]
            self._need("(")
            css = self._compared(operator)
        elif self._next in (".", "*") or (self._next.isidentifier() and self._next != "text"):
            return f":has({self._inner()})"
        else:
            name = self._attribute()
            if self._take("="):
                return f"[{name}={_quoted(self._any())}]"
            if self._take("!="):
                return f"[{name}]:not([{name}={_quoted(self._any())}])"
            return f"[{name}]"
        self._need(")")
        return css

    def _compared(self, operator: str) -> str:
        """Return the CSS of a function's arguments: an attribute and the text to compare with."""
        is_of_words = self._take("concat", "(", "' '", ",") or self._take("concat", "(", '" "', ",")
        name = self._attribute()
        if is_of_words:
            self._need(",")
            self._any()
            self._need(")")
            operator = "~="
        self._need(",")
        text = self._any()
        return f"[{name}{operator}{_quoted(text, is_of_words)}]"

    def _attribute(self) -> str:
        if self._take("normalize-space", "("):
            name = self._attribute()
            self._need(")")
            return name
        self._need("@")
        return self._any()

    def _inner(self) -> str:
        """Return the CSS of a path in a condition, from an element to what it must contain."""
        gap = "> "
        if self._take("."):
            gap = "" if self._next == "//" else "> "
            if not (self._take("//") or self._take("/")):
                raise self._unknown()
        css, ends = gap + self._step(), ""
        while self._next in ("/", "//"):
            css += f":has({'> ' if self._any() == '/' else ''}{self._step()}"
            ends += ")"
        return css + ends


def _quoted(token: str, is_word: bool = False) -> str:
    """Convert a string literal of XPath to a string of CSS."""
    if token[:1] not in ("'", '"'):
        raise XPathError(f"CSS compares only with texts, not with {token!r}")
    text = token[1:-1].strip() if is_word else token[1:-1]
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
