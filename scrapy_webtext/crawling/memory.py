"""What a crawl remembers of each site: repeated text, and figures for the next crawl."""

from __future__ import annotations

import json
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import sqrt
from pathlib import Path
from statistics import median
from typing import Final

from scrapy_webtext.crawling.stats import CrawlStats, logger
from scrapy_webtext.errors import InputError, SettingsError, describe
from scrapy_webtext.files import check_file, whole_file
from scrapy_webtext.metadata import describe_article
from scrapy_webtext.page import Page
from scrapy_webtext.reader import PageReader
from scrapy_webtext.results import Extraction, Judgement, WebTextResult
from scrapy_webtext.settings import WebtextSettings

#: Maximum number of sites. `Repeats` keeps the sites with the latest pages; the file of `SiteStats`
#: has the sites with the most pages.
MAX_SITES: Final = 1_000
#: Two crawls of a site are compared only if each has this many pages; texts are compared only if
#: each has this many texts.
LEAST_PAGES: Final = 10
#: A difference of two shares or scores is reported only if it is greater than this.
SHARE_BOUND: Final = 0.25
#: A difference of two shares must also be greater than this many standard errors.
ERRORS_BOUND: Final = 3.0
#: A ratio of two median lengths is reported if it is greater than the first number (few texts) or
#: the second (many texts).
LENGTH_BOUNDS: Final = (3.0, 2.0)
MANY_TEXTS: Final = 30
#: Maximum number of hashes of all sites; maximum number of one site's blocks, and of its texts.
MAX_HASHES: Final = 100_000
MAX_SITE_HASHES: Final = 1_000
#: A block is repeated if it is on at least this many pages and this share of its site's pages.
REPEAT_PAGES: Final = 3
REPEAT_SHARE: Final = 0.1
#: Blocks with fewer characters are never counted, because labels and headings often repeat.
LEAST_CHARS: Final = 40
#: If repeated blocks have a greater share of a text's characters, no block counts as repeated,
#: because then the pages have the whole text in common.
MAX_SHARE: Final = 0.5
#: A page has no article if at least this many earlier pages of its site had the same text.
NO_ARTICLE_FROM: Final = 2


@dataclass(slots=True)
class _SiteHashes:
    pages: int = 0
    blocks: dict[int, int] = field(default_factory=dict)  #: hash of a block -> pages with it
    texts: dict[int, int] = field(default_factory=dict)  #: hash of a text -> pages with it


@dataclass(frozen=True, slots=True)
class Repeated:
    """The parts of a page's main text that earlier pages of the site had, too."""

    blocks: frozenset[int] = frozenset()  #: blocks of the page that are repeated
    text_repeats: int = 0  #: earlier pages with the same text

    @property
    def is_no_article(self) -> bool:
        """Whether so many earlier pages had this text that it is no article."""
        return self.text_repeats >= NO_ARTICLE_FROM


class Repeats:
    """Counts the blocks and texts of each site's pages by hash; about 100 bytes per hash."""

    def __init__(self) -> None:
        self._sites: OrderedDict[str, _SiteHashes] = OrderedDict()

    def __len__(self) -> int:
        """Return the number of hashes that are remembered."""
        return sum(len(site.blocks) + len(site.texts) for site in self._sites.values())

    def see(self, host: str, page: Page, text: str, chosen: Sequence[int]) -> Repeated:
        """Count a page of a site; return the parts of its text that earlier pages had.

        ``chosen`` are the blocks of the text. The result has no blocks if repeated blocks exceed
        `MAX_SHARE` of the text.
        """
        site = self._sites.pop(host, None) or _SiteHashes()
        self._sites[host] = site
        if len(self._sites) > MAX_SITES:
            self._sites.popitem(last=False)
        site.pages += 1
        if not text:
            return Repeated()
        texts = page.blocks.text
        keys = {block: hash(texts[block]) for block in chosen if len(texts[block]) >= LEAST_CHARS}
        for key in {*keys.values()}:
            site.blocks[key] = site.blocks.get(key, 0) + 1
        earlier = site.texts.get(hash(text), 0)
        site.texts[hash(text)] = earlier + 1
        self._shrink(site)
        if len(self) > MAX_HASHES:  # the limit of each site falls with each new site
            for other in self._sites.values():
                self._shrink(other)
        least = max(REPEAT_PAGES, REPEAT_SHARE * site.pages)
        found = frozenset(b for b, key in keys.items() if site.blocks.get(key, 0) >= least)
        chars = sum(len(texts[block]) for block in found)
        if chars > MAX_SHARE * sum(len(texts[block]) for block in chosen):
            return Repeated(text_repeats=earlier)
        return Repeated(found, earlier)

    def _shrink(self, site: _SiteHashes) -> None:
        limit = min(MAX_SITE_HASHES, MAX_HASHES // (2 * len(self._sites)))
        for counts in (site.blocks, site.texts):
            if len(counts) > limit:
                by_pages = sorted(counts, key=counts.__getitem__)  # stable: oldest first
                for key in by_pages[: -(limit // 2)]:
                    del counts[key]


@dataclass(frozen=True, slots=True)
class SiteFigures:
    """The figures of one site in one crawl."""

    pages: int  #: pages that were judged
    articles: float  #: share of judged pages with an article
    texts: int  #: pages that were extracted
    chars: float  #: median length of the non-empty texts
    score: float  #: median ``main_text_score`` of the non-empty texts
    empty: float  #: share of empty texts
    repeated: float  #: share of texts that at least two earlier pages had
    language: str  #: language of more than half of the texts; else empty


@dataclass(slots=True)
class _Site:
    """Counts of one site. Lengths and scores are rounded, so that the counters stay small."""

    pages: int = 0
    articles: int = 0
    texts: int = 0
    empty: int = 0
    repeated: int = 0
    languages: Counter[str] = field(default_factory=Counter)
    chars: Counter[float] = field(default_factory=Counter)
    scores: Counter[float] = field(default_factory=Counter)

    def figures(self) -> SiteFigures:
        texts = max(self.texts, 1)
        [(language, number)] = self.languages.most_common(1) or [("", 0)]
        return SiteFigures(
            self.pages,
            round(self.articles / max(self.pages, 1), 4),
            self.texts,
            median(self.chars.elements()) if self.chars else 0.0,
            median(self.scores.elements()) if self.scores else 0.0,
            round(self.empty / texts, 4),
            round(self.repeated / texts, 4),
            language if number > texts / 2 else "",
        )


class SiteStats:
    """The figures of this crawl's sites, and the earlier figures from a JSON file.

    Raise SettingsError if the file has other content or its folder does not exist.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._before = _read(path)
        self._sites: dict[str, _Site] = {}

    def judged(self, host: str, has_article: bool) -> None:
        """Count a judged page."""
        site = self._site(host)
        site.pages += 1
        site.articles += has_article

    def extracted(
        self, host: str, text: str, score: float, language: str, is_repeated: bool
    ) -> None:
        """Count an extracted text; ``is_repeated``: at least two earlier pages had it."""
        site = self._site(host)
        site.texts += 1
        site.repeated += is_repeated
        if not text:
            site.empty += 1
            return
        site.chars[float(f"{len(text):.2g}")] += 1
        site.scores[round(score, 2)] += 1
        if language:
            site.languages[language.partition("-")[0]] += 1

    def changes(self) -> Iterator[tuple[str, str]]:
        """Yield each site that changed since the last crawl, with a description of the changes."""
        for host in sorted(self._sites.keys() & self._before.keys()):
            if words := ", ".join(_changes(self._before[host], self._sites[host].figures())):
                yield host, words

    def store(self) -> None:
        """Write the figures of this crawl; a site with few pages keeps its earlier figures.

        Raise InputError or OSError if the file cannot be written.
        """
        figures = {**self._before}
        for host, site in self._sites.items():
            if site.pages >= LEAST_PAGES or host not in figures:
                figures[host] = site.figures()
        busiest = sorted(figures.items(), key=lambda row: (-row[1].pages, row[0]))[:MAX_SITES]
        text = json.dumps({host: asdict(row) for host, row in busiest}, indent=1)
        with whole_file(self._path) as file:
            file.write(f"{text}\n".encode())

    def _site(self, host: str) -> _Site:
        if host not in self._sites and len(self._sites) >= 2 * MAX_SITES:
            by_pages = sorted(self._sites, key=lambda name: self._sites[name].pages)
            for name in by_pages[:MAX_SITES]:
                del self._sites[name]
        return self._sites.setdefault(host, _Site())


def _changes(before: SiteFigures, now: SiteFigures) -> Iterator[str]:
    pages, texts = min(before.pages, now.pages), min(before.texts, now.texts)
    if pages >= LEAST_PAGES and _differs(before.articles, now.articles, pages):
        yield f"articles {before.articles:.0%} -> {now.articles:.0%} of pages"
    if texts < LEAST_PAGES:
        return
    for name in ("empty", "repeated"):
        one, other = getattr(before, name), getattr(now, name)
        if other > one and _differs(one, other, texts):
            yield f"{name} texts {one:.0%} -> {other:.0%}"
    ratio = (now.chars or 1) / (before.chars or 1)
    if max(ratio, 1 / ratio) > LENGTH_BOUNDS[texts >= MANY_TEXTS] and before.chars and now.chars:
        yield f"median length {before.chars:.0f} -> {now.chars:.0f} characters"
    if abs(before.score - now.score) > SHARE_BOUND and before.chars and now.chars:
        yield f"median main_text_score {before.score:.2f} -> {now.score:.2f}"
    if before.language and now.language and before.language != now.language:
        yield f"language {before.language} -> {now.language}"


def _differs(one: float, other: float, count: int) -> bool:
    """Return whether two shares, each of at least ``count`` pages, differ by more than chance."""
    mean = (one + other) / 2
    error = sqrt(2 * mean * (1 - mean) / count)
    return abs(one - other) > max(SHARE_BOUND, ERRORS_BOUND * error)


def _read(path: str) -> Mapping[str, SiteFigures]:
    try:
        check_file(path)
        text = Path(path).read_text("utf-8") if Path(path).exists() else "{}"
        return {host: SiteFigures(**row) for host, row in json.loads(text).items()}
    except (InputError, OSError, ValueError, TypeError, AttributeError) as error:
        words = f"is no file for the figures of sites ({describe(error)}): name a new file"
        raise SettingsError(f"WEBTEXT_SITE_STATS = {path!r} {words}") from None


class SiteMemory:
    """What one crawl remembers of its sites, depending on its settings."""

    def __init__(self, settings: WebtextSettings, stats: CrawlStats) -> None:
        self._on_repeats, self._stats = settings.repeats, stats
        self._repeats = Repeats()
        path = settings.site_stats if settings.enabled else None
        self._figures = SiteStats(path) if path is not None else None
        #: Whether a setting needs the counts of repeated texts or the figures.
        self.is_needed = bool(settings.repeats or path or "text_repeats" in settings.fields)

    def judged(self, host: str, judgement: Judgement) -> None:
        """Count a judged page of a site, if the settings ask for figures."""
        if self._figures is not None:
            self._figures.judged(host, judgement.has_article is True)

    def combine(
        self,
        host: str,
        page: Page,
        judgement: Judgement,
        extraction: Extraction,
        reader: PageReader,
    ) -> WebTextResult:
        """Count a page's text and return its result, changed by the texts of earlier pages."""
        seen = self._repeats.see(host, page, extraction.text, extraction.chosen)
        if self._figures is not None:
            language = describe_article(page, extraction, ("language",))["language"].value or ""
            text, score = extraction.text, extraction.score
            self._figures.extracted(host, text, score, language, seen.is_no_article)
        self._stats.count("sites/repeated_blocks", len(seen.blocks))
        if seen.is_no_article:
            self._stats.count("sites/repeated_texts")
            judgement = replace(judgement, has_article=False)
        if self._on_repeats == "drop" and judgement.has_article and seen.blocks:
            kept = (block for block in extraction.chosen if block not in seen.blocks)
            extraction = extraction.with_blocks(page, kept)
        found = reader.result(page, judgement, extraction)
        rows = found.blocks
        if rows is not None and seen.blocks:
            repeated = {page.blocks.text[block] for block in seen.blocks}
            rows = tuple(replace(row, is_repeated=row.text in repeated) for row in rows)
        return replace(found, text_repeats=seen.text_repeats, blocks=rows)

    def close(self) -> None:
        """Log which sites changed and store the figures; a fault is logged and counted."""
        if self._figures is None:
            return
        for host, words in self._figures.changes():
            self._stats.count("sites/changed")
            logger.warning("webtext: %s has changed since the last crawl: %s", host, words)
        try:
            self._figures.store()
        except (InputError, OSError) as error:
            self._stats.fault(error, "the figures of WEBTEXT_SITE_STATS could not be written")
