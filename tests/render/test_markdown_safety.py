"""Markdown shows no link, picture, heading, code or element that its page does not show."""

import re
from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any, Final
from urllib.parse import unquote, urljoin

import pytest
from lxml import etree
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from scrapy_webtext.page import Page, parse
from scrapy_webtext.render import FORMATS, render_formats, render_runs
from tests.gallery import GalleryPage, gallery
from tests.kits.data import read_json
from tests.kits.renderings import elements_of

CASES = read_json(__file__, "hostile.json")


URL: Final = "https://example.com/a/b"
PAGES: Final = 400


def reader() -> MarkdownIt:
    made = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    made.validateLink = lambda url: True  # type: ignore[method-assign]
    made.normalizeLink = lambda url: url  # type: ignore[method-assign]
    return made


READER: Final = reader()
#: Elements that Markdown is given as HTML.
OWN: Final = {"<sup>", "</sup>", "<sub>", "</sub>", "<br>", "<!-- -->"}

EVIL: Final = CASES["texts"]
HREFS: Final = CASES["addresses"]


def quoted(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


class Grammar:
    """Make pages of hostile texts in all elements that Markdown has a form for."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.marks = 0

    def evil(self) -> str:
        pieces = self.random.choices(EVIL, k=self.random.randint(1, 4))
        return quoted(self.random.choice((" ", "", "\n")).join(pieces))

    def href(self) -> str:
        return quoted(self.random.choice(HREFS))

    def formula(self) -> str:
        tex = self.evil()
        return self.random.choice((
            f'<img class="latex" src="/y.png" alt="{tex}">', f'<img src="/y.png" alt="${tex}$">',
            f'<span class="math inline">\\({tex}\\)</span>', f'<span data-tex="{tex}">x</span>',
            f"<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>{tex}"
            "</annotation></semantics></math>",
            f"<math display=block><mtext>{tex}</mtext><mi>{tex}</mi></math>",
            f'<script type="math/tex">{tex}</script>', f"${tex}$", f"$${tex}$$", f"\\[{tex}\\]",
        ))  # fmt: skip

    def mark(self) -> str:
        self.marks += 1
        return f'<sup><a href="#fn{self.marks}" id="r{self.marks}">{self.marks}</a></sup>'

    def inline(self, depth: int = 3) -> str:
        if not depth or self.random.random() < 0.3:
            return self.evil()
        inside = "".join(self.inline(depth - 1) for _ in range(self.random.randint(1, 3)))
        style = self.random.choice("b i s sub sup code span kbd ruby".split())
        return self.random.choice((
            lambda: f"<{style}>{inside}</{style}>", lambda: f'<a href="{self.href()}">{inside}</a>',
            lambda: f'<img src="{self.href()}" alt="{self.evil()}">', self.formula, self.mark,
            lambda: f'<span class="sidenote">{inside}</span>', lambda: "<br>",
        ))()  # fmt: skip

    def line(self) -> str:
        return "".join(self.inline() for _ in range(self.random.randint(1, 3)))

    def block(self, depth: int = 3) -> str:
        if not depth or self.random.random() < 0.4:
            return f"<p>{self.line()}</p>"
        some = "".join(self.block(depth - 1) for _ in range(self.random.randint(1, 2)))
        one, two, evil = self.line(), self.line(), self.evil()
        kind = self.random.choice("div blockquote details figure".split())
        return self.random.choice((
            f"<{kind}>{some}</{kind}>", f"<ul><li>{some}<li>{one}</ul>", f"<h3>{one}</h3>",
            f"<ol start=7><li>{one}<li>{some}</ol>", f"<pre>{one}</pre>",
            f'<pre><code class="language-{evil}">{evil}</code></pre>',
            f"<table><tr><th>{one}<th>{two}<tr><td>{two}<td>{one}</table>",
            f"<table><caption>{one}</caption><tr><td>{some}<td>x<tr><td>x<td>y</table>",
            f"<dl><dt>{one}<dd>{some}<dd>{two}</dl>",
            f"<figure><img src=/p.png alt='x'><figcaption>{one}</figcaption></figure>",
            f"<div class='admonition note'>{some}</div>",
            f"<ul><li><input type=checkbox checked>{one}</ul>",
        ))  # fmt: skip

    def page(self) -> str:
        blocks = "".join(self.block() for _ in range(self.random.randint(1, 4)))
        notes = [
            self.random.choice((self.evil, lambda: self.block(1)))() for _ in range(self.marks)
        ]
        items = (
            f'<li id="fn{one}">{note} <a href="#r{one}">b</a></li>'
            for one, note in enumerate(notes, 1)
        )
        head = self.random.choice(("", "<script src='/MathJax.js'></script>"))
        return f"{head}<p>x</p>{blocks}<p>y</p><ol>{''.join(items)}</ol>"


def flat(tokens: Iterable[Token]) -> list[Token]:
    found: list[Token] = []
    for token in tokens:
        found += [token, *flat(token.children or ())]
    return found


def shown_by_markdown(markdown: str) -> tuple[set[str], set[str], Counter[str]]:
    """Return the links, pictures and the number of headings and fences of some Markdown."""
    tokens = flat(READER.parse(markdown))
    assert {t.content.strip() for t in tokens if t.type.startswith("html")} <= OWN, markdown
    links = {unquote(str(t.attrs["href"])) for t in tokens if t.type == "link_open"}
    pictures = {unquote(str(t.attrs["src"])) for t in tokens if t.type == "image"}
    counted = Counter(t.type for t in tokens if t.type in ("heading_open", "fence"))
    return links, pictures, counted


def shown_by_page(page: Page, url: str) -> tuple[set[str], set[str]]:
    """Return the links and pictures of a page, as its source has them."""
    found: dict[str, set[str]] = {"href": set(), "src": set()}
    for _, given in elements_of(page.source):
        for name, address in given:
            if name in found and address is not None:
                found[name].add(unquote(_joined(url, address)))
    links = {one for one in found["href"] if not one.startswith(("javascript:", "data:"))}
    return links, found["src"]


def _joined(url: str, address: str) -> str:
    address = address.replace("\n", "").strip()
    try:
        return urljoin(url, address)
    except ValueError:
        return ""


@pytest.mark.parametrize("url", [URL, None])
def test_markdown_of_hostile_pages_shows_only_what_they_show(url: str | None) -> None:
    for seed in range(PAGES):
        page = parse(Grammar(seed).page(), url=url)
        runs = range(len(page.runs))
        found: dict[str, Any] = render_formats(page, render_runs(page, runs), (), runs, FORMATS)
        links, pictures, counted = shown_by_markdown(found["main_markdown"])
        own_links, own_pictures = shown_by_page(page, url or "")
        assert links <= own_links, (seed, links - own_links)
        assert pictures <= own_pictures, (seed, pictures - own_pictures)
        tags = Counter(tag for tag, _ in elements_of(found["main_html"]))
        headings = sum(tags[f"h{level}"] for level in range(1, 7))
        assert counted["heading_open"] <= headings, seed
        assert counted["fence"] <= tags["pre"], seed


#: A reader that knows no footnotes, and one that does.
READERS: Final = {"CommonMark": reader(), "footnotes": reader().use(footnote_plugin)}
WORD: Final = re.compile(r"[^\W_]{3,}")


def words_of(html: str) -> set[str]:
    found = etree.HTML(f"<body>{html}").xpath("//text()[not(ancestor::sup)]")  # no marks of notes
    return {*WORD.findall("".join(found))}


def losses(page: Page, runs: Iterable[int]) -> dict[str, set[str]]:
    """Return what the page's HTML has and its Markdown lacks: words, links, pictures."""
    text = render_runs(page, runs)
    found: dict[str, Any] = render_formats(page, text, (), [*runs], FORMATS)
    html, markdown = found["main_html"], found["main_markdown"]
    own: set[str] = set()
    for _, given in elements_of(html):
        own |= {unquote(str(value)) for name, value in given if name in ("href", "src")}
    own = {one for one in own if "#" not in one}
    lost: dict[str, set[str]] = {}
    for name, parser in READERS.items():
        rendered = parser.render(markdown)
        shown = {unquote(str(v)) for _, given in elements_of(rendered) for n, v in given}
        assert {
            t.content.strip() for t in flat(parser.parse(markdown)) if t.type[:4] == "html"
        } <= OWN
        lost[name] = (own - shown) | (words_of(html) - words_of(rendered) - words_of(text))
    return {name: some for name, some in lost.items() if some}


@pytest.mark.parametrize("page", gallery(), ids=lambda page: page.name)
def test_gallery_pages_have_all_words_and_links_in_markdown(page: GalleryPage) -> None:
    parsed = parse(page.html, url=URL)
    assert losses(parsed, range(len(parsed.runs))) == {}


NOTES: Final = CASES["notes"]


@pytest.mark.parametrize("seed", range(200))
def test_notes_have_all_words_and_links_for_parsers_with_and_without_footnotes(seed: int) -> None:
    random, marks, items = Random(seed), "", ""
    for k in range(1, 4):
        note = " ".join(random.choices(NOTES, k=random.randint(1, 2)))
        marks += f"A claim<sup><a href=#fn{k} id=r{k}>{k}</a></sup> of some. "
        items += f"<li id=fn{k}>{note} <a href=#r{k}>↩</a></li>"
    page = parse(f"<p>{marks}</p><ol>{items}</ol>", url=URL)
    assert losses(page, range(len(page.runs))) == {}


def test_text_from_elsewhere_adds_no_heading() -> None:
    found = render_formats(parse("<p>x"), "a\r# b\n# c", (), (), FORMATS)
    assert found["main_markdown"] == "a\n\n\\# b\n\n\\# c"
    assert [block.text for block in found["blocks"]] == ["a", "# b", "# c"]
