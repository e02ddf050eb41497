"""Measures what changes around a text, or of its markup, do to the text that a system finds.

    python -m tests.benchmarks.robustness CORPUS... [--systems fusion fusion:model=new.json ...]

``lengths``: word F1 of articles that were made 4, 10 and 30 times as long, or cut to their first
paragraphs. ``surroundings``: for each kind of `training.surroundings`, the share of pages on which
nothing of the surroundings is in the text, and the article's recall. ``markup``: word F1 of the
same article in other markup, and how far it falls. ``calm``: the share of pages whose text changes
with markup that shows nothing. ``grafts`` has the means of `tests.benchmarks.grafts`. Surroundings
and grafts are of the part ``test``, from which no model learned.
"""

from __future__ import annotations

import argparse
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from random import Random
from statistics import fmean
from typing import Any, Final, NamedTuple
from zlib import crc32

import lxml.html

from scrapy_webtext.lab import Table
from scrapy_webtext.lab.corpus import LabelledPage, corpus_path, read_corpora, tokens
from scrapy_webtext.lab.evaluation import make_system
from scrapy_webtext.lab.metrics import word_overlap
from tests.benchmarks import grafts
from training.grafts import TEST, letters_of
from training.labels import script_of
from training.surroundings import KINDS, Article, Other, draw, find_article

TIMES: Final = (4, 10, 30)
PARAGRAPHS: Final = (1, 2, 3)
#: An article of the measure has at least this many paragraphs that are siblings.
LEAST_PARAGRAPHS: Final = 5
#: Kinds of surroundings that are put on one page in turn, at the end of the paragraphs' parent and
#: after it; the same number of grafts.
KINDS_PER_PAGE: Final = 4
#: Kinds of grafts together: authors' structures, their form in Markdown, boilerplate.
GRAFTS: Final = ("content", "form", "kept out")
#: A block of the surroundings with fewer letters may also be somewhere else on the page.
LEAST_LETTERS: Final = 16
COMMENTS, LINKS = 100, 600
PARTS: Final = ("lengths", "surroundings", "markup", "grafts", "calm")
AS_IS: Final = ("lengths", "as is")
OUT: Final = ("surroundings", "mean of the kinds")
RECALL: Final = ("surroundings", "recall of the article")

Change = Callable[[Article, Sequence[Other], Random], object]


class Variant(NamedTuple):
    """A changed page, and what was put around its article."""

    part: str
    name: str
    page: LabelledPage
    around: Sequence[str] = ()


def _new(tag: str, *inner: Any, **attributes: str) -> Any:
    e = lxml.html.Element(tag, attributes)
    for one in inner:
        if isinstance(one, str):
            e.text = one
        else:
            e.append(one)
    return e


def _lengthen(times: int, article: Article, others: Sequence[Other], chance: Random) -> bool:
    return article.lengthen(times, others, chance)


def _cut(paragraphs: int, article: Article, _: Sequence[Other], __: Random) -> bool:
    return article.cut(paragraphs)


def _wrap(e: Any, wrapper: Any) -> None:
    """Put an element, without the text after it, into another one."""
    tail, e.tail = e.tail, None
    e.addprevious(wrapper)
    wrapper.append(e)
    wrapper.tail = tail


def _wrap_each(tag: str, **attributes: str) -> Change:
    def change(article: Article, _: Sequence[Other], __: Random) -> None:
        for e in article.own:
            _wrap(e, _new(tag, **attributes))

    return change


def _class_names(name_of: Callable[[str], str]) -> Change:
    """Return a change of all class names; ids and data are left out."""

    def change(article: Article, _: Sequence[Other], __: Random) -> None:
        for e in article.root.iter(lxml.etree.Element):
            names = e.get("class", "").split()
            for key in [k for k in e.attrib if k in ("class", "id", "role") or k[:5] == "data-"]:
                del e.attrib[key]
            if found := " ".join(filter(None, map(name_of, names))):
                e.set("class", found)

    return change


def _rename(tags: Mapping[str, str]) -> Change:
    def change(article: Article, _: Sequence[Other], __: Random) -> None:
        for e in list(article.root.iter(*tags)):
            e.tag = tags[e.tag]

    return change


def line_breaks(article: Article, _: Sequence[Other], __: Random) -> None:
    """Put the paragraphs into one box, with two line breaks after each."""
    box = _new("div")
    article.own[0].addprevious(box)
    for e in article.own:
        e.tag, e.tail = "span", None
        e.attrib.clear()
        box.extend([e, _new("br"), _new("br")])
        e.drop_tag()


def layout_table(article: Article, _: Sequence[Other], __: Random) -> None:
    """Put the paragraphs into a cell of a table, beside an empty one."""
    cell = _new("td", valign="top")
    table = _new("table", _new("tr", _new("td", width="20"), cell), width="100%")
    article.own[0].addprevious(table)
    cell.extend(article.own)


def list_items(article: Article, _: Sequence[Other], __: Random) -> None:
    """Make the paragraphs items of a list."""
    items = _new("ul")
    article.own[0].addprevious(items)
    for e in article.own:
        items.append(_new("li"))
        items[-1].append(e)
        e.drop_tag()


def headings(article: Article, others: Sequence[Other], chance: Random) -> None:
    """Put a heading before each paragraph but the first; it belongs to the gold text."""
    for e in article.own[1:]:
        title = chance.choice(others).title
        e.addprevious(_new("h3", title))
        key = letters_of(e.text_content())[:20]
        at = next(k for k, line in enumerate(article.lines) if letters_of(line).startswith(key))
        article.lines.insert(at, title)


def links_in_text(article: Article, _: Sequence[Other], __: Random) -> None:
    """Make every third series of three words a link."""
    for e in article.own:
        words = e.text_content().split()
        for child in list(e):
            e.remove(child)
        e.text = ""
        for k in range(0, len(words), 9):
            link = _new("a", " ".join(words[k : k + 3]), href=f"/topic/{k}")
            link.tail = " " + " ".join(words[k + 3 : k + 9]) + " "
            e.append(link)


def links_above(article: Article, others: Sequence[Other], chance: Random) -> None:
    """Put a long menu above everything."""
    words = [word for other in others for word in other.title.split()]
    items = (
        _new("li", _new("a", " ".join(chance.choices(words, k=2)), href=f"/{k}"))
        for k in range(LINKS)
    )
    article.root.body.insert(0, _new("ul", *items))


def comments(article: Article, others: Sequence[Other], chance: Random) -> None:
    """Put readers' comments below the paragraphs' parent."""
    lines = [line for other in others for line in other.paragraphs]
    thread = _new("div", _new("h3", f"{COMMENTS} comments"), id="comments")
    for k in range(COMMENTS):
        head = _new("div", f"reader{k} · {chance.randint(1, 23)} hours ago")
        thread.append(_new("div", head, _new("p", chance.choice(lines)[:300])))
        thread[-1].set("class", "comment")
    parent = article.own[0].getparent()
    if parent.tag in ("body", "td"):
        parent.append(thread)
    else:
        _after(parent, thread)


def _after(e: Any, new: Any) -> None:
    tail, e.tail = e.tail, None
    e.addnext(new)
    e.tail = tail


def no_head(article: Article, _: Sequence[Other], __: Random) -> None:
    """Remove title, metadata and JSON-LD."""
    for e in list(article.root.iter("head")):
        e.drop_tree()
    for e in list(article.root.iter("script")):
        e.drop_tree()


def body_in_div(article: Article, _: Sequence[Other], __: Random) -> None:
    """Put all of the body into one element."""
    body = article.root.body
    box = _new("div", *body)
    box.text, body.text = body.text, None
    body.append(box)


def pixel(article: Article, _: Sequence[Other], __: Random) -> None:
    """Put a tracking pixel at the beginning of the body."""
    picture = _new("img", src="https://t.example.com/p.gif", width="1", height="1", style="")
    article.root.body.insert(0, _new("noscript", picture))


def skip_link(article: Article, _: Sequence[Other], __: Random) -> None:
    """Put a link to the content at the beginning of the body."""
    link = _new("a", "Skip to content", href="#content")
    link.set("class", "skip-link")
    article.root.body.insert(0, link)


_UTILITIES: Final = "flex grid p-4 mt-2 text-sm leading-6 w-full rounded border font-bold".split()
LENGTHS: Final[Mapping[str, Change]] = {
    **{f"{times} x": partial(_lengthen, times) for times in TIMES},
    **{f"first {number}": partial(_cut, number) for number in PARAGRAPHS},
}
MARKUP: Final[Mapping[str, Change]] = {
    "no class names": _class_names(lambda name: ""),
    "hashed class names": _class_names(lambda name: f"css-{crc32(name.encode()):x}"),
    "utility class names": _class_names(lambda n: _UTILITIES[crc32(n.encode()) % len(_UTILITIES)]),
    "<div> paragraphs": _rename({"p": "div"}),
    "line breaks": line_breaks,
    "a box each": _wrap_each("div"),
    "a <section> each": _wrap_each("section"),
    "custom elements": _rename(dict.fromkeys(("div", "section", "article", "main"), "x-box")),
    "list items": list_items,
    "layout table": layout_table,
    "a heading each": headings,
    "a third linked": links_in_text,
    f"{LINKS} links above": links_above,
    "no head": no_head,
    f"{COMMENTS} comments": comments,
}
CALM: Final[Mapping[str, Change]] = {
    "a <div> around the body": body_in_div,
    "tracking pixel": pixel,
    "skip link": skip_link,
}


def variants(
    page: LabelledPage, others: Sequence[Other], turn: int, parts: Sequence[str]
) -> Iterator[Variant]:
    """Yield the page as it is and its changed versions; ``turn`` chooses kinds of surroundings."""

    def changed(part: str, name: str, change: Change) -> Iterator[Variant]:
        article, chance = find_article(page), Random(f"{page.id}{name}")
        if article is not None and change(article, others, chance) is not False:
            yield Variant(part, name, article.page(name), article.added)

    yield from changed(*AS_IS, lambda *_: True)
    if "surroundings" in parts:
        for k in range(KINDS_PER_PAGE):
            kind = KINDS[(turn * KINDS_PER_PAGE + k) % len(KINDS)]
            place = ("end", "parent")[(turn + k) % 2]
            yield from changed("surroundings", kind, _surrounding(kind, place))
    for part, changes in (("lengths", LENGTHS), ("markup", MARKUP), ("calm", CALM)):
        if part in parts:
            for name, change in changes.items():
                yield from changed(part, name, change)


def _surrounding(kind: str, place: str) -> Change:
    def change(article: Article, others: Sequence[Other], chance: Random) -> None:
        article.put(draw(article, others, chance, TEST, kind), place, chance)

    return change


def is_out(variant: Variant, text: str) -> bool:
    """Return whether no longer block of the surroundings is in a text."""
    found, gold = letters_of(text), letters_of(variant.page.text)
    letters = filter(lambda one: len(one) >= LEAST_LETTERS, map(letters_of, variant.around))
    return not any(one in found and one not in gold for one in letters)


#: System -> (part, measure) -> value of each page.
Scores = Mapping[str, Mapping[tuple[str, str], Sequence[float]]]


def measure(
    pages: Sequence[LabelledPage],
    others: Mapping[str, Sequence[Other]],
    systems: Sequence[str],
    parts: Sequence[str] = PARTS,
) -> Scores:
    """Return the values of each system; ``others`` are articles by script."""
    read = {name: make_system(name).text for name in systems}
    found: dict[str, dict[tuple[str, str], list[float]]] = {
        name: defaultdict(list) for name in systems
    }
    for turn, page in enumerate(pages):
        own = [one for one in others[script_of(page.text)] if one.paragraphs[0] not in page.text]
        as_is = dict.fromkeys(systems, "")
        for variant in variants(page, own, turn, parts):
            part, name = variant.part, variant.name
            for system, values in found.items():
                text = read[system](variant.page.html, page.url)
                overlap = word_overlap(text, variant.page.text)
                if (part, name) == AS_IS:
                    as_is[system] = text
                if part == "calm":
                    values[part, name].append(text != as_is[system])
                elif part == "surroundings":
                    values[part, name].append(is_out(variant, text))
                    values[RECALL].append(overlap.recall)
                else:
                    values[part, name].append(overlap.f1)
    if "grafts" in parts:
        some = list(grafts.grafts([*filter(grafts.has_place, pages)], KINDS_PER_PAGE))
        for system, marks in grafts.measure(some, systems).items():
            means = grafts.mean_marks(marks)
            found[system] |= {("grafts", name): [means[name]] for name in GRAFTS if name in means}
    return found


def others_of(pages: Iterable[LabelledPage]) -> Mapping[str, Sequence[Other]]:
    """Return titles and paragraphs of articles by script."""
    found: dict[str, list[Other]] = defaultdict(list)
    for page in pages:
        lines = [line for line in page.text.split("\n") if len(tokens(line)) >= 12]
        if lines:
            title = " ".join(lines[0].split()[:9])[:90]
            found[script_of(page.text)].append(Other(title, lines[1:] or lines))
    return found


def means_of(own: Mapping[tuple[str, str], Sequence[float]]) -> dict[tuple[str, str], float]:
    """Return the mean of each measure of a system, and of the surroundings' kinds."""
    means = {key: fmean(values) for key, values in own.items()}
    kinds = [
        mean for (part, name), mean in means.items() if part == "surroundings" and name in KINDS
    ]
    return means | ({OUT: fmean(kinds)} if kinds else {})


def report(scores: Scores) -> str:
    """Return a Markdown table: a column per system, a row per measure.

    Rows of ``markup`` have the fall against the page as it is in brackets.
    """
    means = [means_of(own) for own in scores.values()]
    keys = dict.fromkeys(key for part in PARTS for own in means for key in own if key[0] == part)

    def cell(own: Mapping[tuple[str, str], float], key: tuple[str, str]) -> str:
        fall = f" ({own[AS_IS] - own[key]:+.3f})" if key[0] == "markup" else ""
        return f"{own[key]:.3f}{fall}" if key in own else ""

    rows = [[": ".join(key), *(cell(own, key) for own in means)] for key in keys]
    return str(Table(["measure", *scores], rows))


def articles_of(pages: Iterable[LabelledPage]) -> Iterator[LabelledPage]:
    """Yield the articles with enough paragraphs."""
    for page in pages:
        if page.type in ("", "article") and page.text:
            article = find_article(page)
            if article is not None and len(article.own) >= LEAST_PARAGRAPHS:
                yield page


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table for some corpora."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.robustness")
    parser.add_argument("corpora", nargs="+", metavar="CORPUS")
    parser.add_argument("--systems", nargs="+", default=["fusion"])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--every", type=int, default=1, help="of the pages, take each n-th")
    parser.add_argument("--pages", type=int, default=42, help="take at most n articles")
    given = parser.parse_args(arguments)
    logging.disable(logging.CRITICAL)  # of other systems
    every = list(read_corpora(map(corpus_path, given.corpora)))
    taken = list(islice(articles_of(every[:: given.every]), given.pages))
    print(report(measure(taken, others_of(every), given.systems, given.parts)))


if __name__ == "__main__":
    main()
