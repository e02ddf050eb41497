"""Applies the rule of a site to a page: which text is left out or kept, which elements have values.

The rule is a mask: elements, text and offsets of the page do not change.

Selectors are matched on the page's columns. Each part of a selector takes time linear in the page.
XPath is translated to CSS first (:mod:`.xpath`), because on a tree it can take quadratic time: for
siblings (``.promo ~ p``), positions and nested elements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, compress, count
from typing import Any, Final, NamedTuple

import cssselect
from cssselect import parser

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.page.nodes import Nodes, attributes_of, nodes_of
from scrapy_webtext.page.page import Page
from scrapy_webtext.page.xpath import css_of, is_xpath

#: <head> is never left out by ``within``: it has metadata and no main text.
_HEAD: Final = frozenset({"head"})
_NO_NODES: Final = nodes_of([], [], [], attributes_of([], [0]), [], [])

#: Operator between an attribute's name and value -> its test.
_TESTS: Final[dict[str, Callable[[str, str], bool]]] = {
    "exists": lambda value, given: value.endswith(given),  # ``given`` is ""
    "=": lambda value, given: value == given,
    "!=": lambda value, given: value != given,
    "~=": lambda value, given: given in value.split(),
    "|=": lambda value, given: value == given or value.startswith(f"{given}-"),
    "^=": lambda value, given: given != "" and value.startswith(given),
    "$=": lambda value, given: given != "" and value.endswith(given),
    "*=": lambda value, given: given != "" and given in value,
}
#: Pseudo-class -> the positions among siblings (or siblings with the same tag) that it selects, as
#: (step, first) of "2n+1"; None if its argument gives them.
_PLACES: Final[dict[str, tuple[int, int] | None]] = {
    **dict.fromkeys(("first", "last", "only"), (0, 1)),
    "nth": None,
    "nth-last": None,
}


#: Keys of a rule for the main text: elements that contain it (alternatives), elements to leave out,
#: elements that always belong to it.
LIMITS: Final = ("within", "without", "keep")
#: Keys of a rule for values: result fields, and the link to the next page of an article.
NEXT_PAGE: Final = "next_page"
VALUES: Final = ("title", "authors", "published", NEXT_PAGE)


class Selector(NamedTuple):
    """A selector: as given, and parsed."""

    given: str
    tree: parser.Tree
    attribute: str  #: name of the attribute with the value; "" for the text


@dataclass(frozen=True, slots=True)
class Selectors:
    """The selectors of a rule, parsed.

    The main text is inside the elements of the first alternative of ``within`` that matches and
    outside the elements of ``without``. Text in elements of ``keep`` always belongs to it.
    """

    within: tuple[tuple[Selector, ...], ...] = ()
    without: tuple[Selector, ...] = ()
    keep: tuple[Selector, ...] = ()
    values: Mapping[str, tuple[Selector, ...]] = field(default_factory=dict)

    @property
    def limits(self) -> tuple[Selector, ...]:
        """The selectors that should match something on each page."""
        return (*chain(*self.within), *self.without)

    @property
    def decisive(self) -> dict[str, list[str]]:
        """The selectors that decide the text, by key."""
        within = [css for some in self.within for css in _given(some)]
        return {"within": within, "without": _given(self.without), "keep": _given(self.keep)}


def _given(some: Iterable[Selector]) -> list[str]:
    return sorted({one.given for one in some})


def read_selectors(given: Mapping[str, Any], where: str = "") -> Selectors | None:
    """Parse the selectors of a rule; return None if all are empty.

    ``given`` maps the keys `LIMITS` and `VALUES` to comma-separated CSS, XPath, or a list of these.
    Raise SettingsError for a wrong selector; its message begins with ``where`` and the key.
    """
    read = {key: _parse(given.get(key, ""), f"{where}{key}", key in VALUES) for key in given}
    if not any(read.values()):
        return None
    one = {key: tuple(chain(*some)) for key, some in read.items()}
    values = {key: one[key] for key in VALUES if one.get(key)}
    within = tuple(map(tuple, read.get("within", ())))
    return Selectors(within, one.get("without", ()), one.get("keep", ()), values)


def _parse(given: object, name: str, is_value: bool) -> list[list[Selector]]:
    """Return one list of selectors per given string."""
    found: list[list[Selector]] = []
    for text in given if isinstance(given, list | tuple) else [given]:
        if not isinstance(text, str):
            raise SettingsError(f"{name} = {text!r} is not allowed: it must be CSS or XPath, a str")
        try:
            css = css_of(text) if is_xpath(text) else text
            parsed = cssselect.parse(css) if css.strip() else ()
            read = [_selector(one, is_value) for one in parsed]
        except (cssselect.SelectorError, ValueError, RecursionError) as error:
            raise SettingsError(f"{name} = {text!r} is not allowed: {error}") from None
        if is_xpath(text):
            read = [one._replace(given=text) for one in read]
        found += [read] if read else []
    return found


def _selector(parsed: cssselect.Selector, is_value: bool) -> Selector:
    attribute, own = "", parsed.pseudo_element
    if is_value and isinstance(own, parser.FunctionalPseudoElement) and own.name == "attr":
        attribute = "".join(one.value or "" for one in own.arguments)
    elif own is not None and not (is_value and own == "text"):
        raise cssselect.ExpressionError("a pseudo-element is no element")
    find_matches(_NO_NODES, parsed.parsed_tree)
    return Selector(" ".join(parsed.canonical().split()), parsed.parsed_tree, attribute)


def select(page: Page, selectors: Selectors) -> Page:
    """Return a page with the nodes that the selectors leave out, keep, or select for values.

    If no selector of ``within`` matches, ``within`` has no effect.
    """
    nodes = page.nodes
    every = (*selectors.limits, *selectors.keep, *chain(*selectors.values.values()))
    found = {one: [*compress(count(), find_matches(nodes, one.tree))] for one in every}

    def matched(some: Iterable[Selector]) -> set[int]:
        return {i for one in some for i in found[one]}

    used = next((some for some in selectors.within if matched(some)), ())
    within, without = matched(used), matched(selectors.without)
    expected = (*(used or chain(*selectors.within)), *selectors.without)
    page = replace(
        page,
        unmatched=tuple(one.given for one in expected if not found[one]),
        kept=tuple(nodes.outermost(sorted(matched(selectors.keep)))),
        values={
            key: tuple((i, one.attribute) for one in some for i in found[one])
            for key, some in selectors.values.items()
        },
    )
    if not within and not without:
        return page
    limits = nodes.outermost(sorted(within) or range(len(nodes)))
    allowed, around = nodes.below([*limits, *nodes.tagged(_HEAD)]), bytearray(len(nodes))
    for i in limits:
        above = nodes.parent[i]
        while above >= 0 and not around[above]:
            around[above] = not allowed[above]
            above = nodes.parent[above] if around[above] else -1
    left_out = nodes.outermost(
        i for i in range(len(nodes)) if i in without or not (allowed[i] or around[i])
    )
    return replace(
        page, left_out=tuple(left_out), around=tuple(compress(range(len(nodes)), around))
    )


def find_matches(nodes: Nodes, tree: Any) -> bytearray:
    """Return a mask over nodes: 1 if a parsed selector matches the node.

    Raise ExpressionError for a pseudo-class that is unknown or depends on more than the page.
    """
    if isinstance(tree, parser.Element):
        return _tagged(nodes, tree)
    mask = find_matches(nodes, tree.selector)
    if isinstance(tree, parser.CombinedSelector):
        after = _spread(nodes, mask, tree.combinator)
        return _both(after, find_matches(nodes, tree.subselector))
    if isinstance(tree, parser.Relation):
        held = []
        for combinator, inner in _arguments(tree):
            held.append(_having(nodes, combinator.value or " ", inner.parsed_tree))
        return _both(mask, bytearray(map(any, zip(*held, strict=True))))
    if isinstance(tree, parser.Negation):
        return _both(mask, find_matches(nodes, tree.subselector).translate(_FLIPPED))
    if isinstance(tree, (parser.Matching, parser.SpecificityAdjustment)):
        some = [find_matches(nodes, one) for one in tree.selector_list]
        return _both(mask, bytearray(map(any, zip(*some, strict=True))))
    if isinstance(tree, (parser.Pseudo, parser.Function)):
        return _both(mask, _placed(nodes, tree))
    return _both(mask, _with_attribute(nodes, tree))


def _having(nodes: Nodes, combinator: str, tree: Any) -> bytearray:
    """Return the mask of elements that match ``:has(...)``, such as ``:has(> p > i)``."""
    mask = bytearray(b"\1") * len(nodes)
    while isinstance(tree, parser.CombinedSelector):
        own = _both(mask, find_matches(nodes, tree.subselector))
        mask, tree = _holders(nodes, own, tree.combinator), tree.selector
    return _holders(nodes, _both(mask, find_matches(nodes, tree)), combinator)


def _arguments(has: Any) -> list[tuple[Any, Any]]:
    """Return (combinator, selector) pairs of ``:has()``; cssselect before 1.6 allows only one."""
    if hasattr(has, "arguments"):
        return list(has.arguments)
    return [(has.combinator, has.subselector)]


_FLIPPED: Final = b"\1\0" + bytes(254)


def _both(one: bytearray, other: bytearray) -> bytearray:
    return bytearray(a & b for a, b in zip(one, other, strict=True))


def _mask(nodes: Nodes, some: Iterable[int]) -> bytearray:
    mask = bytearray(len(nodes))
    for i in some:
        mask[i] = 1
    return mask


def _tagged(nodes: Nodes, tree: parser.Element) -> bytearray:
    if tree.namespace not in (None, "*"):
        raise cssselect.ExpressionError("HTML has no namespaces")
    if tree.element is None:
        return bytearray(b"\1") * len(nodes)
    return _mask(nodes, nodes.tagged(frozenset({tree.element.lower()})))


def _with_attribute(nodes: Nodes, tree: Any) -> bytearray:
    """Return the mask of ``.name``, ``#id`` and ``[name=value]``."""
    if isinstance(tree, parser.Class):
        name, given, operator = "class", tree.class_name, "~="
    elif isinstance(tree, parser.Hash):
        name, given, operator = "id", tree.id, "="
    else:
        if tree.namespace not in (None, "*"):
            raise cssselect.ExpressionError("HTML has no namespaces")
        name, given = tree.attrib.lower(), tree.value.value if tree.value else ""
        operator = tree.operator
    test = _TESTS[operator]
    found = nodes.attributes.named({name}, part="" if operator == "!=" else given)
    mask = _mask(nodes, (node for node, _, value in found if test(value, given)))
    if operator == "!=":  # also for an element without the attribute
        has_it = _mask(nodes, (node for node, _, _ in found))
        return bytearray(not has or is_other for has, is_other in zip(has_it, mask, strict=True))
    return mask


def _spread(nodes: Nodes, mask: bytearray, combinator: str) -> bytearray:
    """Return the mask of the descendants, children or later siblings of masked elements."""
    spread, parent = bytearray(len(nodes)), nodes.parent
    before = parent if combinator in " >" else _siblings_before(nodes)
    is_far = combinator in " ~"
    for i, other in enumerate(before):
        if other >= 0:
            spread[i] = mask[other] or (is_far and spread[other])
    return spread


def _holders(nodes: Nodes, mask: bytearray, combinator: str) -> bytearray:
    """Return the mask of elements with masked descendants, children or later siblings."""
    held = bytearray(len(nodes))
    before = nodes.parent if combinator in " >" else _siblings_before(nodes)
    is_far = combinator in " ~"
    for i in range(len(nodes) - 1, -1, -1):
        if before[i] >= 0 and (mask[i] or (is_far and held[i])):
            held[before[i]] = 1
    return held


def _siblings_before(nodes: Nodes) -> list[int]:
    """Return, per node, its previous sibling; -1 for the first child."""
    last = [-1] * (len(nodes) + 1)  # index -1 is for the roots
    before: list[int] = []
    for i, parent in enumerate(nodes.parent):
        before.append(last[parent])
        last[parent] = i
    return before


def _placed(nodes: Nodes, tree: parser.Pseudo | parser.Function) -> bytearray:
    """Return the mask of a pseudo-class such as ``:first-child`` or ``:empty``."""
    is_function = isinstance(tree, parser.Function)
    name = tree.name if isinstance(tree, parser.Function) else tree.ident
    if name == "root" and not is_function:
        return bytearray(parent < 0 for parent in nodes.parent)
    if name == "empty" and not is_function:
        inner = (end == i + 1 for i, end in enumerate(nodes.end))
        return bytearray(is_leaf and not nodes.text[i] for i, is_leaf in enumerate(inner))
    which, _, among = name.rpartition("-of-type" if name.endswith("-of-type") else "-child")
    if among or which not in _PLACES or is_function is not (_PLACES[which] is None):
        raise cssselect.ExpressionError(f"the pseudo-class :{name} is not known")
    step, first = _PLACES[which] or parser.parse_series(getattr(tree, "arguments", ()))
    places, counts = _places(nodes, name.endswith("-of-type"))
    if which.endswith("last"):
        places = [count - place + 1 for place, count in zip(places, counts, strict=True)]
    if which == "only":
        places = counts
    return bytearray(
        place == first if step == 0 else (place - first) % step == 0 <= (place - first) // step
        for place in places
    )


def _places(nodes: Nodes, is_of_type: bool) -> tuple[list[int], list[int]]:
    """Return, per node, its position among its siblings, from 1 on, and the number of siblings.

    If ``is_of_type``, only siblings with the same tag count.
    """
    name: Sequence[int] = nodes.name if is_of_type else bytes(len(nodes))
    keys = list(zip(nodes.parent, name, strict=True))
    counts: Counter[tuple[int, int]] = Counter()
    places: list[int] = []
    for key in keys:
        counts[key] += 1
        places.append(counts[key])
    return places, [counts[key] for key in keys]
