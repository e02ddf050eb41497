"""Writes the HTML report of one page, and an evaluation's overview with scores and worst pages.

A report is one file. It needs no network and runs no script of the reported page. It draws any
:class:`~scrapy_webtext.results.Signal` by the signal's unit, without code for single extractors.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from importlib import import_module
from itertools import islice
from math import nan
from typing import Any, Final

from scrapy_webtext.errors import MissingExtraError, import_extra
from scrapy_webtext.lab import render_template, resource
from scrapy_webtext.lab.corpus import LabelledPage, corpus_path, match_words, read_corpus
from scrapy_webtext.lab.evaluation import (
    Evaluation,
    TextSystem,
    corpus_tables,
    judge_table,
    make_system,
)
from scrapy_webtext.lab.pictures import ExtractorView, draw, draw_agreement
from scrapy_webtext.lab.sentences import caption, describe_path, explain, unweighed, what_decided
from scrapy_webtext.metadata import describe_article
from scrapy_webtext.page import Page, parse
from scrapy_webtext.reader import PageReader
from scrapy_webtext.results import Breadcrumb, Comment, Extraction, Extractor, SignalSource

#: The report links to addresses that begin with one of these; it shows other addresses as text.
_LINKED: Final = ("http://", "https://")
#: The number of reasons that the report shows for a block.
MAX_REASONS: Final = 6
#: The number of values that the report shows of a list.
MAX_VALUES: Final = 20
_KINDS: Final = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6", "title"), "heading"),
    **dict.fromkeys(("li", "dd", "dt"), "item"),
    **dict.fromkeys(("pre", "code"), "code"),
}


def read(page: Page, extractor: Extractor) -> ExtractorView:
    """Extract a page, and return the extraction with the extractor's signals if it has any."""
    signals = extractor.signals(page) if isinstance(extractor, SignalSource) else ()
    return ExtractorView(extractor.extract(page), signals)


def render_report(
    page: Page, views: Sequence[ExtractorView], reader: PageReader, opened: str | None = None
) -> str:
    """Return the report of a page as HTML, with the extractors in the order of ``views``.

    The report opens on the extractor ``opened`` (default: the first), at the first block that this
    extractor chose. Everything from the page is escaped, and a Content-Security-Policy admits only
    scripts with known hashes. Raise MissingExtraError without jinja2 or plotly.
    """
    script, (plotly, packed) = resource("report.js"), _plotly()
    hidden = page.whole.hidden  # a site's rule excludes other blocks
    return render_template(
        "report.html",
        page=page,
        link=page.url if page.url and page.url.startswith(_LINKED) else None,
        views=views,
        found=describe_article(page.whole, views[0].extraction),
        shown=_shown,
        judgement=reader.judged(page),
        judge=reader.judge.name,
        threshold=reader.threshold,
        kinds=_KINDS,
        left_out=[b for b in page.blocks if page.outside[b.node] and not hidden[b.node]],
        policy=_policy(script, plotly),
        style=resource("report.css"),
        script=script,
        plotly=packed,
        data=_as_json(_data(page, views, opened)),
    )


def _shown(value: str | bool | tuple[str | Breadcrumb | Comment, ...]) -> str:
    """Return the text that the report shows for a metadata value."""
    if not isinstance(value, tuple):
        return str(value)
    names = [
        one.name if isinstance(one, Breadcrumb) else one.text if isinstance(one, Comment) else one
        for one in value[:MAX_VALUES]
    ]
    return (" › " if isinstance(value[0], Breadcrumb) else ", ").join(names)


def _data(page: Page, views: Sequence[ExtractorView], opened: str | None) -> dict[str, Any]:
    """Return the data that the script of the report reads."""
    sentences: dict[str, int] = {}
    return {
        "opened": opened or views[0].name,
        "pictures": {"agreement": [asdict(draw_agreement(page, views))]}
        | {view.name: list(map(asdict, draw(page, view))) for view in views},
        "chosen": {view.name: list(view.extraction.chosen) for view in views},
        "votes": [sum(b in view.chosen for view in views) for b in range(len(page.blocks))],
        "why": {view.name: explain(page, view.signals) for view in views},
        "reasons": {view.name: _reasons(page, view, sentences) for view in views},
        "sentences": list(sentences),
        "unweighed": {view.name: unweighed(view.signals) for view in views},
        "facts": _facts(page),
    }


def _reasons(page: Page, view: ExtractorView, sentences: dict[str, int]) -> list[dict[str, Any]]:
    """Return for each signal with reasons its caption, and the reasons for each block.

    The result has the signals in reversed order, because the view lists the last stage first. A
    reason is a pair of the number of a sentence and its effect. Many blocks share a sentence, so
    ``sentences`` maps each sentence to its number; new sentences are added.
    """
    return [
        {
            "why": caption(signal.name, signal.unit).why,
            "blocks": [
                [
                    (sentences.setdefault(said, len(sentences)), round(effect, 3))
                    for said, effect in what_decided(of_block)[:MAX_REASONS]
                ]
                for of_block in signal.reasons
            ],
        }
        for signal in reversed(view.signals)
        if signal.unit == "block" and len(signal.reasons) == len(page.blocks)
    ]


def _facts(page: Page) -> list[list[str]]:
    """Return for each block the path of its elements, and its length."""
    facts = []
    for block in page.blocks:
        chars = "1 character" if block.chars == 1 else f"{block.chars:,} characters"
        link = f"{block.link_density:.0%} of it in links" if block.link_chars else "no links"
        facts.append([describe_path(page, block.node), f"{chars}, {link}"])
    return facts


def _as_json(data: Any) -> str:
    """Return JSON that is safe inside a <script> element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _policy(*scripts: str) -> str:
    """Return a Content-Security-Policy that admits these scripts and no other source.

    Inline styles are admitted because plotly sets styles of elements.
    """
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    hashes = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


@cache
def _plotly() -> tuple[str, str]:
    """Return plotly's script twice: as text, and compressed in base64 (half of a report)."""
    script: str = import_extra("plotly.offline", "The report", "lab").get_plotlyjs()
    return script, base64.b64encode(gzip.compress(script.encode(), mtime=0)).decode()


#: Name of the view that shows a page's gold text next to the views of the extractors.
GOLD = "gold text"


def evaluation_files(
    evaluation: Evaluation, reader: PageReader, worst: int
) -> Iterator[tuple[str, str]]:
    """Yield (name, text) of each file: first reports of the worst pages, then the overview."""
    sections: list[dict[str, Any]] = []
    for number, (corpus, scores) in enumerate(evaluation.corpora.items(), 1):
        pages = islice(read_corpus(corpus_path(corpus)), None, None, evaluation.every)
        places = scores[0].worst(worst)
        labelled = {n: p for n, p in enumerate(p for p in pages if p.text) if n in places}
        systems = {score.extractor: make_system(score.extractor) for score in scores}
        links = []
        for place in places:
            name, page = f"pages/{number}-{place + 1}.html", labelled[place]
            yield name, page_report(page, systems, reader)
            f1 = [score.pages[place].overlap.f1 for score in scores]
            links.append({"href": name, "page": page, "scores": f1})
        title = f"{corpus}: {len(scores[0].pages)} pages"
        tables = corpus_tables(scores)
        sections.append({"title": title, "tables": tables, "worst": links, "names": list(systems)})
    if evaluation.judges:
        title = f"Judges, threshold {evaluation.threshold:g}"
        tables = [judge_table(evaluation.judges, evaluation.threshold)]
        sections.append({"title": title, "tables": tables, "worst": []})
    style = resource("report.css") + resource("overview.css")
    yield "index.html", render_template("overview.html", sections=sections, style=style)


def check_packages() -> None:
    """Raise MissingExtraError if a package that reports need is missing."""
    missing = []
    for name in ("jinja2", "plotly"):
        try:
            import_module(name)
        except ImportError:
            missing.append(name)
    if missing:
        raise MissingExtraError("The report", " ".join(missing), "lab")


def page_report(
    labelled: LabelledPage, systems: Mapping[str, TextSystem], reader: PageReader
) -> str:
    """Return the report of a labelled page; its gold text is the first of the extractors' views."""
    page = parse(labelled.html, url=labelled.url)
    views = [_view_of_text(page, labelled.text, GOLD)]
    views += [_view(page, labelled, name, system) for name, system in systems.items()]
    return render_report(page, views, reader, next(iter(systems), GOLD))


def _view(page: Page, labelled: LabelledPage, name: str, system: TextSystem) -> ExtractorView:
    """Return a system's view of a page; an empty view if the system raises an exception."""
    try:
        if system.extractor is None:
            return _view_of_text(page, system.text(labelled.html, labelled.url), name)
        found = read(page, system.extractor)
        return replace(found, extraction=replace(found.extraction, extractor=name))
    except Exception:  # the evaluation has counted this error
        return ExtractorView(Extraction("", nan, name))


def _view_of_text(page: Page, text: str, name: str) -> ExtractorView:
    """Return the view of a text; a block is chosen if the text has more than half of its words."""
    matches = match_words(page.blocks.text, text)
    chosen = tuple(b for b, match in enumerate(matches) if match.share > 0.5)
    return ExtractorView(Extraction(text, nan, name, chosen))
