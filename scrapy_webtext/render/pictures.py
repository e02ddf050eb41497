"""Finds the pictures of chosen text; makes addresses of links and pictures absolute."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise, takewhile
from math import inf
from operator import mul
from typing import Final
from urllib.parse import urljoin

from scrapy_webtext.page import Page
from scrapy_webtext.page.encoding import storable_text
from scrapy_webtext.page.nodes import prefix_sums
from scrapy_webtext.page.text import BREAK
from scrapy_webtext.render.captions import find_captions
from scrapy_webtext.render.tree import Image, parse_integer

#: Schemes that a link may have. Schemes that run code ("javascript:") or contain a page ("data:")
#: are not allowed.
LINK_SCHEMES: Final = frozenset({"http", "https", "mailto", "tel", "ftp"})
PICTURE_SCHEMES: Final = frozenset({"http", "https"})
MAX_CHARS: Final = 4_000
#: Maximum number of characters that are added to make all relative addresses of a page absolute.
MAX_ADDED_CHARS: Final = 5_000_000
#: Characters that browsers remove anywhere in an address.
_LEFT_OUT: Final = "\t\n\r"
_CONTROLS: Final = "".join(map(chr, range(33)))
_SCHEME: Final = re.compile(r"\A([a-zA-Z][a-zA-Z0-9+.-]*):")
#: Characters that are not valid in an address; they are percent-encoded.
_ODD: Final = re.compile(r"[\x00-\x20\x7f-\xa0\"<>\\^`{|}\u2028\u2029\ud800-\udfff\ufffe\uffff]")

#: Pictures with a shorter side, in pixels, are icons and tracking pixels.
MIN_PIXELS: Final = 33
#: Minimum share of chosen text in the element around a picture.
MIN_SHARE: Final = 0.5
#: A picture with an empty alternative text that is on the page this many times is decoration.
MANY: Final = 3
#: Maximum number of levels above a picture that are searched for text.
REACH: Final = 24
#: Elements that contain an article.
_ARTICLES: Final = frozenset({"article", "main"})
#: Elements outside the article. A picture in such an element without text is left out.
_ASIDE: Final = frozenset({"nav", "footer", "aside"})
#: Attributes with the address of a picture that is loaded late. If a picture has one, "src" may be
#: the address of a placeholder.
_LATE: Final = (
    "data-src", "data-lazy-src", "data-lazy", "data-original", "data-orig-src", "data-actualsrc",
    "data-url",
)  # fmt: skip
_SOURCES: Final = (*_LATE, "src")
_LATE_SETS: Final = ("data-srcset", "data-lazy-srcset")
#: A candidate of a srcset with its width or density.
_CANDIDATE: Final = re.compile(r"([^\s,]\S*)(?:\s+([0-9]{1,9}(?:\.[0-9]{1,9})?)[wx])?")
#: A flag in place of an address, or a variable in an address that a script replaces.
_NO_ADDRESS: Final = re.compile(r"\A\w*\Z|\{\s*[\w.]+\s*\}|%7B\w+%7D|\[\[\w+\]\]")
#: Maximum number of <source> elements of a <picture> that are read.
_MAX_IN_PICTURE: Final = 20
#: Matches class names, styles and addresses of a placeholder, which is shown until the next picture
#: is loaded.
_STAND_IN: Final = re.compile(
    r"thumb|placeholder|preview|blur|lqip|low-?(?:res|quality)|tiny", re.I
)
#: Parts of the addresses of variants of a picture: "-150x150", "_thumb", "/w300/", "?w=640".
_SIZES: Final = re.compile(
    r"[/_.-](?:(\d{2,4})x\d{2,4}|w[=_-]?(\d{2,4})|(\d{2,4})(?:w|px)|thumb(?:nail)?s?|small)(?=[/_.-])"
    r"|(?<=[?&])(?:w(?:idth)?=(\d{1,4})|(?:h|height|size|resize|fit|q|quality|dpr)=)[^&]*&?",
    re.IGNORECASE,
)


#: Tag of a player -> default title (`_PLAYER_SITES`: addresses of players in frames).
PLAYERS: Final = {
    **dict.fromkeys(("iframe", "embed", "object", "video", "lite-youtube", "amp-youtube"), "Video"),
    "audio": "Audio",
}
_PLAYER_SITES: Final = re.compile(
    r"https?://(?:[\w-]+\.)*(?:youtube(?:-nocookie)?\.com/(?:embed|v)|player\.vimeo\.com"
    r"|dailymotion\.com|soundcloud\.com|spotify\.com/embed|ted\.com|twitch\.tv|archive\.org/embed|bandcamp\.com"
    r"|podcasts\.apple\.com|bilibili\.com|rutube\.ru|tiktok\.com)/"
)
_YOUTUBE: Final = re.compile(r"\Ahttps?://[^/]+/(?:embed|v)/([\w-]{11})(?:[?#&].*)?\Z")
#: Maximum number of elements in a player that are searched for an address.
_MAX_SOURCES: Final = 20
#: Maximum distance, in nodes, from a picture to its <noscript>.
_BEFORE_NOSCRIPT: Final = 4


#: Absolute addresses that ``urljoin`` does not change; most addresses match.
_WHOLE: Final = re.compile(
    r"https?://[A-Za-z0-9.-]+(?:/[^\s\\?#;]*(?:\?[^\s\\#]+)?(?:#[^\s\\]+)?)?"
)
#: Addresses that begin with a slash. If they have no "/.", ``urljoin`` only appends them to the
#: root.
_OF_ROOT: Final = re.compile(r"/(?!/)[^\s\\?#;]*(?:\?[^\s\\#]+)?(?:#[^\s\\]+)?")


class Addresses:
    """Makes the addresses on a page safe, and absolute with ``<base>`` and the page's address."""

    def __init__(self, page: Page) -> None:
        self._base = own = page.url or ""
        self._left = MAX_ADDED_CHARS
        if page.base_href is not None:
            self._base = self.of(page.base_href, PICTURE_SCHEMES) or own

    def of(self, given: str, schemes: frozenset[str]) -> str | None:
        """Return the absolute address; None if invalid, too long or of another scheme."""
        for char in _LEFT_OUT:
            given = given.replace(char, "")
        given = given.strip(_CONTROLS)
        if not given or len(given) > MAX_CHARS:
            return None
        try:
            if not self._base or _WHOLE.fullmatch(given):
                address = given
            elif "/." not in given and _OF_ROOT.fullmatch(given):
                address = self._root + given
            else:
                address = urljoin(self._base, given)
        except ValueError:  # an invalid address such as "http://["
            return None
        scheme = _SCHEME.match(address)
        self._left -= max(len(address) - len(given), 0)
        if self._left < 0 or (scheme and scheme[1].lower() not in schemes):
            return None
        return _ODD.sub(_quote, address)

    @cached_property
    def _root(self) -> str:
        """Scheme and host, to which addresses that begin with a slash are appended."""
        return urljoin(self._base, "/")[:-1]


def _quote(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))


def find_images(
    page: Page, chosen: Sequence[int], without: Collection[int] = ()
) -> list[tuple[int, Image]]:
    """Return the pictures in the text of the runs ``chosen``, each as (next run, picture).

    ``chosen`` ascends. ``without`` are nodes to leave out. Players and rules are included. A
    picture is in the text if both conditions are true:

    * It is in the <article> or <main> that contains all chosen text, or, if there is none, in the
      innermost element that contains it.
    * The runs before and after it are chosen, or most of the text around it is chosen.

    The caption of a picture need not be chosen.
    """
    found = [i for i in page.nodes.tagged(frozenset(_READERS)) if i not in without]
    if not found or not chosen:
        return []
    hidden, parent, first, end = page.hidden, page.nodes.parent, page.runs.first, page.runs.end
    text = TextAround(page, chosen)
    around = text.container()
    inside = range(around, page.nodes.end[around])
    addresses = Addresses(page)
    late = _find_in_noscript(page)
    spare = frozenset(late.values())
    images = []
    for i in found:
        if i not in inside or i in late or not (i in spare or not hidden[max(parent[i], 0)]):
            continue
        if text.is_within(first[i], end[i]) or (page.nodes.tag[i] != "hr" and text.holds(i)):
            image = _READERS[page.nodes.tag[i]](page, i, addresses)
            if image is not None:
                images.append((first[i], image))
    times = Counter(image.source for _, image in images)
    stand_ins = _find_stand_ins(page, images)

    def is_decoration(image: Image) -> bool:
        is_empty = dict(page.nodes.attributes[image.node]).get("alt") == ""
        is_svg = image.source.partition("?")[0].endswith(".svg")
        return is_empty and (is_svg or times[image.source] >= MANY)

    return [one for one in images if one[1] not in stand_ins and not is_decoration(one[1])]


class TextAround:
    """Finds out whether the text around a picture or formula is chosen."""

    def __init__(self, page: Page, chosen: Sequence[int]) -> None:
        self._page = page
        self._first, self._last = chosen[0], chosen[-1]
        self._is_chosen = bytearray(len(page.runs))
        for k in chosen:
            self._is_chosen[k] = 1
        blocks = page.blocks
        of_captions = [k for b in sorted(find_captions(page)) for k in blocks.runs(b)]
        self._captions = [k for k in of_captions if not self._is_chosen[k]]
        for k in self._captions:  # chosen if the text before them and after them is
            self._is_chosen[k] = k > 0 and self._is_chosen[k - 1]
        for k in reversed(self._captions):
            self._is_chosen[k] &= k + 1 < len(self._is_chosen) and self._is_chosen[k + 1]

    @cached_property
    def _sums(self) -> tuple[list[int], list[int]]:
        """Prefix sums over runs: characters that are shown, and chosen ones among them.

        Captions that are not in the text do not count.
        """
        runs, hidden = self._page.runs, self._page.hidden
        lengths = [0 if hidden[i] else len(t) for t, i in zip(runs.text, runs.node, strict=True)]
        for k in self._captions:
            lengths[k] = 0
        return prefix_sums(lengths), prefix_sums(map(mul, lengths, self._is_chosen))

    def container(self) -> int:
        """Return the article around all chosen text; without one, the innermost element."""
        nodes, runs = self._page.nodes, self._page.runs
        node = runs.node[self._first]
        while runs.end[node] <= self._last and nodes.parent[node] >= 0:
            node = nodes.parent[node]
        article = node
        while article >= 0 and nodes.tag[article] not in _ARTICLES:
            article = nodes.parent[article]
        return article if article >= 0 else node

    def is_within(self, at: int, end: int) -> bool:
        """Return whether the last run before ``at`` and the run ``end`` exist and are chosen."""
        are_there = at > 0 and end < len(self._is_chosen)
        return are_there and self._is_chosen[at - 1] + self._is_chosen[end] == 2

    def holds(self, node: int) -> bool:
        """Return whether most of the text around a node is chosen."""
        nodes, runs = self._page.nodes, self._page.runs
        of_shown, of_chosen = self._sums
        for _ in range(REACH):
            a, z = runs.first[node], runs.end[node]
            shown = of_shown[z] - of_shown[a]
            if nodes.tag[node] == "figure":
                if self.is_within(a, z):
                    return True
            elif shown:
                return of_chosen[z] - of_chosen[a] >= MIN_SHARE * shown
            if nodes.tag[node] in _ASIDE or nodes.parent[node] < 0:
                return False
            node = nodes.parent[node]
        return False


def _find_in_noscript(page: Page) -> dict[int, int]:
    """Return replaced picture -> picture in <noscript> that replaces it.

    It replaces the picture directly before <noscript>. If it replaces none, its key is negative,
    and it must have alternative text, because pictures that only count visits have none.
    """
    nodes, runs, hidden, found = page.nodes, page.runs, page.hidden, dict[int, int]()
    for spare in nodes.tagged(frozenset({"noscript"})):
        inside = range(spare + 1, nodes.end[spare])
        image = next((i for i in inside if nodes.tag[i] == "img"), -1)
        if image >= 0 and not hidden[max(nodes.parent[spare], 0)]:
            before = range(spare - 1, max(spare - _BEFORE_NOSCRIPT, 0), -1)
            lazy = next((i for i in before if nodes.tag[i] == "img" and not hidden[i]), -1)
            alt = nodes.attributes.get(image, "alt")
            if lazy >= 0 and runs.first[lazy] == runs.first[image]:
                is_same = not alt or nodes.attributes.get(lazy, "alt") in ("", alt)
                found[lazy if is_same else -1 - image] = image
            elif alt:
                found[-1 - image] = image
    return found


def _read_player(page: Page, node: int, addresses: Addresses) -> Image | None:
    nodes, tag = page.nodes, page.nodes.tag[node]
    given = dict(nodes.attributes[node])
    is_media = tag in ("video", "audio")
    most = 1 if tag == "iframe" else _MAX_SOURCES
    for i in range(node, min(nodes.end[node], node + most)):
        own = dict(nodes.attributes[i]) if nodes.tag[i] != "track" else {}
        source = next((own[name] for name in _SOURCES if own.get(name)), "")
        if tag.endswith("-youtube"):
            number = own.get("videoid") or own.get("data-videoid", "")
            source = f"https://www.youtube.com/embed/{number}"
        address = addresses.of(source, PICTURE_SCHEMES)
        if address and (is_media or _PLAYER_SITES.match(address)):
            address = _YOUTUBE.sub(r"https://www.youtube.com/watch?v=\1", address)
            title = " ".join(storable_text(given.get("title", "")).split()) or PLAYERS[tag]
            return Image(node, address, title, None, None, "player")
    return None


def _read(page: Page, node: int, addresses: Addresses) -> Image | None:
    given = dict(page.nodes.attributes[node])
    width, height = parse_integer(given.get("width")), parse_integer(given.get("height"))
    if any(size is not None and size < MIN_PIXELS for size in (width, height)):
        return None
    for one in _list_sources(page, node, given):
        if one and not _NO_ADDRESS.search(one) and (source := addresses.of(one, PICTURE_SCHEMES)):
            alt = " ".join(storable_text(given.get("alt", "")).split())
            return Image(node, source, alt, width, height)
    return None


def _read_rule(_: Page, node: int, __: Addresses) -> Image | None:
    return Image(node, "", "", None, None, "rule")


#: Tag -> function that reads it.
_READERS: Final = {
    "img": _read, "amp-img": _read, "hr": _read_rule, **dict.fromkeys(PLAYERS, _read_player)
}  # fmt: skip


def _list_sources(page: Page, node: int, given: Mapping[str, str]) -> Iterator[str]:
    """Yield the candidate addresses of a picture, best first."""
    yield from (given.get(name, "") for name in _LATE)
    yield from _read_sets([given], (*_LATE_SETS, "srcset"))
    nodes = page.nodes
    before = range(node - 1, max(node - _MAX_IN_PICTURE, 0), -1)
    tagged = takewhile(lambda i: nodes.tag[i] == "source", before)
    inside = [dict(nodes.attributes[i]) for i in tagged][::-1]
    yield from _read_sets(inside, _LATE_SETS)
    sets, own = _read_sets(inside, ("srcset",)), given.get("src", "")
    is_late = sets and _STAND_IN.search(f"{given.get('class')} {given.get('style')} {own}")
    yield from [*sets, own] if is_late else [own, *sets]


def _read_sets(sources: Sequence[Mapping[str, str]], names: Sequence[str]) -> list[str]:
    """Return the addresses in srcset attributes, largest picture first."""
    found = [
        (-float(one[2] or 0), one[1].rstrip(","))
        for given in sources
        for name in names
        for one in _CANDIDATE.finditer(given.get(name, ""))
    ]
    return [address for _, address in sorted(found, key=lambda one: one[0])]


def _width_of(image: Image) -> float:
    """Return the width in an address; infinity if it has none, 0 for a thumbnail."""
    widths = [float(one) for match in _SIZES.findall(image.source) for one in match if one]
    return max(widths, default=0 if _STAND_IN.search(image.source) else inf)


def _find_stand_ins(page: Page, images: Sequence[tuple[int, Image]]) -> set[Image]:
    """Return the pictures shown until the next one is loaded, and those shown above, too.

    A picture in a block or in a cell may be shown again.
    """
    parent, get = page.nodes.parent, page.nodes.attributes.get

    def is_small(image: Image) -> bool:
        return bool(_STAND_IN.search(f"{get(image.node, 'class')} {get(image.node, 'style')}"))

    found, seen, gap = set[Image](), set[tuple[str, str]](), page.runs.gap
    images = [one for one in images if one[1].kind != "rule"]
    for at, one in sorted(images, key=lambda one: -_width_of(one[1])):
        is_between = at == len(gap) or gap[at] == BREAK
        in_cell = page.nodes.tag[page.containers[one.node]] in ("td", "th")
        name = _SIZES.sub("", one.source).rstrip("?&")
        if (name, one.alt) in seen and is_between and not in_cell:
            found.add(one)
        seen.update({(name, one.alt), (name, "")})
    for (at, one), (after, other) in pairwise(images):
        up, next_up = parent[one.node], parent[other.node]
        if at == after and not {up, parent[up]}.isdisjoint({next_up, parent[next_up]}):
            is_same = one.source.partition("?")[0] == other.source.partition("?")[0]
            is_spare = is_same or (is_small(one) and not is_small(other))
            if is_spare and one.alt in ("", other.alt):
                found.add(one)
    return found
