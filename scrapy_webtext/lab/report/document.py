"""The report as one HTML file. It needs no network and runs no script of the page."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from math import isfinite, nan
from typing import TYPE_CHECKING, Any, Final

from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.lab.report.captions import caption
from scrapy_webtext.lab.report.described import described
from scrapy_webtext.lab.report.figures import Picture
from scrapy_webtext.lab.report.locations import describe_path
from scrapy_webtext.lab.report.pictures import draw, draw_agreement
from scrapy_webtext.lab.report.reasons import explain, unweighed, what_decided
from scrapy_webtext.lab.report.views import ExtractorView, PageJudgement, agreement, votes
from scrapy_webtext.page import Page

if TYPE_CHECKING:
    import jinja2

#: Schemes of addresses that the report links to; others stay text.
_LINKED: Final = ("http://", "https://")
#: Reasons that are shown per block.
MAX_REASONS: Final = 6


def render_report(
    page: Page,
    views: Sequence[ExtractorView],
    judgement: PageJudgement,
    opened: str | None = None,
) -> str:
    """Return the HTML of a page's report, with the extractors in this order.

    It opens on the extractor ``opened``, and without a name on the first, at its first block.
    All that comes from the page is escaped; scripts run by their hash alone
    (Content-Security-Policy). MissingExtraError without jinja2 or plotly.
    """
    template = environment().get_template("report.html")
    script, plotly = resource("report.js"), _plotly()
    return template.render(
        page=page,
        link=page.url if page.url and page.url.startswith(_LINKED) else None,
        views=views,
        scores=_scores(page, views),
        described=described(page, views[0].extraction) if views else [],
        judged=judgement,
        blocks=_blocks(page, views),
        policy=_policy(script, plotly),
        style=resource("report.css"),
        script=script,
        plotly=_packed(plotly),
        data=_as_json(_data(page, views, opened)),
    )


def _data(page: Page, views: Sequence[ExtractorView], opened: str | None) -> dict[str, Any]:
    """Return what the page's script works with."""
    sentences: dict[str, int] = {}
    return {
        "opened": opened or (views[0].name if views else "agreement"),
        "blocks": len(page.blocks),
        "pictures": {"agreement": [_picture(draw_agreement(page, views))]}
        | {view.name: list(map(_picture, draw(page, view))) for view in views},
        "chosen": {view.name: list(view.extraction.chosen) for view in views},
        "votes": votes(page, views),
        "why": {view.name: explain(page, view.signals) for view in views},
        "reasons": {view.name: _reasons(page, view, sentences) for view in views},
        "sentences": list(sentences),
        "unweighed": {view.name: unweighed(view.signals) for view in views},
        "facts": _facts(page),
    }


def _picture(picture: Picture) -> dict[str, Any]:
    return {
        "title": picture.caption.title,
        "text": picture.caption.text,
        "figure": picture.figure,
        "spans": picture.spans,
        "axis": picture.axis,
        "height": picture.height,
    }


def _reasons(page: Page, view: ExtractorView, sentences: dict[str, int]) -> list[dict[str, Any]]:
    """Return per signal that has reasons its caption, and what decided for each block.

    The first stage comes first: signals are listed from the last one.
    A block has pairs of the number of a sentence and its effect. Many blocks share a sentence:
    ``sentences`` gives each its number.
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
    """Return per block where it stands and how long it is."""
    facts = []
    for block in page.blocks:
        chars = "1 character" if block.chars == 1 else f"{block.chars:,} characters"
        link = f"{block.link_density:.0%} of it in links" if block.link_chars else "no links"
        facts.append([describe_path(page, block.node), f"{chars}, {link}"])
    return facts


def _blocks(page: Page, views: Sequence[ExtractorView]) -> list[dict[str, Any]]:
    """Return what the page view shows of each block."""
    tag = page.nodes.tag
    return [
        {
            "number": block.number,
            "tag": tag[block.node],
            "text": block.text,
            "kind": _KINDS.get(tag[block.node], "text"),
            "is_hidden": bool(page.hidden[block.node]),
            "votes": count,
        }
        for block, count in zip(page.blocks, votes(page, views), strict=True)
    ]


_KINDS: Final = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6", "title"), "heading"),
    **dict.fromkeys(("li", "dd", "dt"), "item"),
    **dict.fromkeys(("pre", "code"), "code"),
}


def _scores(page: Page, views: Sequence[ExtractorView]) -> list[dict[str, Any]]:
    """Return the rows of the table of scores."""
    rows = []
    for view in views:
        others = [agreement(page, view, other) for other in views if other is not view]
        rows.append(
            {
                "name": view.name,
                "score": _or_dash(view.extraction.score, ".3f"),
                "chars": len(view.extraction.text),
                "blocks": len(view.chosen),
                "agreement": _or_dash(sum(others) / len(others) if others else nan, ".0%"),
            }
        )
    return rows


def _or_dash(value: float, form: str) -> str:
    return format(value, form) if isfinite(value) else "–"


def _as_json(data: Any) -> str:
    """Return JSON that can stand inside a <script> element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _policy(*scripts: str) -> str:
    """Return a Content-Security-Policy that admits these scripts and nothing from elsewhere.

    plotly sets the style of what it draws, hence inline styles.
    """
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
        for script in scripts
    )
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


@cache
def _plotly() -> str:
    try:
        from plotly.offline import get_plotlyjs
    except ImportError:
        raise MissingExtraError("The report", "plotly", "lab") from None
    script: str = get_plotlyjs()
    return script


@cache
def _packed(script: str) -> str:
    """Return a script, compressed, in base64: less than half of a report's size."""
    return base64.b64encode(gzip.compress(script.encode(), mtime=0)).decode()


@cache
def resource(name: str) -> str:
    """Return the text of a file of this package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


@cache
def environment() -> jinja2.Environment:
    """Return the templates of this package; MissingExtraError without jinja2."""
    try:
        import jinja2
    except ImportError:
        raise MissingExtraError("The report", "jinja2", "lab") from None
    return jinja2.Environment(
        loader=jinja2.FunctionLoader(resource),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
