"""Pages and views that the tests of this folder share."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path

from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.lab.pictures import ExtractorView
from scrapy_webtext.lab.report import render_report
from scrapy_webtext.page import Page, parse
from scrapy_webtext.results import Extraction, Reason, Signal
from tests.lab.odd_systems import LENGTH

SENTENCE = "The harbour was quiet that morning, and nobody saw the boat leave."
#: Blocks: 0 title, 1 and 2 menu, 3 headline, 4 to 6 story, 7 footer.
HTML = f"""<html><head><title>The boat</title></head><body>
<ul class="menu"><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul>
<div class="story" id="s1"><h1>The boat</h1>
<p>{SENTENCE}</p><p>{SENTENCE} Again.</p><p>{SENTENCE} At last.</p></div>
<div class="end">All rights reserved</div></body></html>"""

#: Attacks of a page: markup, entities, ends of scripts, quotes, templates.
ATTACK = """</script><script>window.hacked = 1</script><img src=x onerror="window.hacked=2">
'"><svg onload=window.hacked=3> {{ 7 * 7 }} <!-- &lt;script&gt;window.hacked=4&lt;/script&gt; ]]>"""


def labelled(
    key: object, html: str, lines: Iterable[str], domain: str = "example.org", kind: str = "article"
) -> LabelledPage:
    """Return a labelled page whose gold text is these lines."""
    return LabelledPage(f"{key}", html, "\n".join(lines), f"https://{domain}/{key}", kind)


def write_corpus(path: Path, pages: Iterable[LabelledPage]) -> Path:
    """Write the pages as JSON lines, compressed if the name ends in .gz; return the path."""
    names = ("id", "url", "type", "html", "text")
    rows = ({name: getattr(page, name) for name in names} for page in pages)
    return write_lines(path, rows)


def write_lines(path: Path, rows: Iterable[object]) -> Path:
    """Write JSON lines, compressed if the name ends in .gz; return the path."""
    body = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    path.write_bytes(gzip.compress(body) if path.suffix == ".gz" else body)
    return path


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def hostile_page() -> Page:
    attack = escaped(ATTACK)
    html = (
        f"<html><head><title>{attack}</title></head><body class='{escaped(ATTACK.split()[0])}'>"
        f'<div id="x&quot;onmouseover=&quot;window.hacked=5" class="&lt;b&gt; {attack}">'
        f"<p>{attack}</p><p>{SENTENCE * 3}</p>"
        "<script>window.hacked = 6</script><p onclick='window.hacked=7'>x</p></div></body></html>"
    )
    return parse(html, url="javascript:window.hacked=8")


def views(page: Page) -> list[ExtractorView]:
    """Return a view per kind of signal; each takes blocks 4 and 5, the last view also block 6."""
    blocks, nodes = len(page.blocks), len(page.nodes)
    taken = tuple(b for b in (4, 5) if b < blocks)
    chars = [block.chars / 100 for block in page.blocks]
    reasons = tuple((Reason("chars", n, n - 0.5), Reason("<b>", 1.0, -0.3)) for n in chars)
    per_node = tuple(1 / (n + 2) for n in range(nodes))
    tokens = tuple(float(n) for n in range(blocks * 4))
    of_tokens = tuple((n // 4, n // 4) for n in range(blocks * 4))
    of_lines = tuple((b, b) for b in range(blocks))
    inside = tuple(range(len(tokens)))[16:24]
    signals = {
        "per_block": (Signal("probability", "block", tuple(chars), 0.5, taken, (), reasons),),
        "per_node": (Signal("p_value", "node", per_node, None, (2,) if nodes > 2 else ()),),
        "per_token": (Signal("cumulative_tags", "token", tokens, None, inside, of_tokens),),
        "per_line": (
            Signal("ratio", "line", tuple(chars), None, (), of_lines),
            Signal("smoothed", "line", tuple(chars), 0.4, taken, of_lines),
        ),
        "silent": (),
    }
    chosen = {"silent": tuple(b for b in (4, 5, 6) if b < blocks)}
    return [
        ExtractorView(Extraction("text", 0.5, name, chosen.get(name, taken)), found)
        for name, found in signals.items()
    ]


def report(page: Page) -> str:
    return render_report(page, views(page), LENGTH)
