"""Rules for sites: selectors for main text and metadata, and settings for one site.

A rule may be a file in the public format of ftr-site-config (FiveFilters), one directive per line::

    title: //h1                        the title; ``author`` and ``date`` likewise
    body: //div[@id='story']           the main text; of several lines, the first that matches
    strip: //div[@class='ad']          not in the text
    strip_id_or_class: sidebar         not in the text; a part of an id or class
    strip_image_src: /ads/             no picture; a part of its address
    next_page_link: //a[@rel='next']   the next page of an article

Other directives have no effect: they configure servers or repair broken HTML before it is parsed.
"""

from __future__ import annotations

import logging
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from scrapy_webtext.errors import SettingsError, shown
from scrapy_webtext.page.selectors import LIMITS, NEXT_PAGE, VALUES, Selectors, read_selectors
from scrapy_webtext.reader import PageReader
from scrapy_webtext.registry import Kind, create
from scrapy_webtext.settings import WebtextSettings

logger = logging.getLogger("scrapy_webtext")

_WEB: Final = re.compile(r"https?://[^/\s.]", re.IGNORECASE)

#: A selector is reported after it has matched nothing on this many pages in a row, or on all pages
#: of a smaller site with at least `LEAST_UNMATCHED` pages.
MAX_UNMATCHED: Final = 20
LEAST_UNMATCHED: Final = 3

#: Maximum number of extractors and judges in the cache; requests may name any number.
MAX_MADE: Final = 100

_SELECTORS: Final = (*LIMITS, *VALUES)

#: Directive -> (key of a rule, format of the selector).
_DIRECTIVES: Final[Mapping[str, tuple[str, str]]] = {
    "title": ("title", "{}"),
    "author": ("authors", "{}"),
    "date": ("published", "{}"),
    "body": ("within", "{}"),
    "strip": ("without", "{}"),
    "strip_id_or_class": ("without", '[id*="{0}"], [class*="{0}"]'),
    "strip_image_src": ("without", 'img[src*="{}"]'),
    "next_page_link": (NEXT_PAGE, "{}"),
}


@dataclass(frozen=True)
class SiteRule:
    """The rule for the pages of a site."""

    name: str  #: the host as ``WEBTEXT_SITES`` has it; "" for pages without a rule
    settings: WebtextSettings
    css: Mapping[str, Any]  #: key -> selectors, as given in the setting
    reader: PageReader


class Sites:
    """The rules of ``WEBTEXT_SITES``, by host. Raise SettingsError for a wrong rule."""

    def __init__(self, settings: WebtextSettings) -> None:
        self._made: dict[Any, Any] = {}
        self._rules = {"": self.rule("", settings)}
        self._pages: Counter[str] = Counter()
        #: Name of a rule -> selector -> pages in a row on which it has matched nothing.
        self._unmatched: defaultdict[str, Counter[str]] = defaultdict(Counter)
        hosts = {ascii_host(host): host for host in settings.sites}
        #: Host -> the file of its rule. A file is read at the first page of its site, because there
        #: may be thousands of files.
        self._unread: dict[str, Path] = {}
        for host in sorted(hosts, key=len):  # a domain before its subdomains
            given = settings.sites[hosts[host]]
            if isinstance(given, Path):
                self._unread[host] = given
            else:
                self._rules[host] = self._read(host, hosts[host], given)

    def of(self, url: str) -> SiteRule:
        """Return the rule of the page's host, else of the nearest parent domain with a rule.

        A rule for the host with the port of the address comes before a rule for the host.
        """
        if len(self._rules) == 1 and not self._unread:
            return self._rules[""]
        return self._of_host(host_of(url), port_of(url))

    def unmatched(self, rule: SiteRule, selectors: tuple[str, ...]) -> list[str]:
        """Count a page of a site; return the selectors without a match on 20 pages in a row.

        ``selectors`` are the selectors of the rule that match nothing on this page.
        """
        used, counts = rule.reader.selectors, self._unmatched[rule.name]
        self._pages[rule.name] += 1
        for css in {one.given for one in used.limits} if used is not None else ():
            counts[css] = counts[css] + 1 if css in selectors else 0
        return sorted(css for css in counts if css in selectors and counts[css] == MAX_UNMATCHED)

    def never_matched(self) -> Iterator[tuple[str, list[str], int]]:
        """Yield the small sites of the crawl, with selectors that matched on none of their pages.

        A site has the name of its rule, the selectors and the number of pages.
        """
        for name, pages in self._pages.items():
            some = [css for css, count in sorted(self._unmatched[name].items()) if count == pages]
            if some and LEAST_UNMATCHED <= pages < MAX_UNMATCHED:
                yield name, some, pages

    def _of_host(self, host: str, port: str = "") -> SiteRule:
        while True:
            for name in (host + port, host):
                if path := self._unread.pop(name, None):
                    self._rules[name] = self._read(name, path.stem, read_ftr_rule(path))
                if name in self._rules:
                    return self._rules[name]
            host = host.partition(".")[2]

    def rule(
        self,
        name: str,
        settings: WebtextSettings,
        selectors: Selectors | None = None,
        css: Mapping[str, Any] | None = None,
    ) -> SiteRule:
        """Return a rule; rules with equal parameters share extractors and judges."""
        return SiteRule(name, settings, css or {}, settings.reader(selectors, self._make))

    def _make(self, kind: Kind, target: Any, options: Mapping[str, Any]) -> Any:
        """Return an extractor or judge from the cache, or make it."""
        key = (kind, target, repr(sorted(options.items())))
        made = self._made[key] = self._made.pop(key, None) or create(kind, target, options)
        if len(self._made) > MAX_MADE:
            del self._made[next(iter(self._made))]
        return made

    def _read(self, host: str, name: str, given: Mapping[str, Any]) -> SiteRule:
        bare, port, _ = host.partition(":")
        above = self._of_host(bare if port else host.partition(".")[2])
        where = f"WEBTEXT_SITES[{name!r}]"
        own = {name: value for name, value in given.items() if name in _SELECTORS}
        css = {**above.css, **own}
        selectors = read_selectors(css, f"{where}: ")
        others = {name: value for name, value in given.items() if name not in _SELECTORS}
        settings = above.settings.overridden(others, where, is_trusted=True, also=_SELECTORS)
        return self.rule(name, settings, selectors, css)


def read_ftr_rule(path: Path) -> dict[str, Any]:
    """Return the rule in a file; an empty rule if the file cannot be read.

    A line whose XPath cannot be translated into CSS is left out and logged.
    """
    rule: dict[str, list[str]] = {}
    try:
        lines = path.read_text("utf-8-sig", "replace").splitlines()
    except OSError as error:
        logger.warning("webtext: WEBTEXT_SITES: %s cannot be read: %s", path, error)
        return {}
    for number, line in enumerate(lines, 1):
        name, _, value = (part.strip() for part in line.partition(":"))
        if not value or name not in _DIRECTIVES:
            continue
        key, form = _DIRECTIVES[name]
        if form != "{}":
            value = value.strip("'\"").replace("\\", "").replace('"', "")
        selector = form.format(value)
        if value.startswith("(") and value.endswith(")[1]"):  # the first match is used anyway
            selector = value[1 : -len(")[1]")]
        try:
            read_selectors({key: selector})
        except SettingsError as error:
            logger.info("webtext: line %d of %s is not used: %s", number, path, shown(str(error)))
            continue
        rule.setdefault(key, []).append(selector)
    return rule


def is_web_address(text: str) -> bool:
    """Return whether a text begins as an address of http or https, and not of a local file."""
    return _WEB.match(text) is not None


def host_of(url: str | None) -> str:
    """Return the host of an address in ASCII, the key of rules; empty if it has none."""
    try:
        return ascii_host(urlsplit(url or "").hostname or "")
    except ValueError:
        return ""


def port_of(url: str) -> str:
    """Return ":" and the port of an address; empty if it has none."""
    with suppress(ValueError):
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
        return f":{port}" if port else ""
    return ""


def ascii_host(host: str) -> str:
    """Return a host in ASCII (punycode), as Scrapy writes it into addresses."""
    try:
        return host if host.isascii() else host.encode("idna").decode()
    except UnicodeError:
        return host
