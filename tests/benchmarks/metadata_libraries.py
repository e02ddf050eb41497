"""What libraries for metadata cost and gain beside the package's own readers.

    python -m tests.benchmarks.metadata_libraries --every 5

reads labelled pages of $WEBTEXT_CORPORA that have gold (metadata.jsonl.gz) and prints CPU time per
page and shares of pages, of each library that is installed: extruct, htmldate, dateparser, babel,
langcodes, py3langid, lingua.
"""

import argparse
import importlib
import logging
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import mean, median
from typing import Any

from scrapy_webtext.lab.corpus import LabelledPage, corpus_name, read_corpus
from scrapy_webtext.lab.metadata import Gold, corpora_with_gold, read_gold
from scrapy_webtext.metadata import FIELDS, language, metadata
from scrapy_webtext.metadata.dates import find_dates
from scrapy_webtext.metadata.language import detect_language, language_tag
from scrapy_webtext.metadata.sources import Sources
from scrapy_webtext.metadata.surroundings import find_dated
from scrapy_webtext.page import Page, parse
from scrapy_webtext.registry import make_extractor
from scrapy_webtext.results import Extraction

Read = tuple[LabelledPage, Gold, Page, Extraction]


def labelled(every: int) -> Iterator[Read]:
    extractor = make_extractor("fusion", {})
    for path in corpora_with_gold(Path(os.environ["WEBTEXT_CORPORA"])):
        gold = read_gold(path.parent)[corpus_name(path)]
        for number, page in enumerate(read_corpus(path)):
            if number % every == 0 and page.id in gold:
                read = parse(page.html, url=page.url)
                yield page, gold[page.id], read, extractor.extract(read)


def import_ms(module: str) -> float:
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return 1e3 * float(done.stdout)


def timed(call: Callable[..., Any], *given: Any, **options: Any) -> tuple[float, Any]:
    began = time.process_time()
    try:
        found = call(*given, **options)
    except Exception:
        found = None
    return 1e3 * (time.process_time() - began), found


def line(name: str, times: list[float], told: str, module: str = "") -> None:
    imported = f"{import_ms(module):7.0f}" if module else "       "
    print(f"{name:34} {median(times):8.3f} {mean(times):8.3f} {imported}  {told}", flush=True)


def installed(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def first_date(text: str, language: str) -> Any:
    return next(find_dates(text, language), None)


def language_of(page: Page, extraction: Extraction) -> str | None:
    return metadata(page, extraction, ["language"]).language


def by_babel(babel: Any, tag: str) -> str:
    return str(babel.Locale.parse(tag, sep="-")).replace("_", "-")


def costs(pages: list[Read]) -> None:
    extractor = make_extractor("fusion", {})
    times = [timed(extractor.extract, parse(page.html, url=page.url))[0] for page, *_ in pages]
    line("the text: fusion", times, "without the parse")
    for name in (None, "title", "authors", "published", "image"):
        names = FIELDS if name is None else [name]
        times = [
            min(timed(metadata, page, found, names)[0] for _ in "123") for *_, page, found in pages
        ]
        line("all fields" if name is None else name, times, "best of 3")


def structured(pages: list[Read]) -> None:
    def own(page: Page, extraction: Extraction) -> list[Any]:
        sources = Sources(page, extraction)
        return [sources.meta, sources.json_ld, sources.properties]

    times = [timed(own, page, found)[0] for _, _, page, found in pages]
    line("JSON-LD, microdata, meta: own", times, "on the page's columns")
    if extruct := installed("extruct"):
        kinds = ["json-ld", "microdata", "opengraph", "dublincore"]
        done = [
            timed(extruct.extract, page.html, page.url, syntaxes=kinds, errors="ignore")
            for page, *_ in pages
        ]
        failed = sum(found is None for _, found in done)
        line("extruct", [ms for ms, _ in done], f"{failed} pages failed", "extruct")


def dates(pages: list[Read]) -> None:
    pages = [one for one in pages if one[1].get("published")]
    own = [timed(metadata, page, found, ["published"]) for _, _, page, found in pages]
    days = [found.published for _, found in own]
    line("published: own", [ms for ms, _ in own], right(pages, days))
    if htmldate := installed("htmldate"):
        done = [
            timed(htmldate.find_date, page.html, url=page.url, original_date=True)
            for page, *_ in pages
        ]
        days = [found for _, found in done]
        line("published: htmldate", [ms for ms, _ in done], right(pages, days), "htmldate")


def right(pages: list[Read], days: list[str | None]) -> str:
    hits = [
        (day or "")[:10] == one[1]["published"][:10] for one, day in zip(pages, days, strict=True)
    ]
    given = sum(map(bool, days))
    return f"right {mean(hits):.3f}, wrong {(given - sum(hits)) / len(hits):.3f} of {len(hits)}"


def words(pages: list[Read]) -> None:
    texts = []
    for _, _, page, found in pages:
        sources = Sources(page, found)
        near = [text for text, _ in find_dated(sources) if len(text) < 60]
        texts += [(text, sources.language) for text in near]
    own = [timed(first_date, text, tag) for text, tag in texts]
    line("a date in words: own", [ms for ms, _ in own], share(own))
    if dateparser := installed("dateparser"):
        done = [timed(dateparser.parse, text) for text, _ in texts]
        same = [a and b and a.day == b.date() for (_, a), (_, b) in zip(own, done, strict=True)]
        both = sum(bool(a and b) for (_, a), (_, b) in zip(own, done, strict=True))
        told = f"{share(done)}; the same day on {sum(map(bool, same))} of {both} read by both"
        line("a date in words: dateparser", [ms for ms, _ in done], told, "dateparser")


def share(done: list[tuple[float, Any]]) -> str:
    return f"read {mean(found is not None for _, found in done):.3f} of {len(done)}"


def languages(pages: list[Read]) -> None:
    own = [timed(language_of, page, found) for _, _, page, found in pages]
    known = mean(bool(tag) for _, tag in own)
    line("language: own", [ms for ms, _ in own], f"told on {known:.3f} of {len(own)} pages")
    texts = [
        (found.text[:5000], tag) for (_, _, _, found), (_, tag) in zip(pages, own, strict=True)
    ]

    def detected(name: str, module: str, call: Callable[[str], str]) -> None:
        done = [(timed(call, text), tag) for text, tag in texts if len(text) >= 40]
        agree = mean(found == tag.partition("-")[0] for (_, found), tag in done if tag)
        told = f"{agree:.3f} as declared, where a language is"
        line(name, [ms for (ms, _), _ in done], told, module)

    if installed("py3langid"):
        detect_language("The first call reads the model, which takes a while. " * 3)
        detected("language of the text: py3langid", "py3langid", detect_language)
    if lingua := installed("lingua"):
        detector = lingua.LanguageDetectorBuilder.from_all_languages().build()
        code = lambda text: detector.detect_language_of(text).iso_code_639_1.name.lower()  # noqa: E731
        code("The first call reads the models, which takes a while.")
        detected("language of the text: lingua", "lingua", code)


def tags(pages: list[Read]) -> None:
    written = [Sources(page, found).root_language for _, _, page, found in pages]
    written = [tag for tag in written if tag]
    own = [timed(language_tag, tag) for tag in written]
    line("a language tag: own", [ms for ms, _ in own], f"{len(set(written))} different ones")
    if langcodes := installed("langcodes"):
        done = [timed(langcodes.standardize_tag, tag) for tag in written]
        other = {w for w, (_, a), (_, b) in zip(written, own, done, strict=True) if a != b}
        line("langcodes", [ms for ms, _ in done], f"differs on {sorted(other)[:6]}", "langcodes")
    if babel := installed("babel"):
        done = [timed(by_babel, babel, tag) for tag in written]
        other = {w for w, (_, a), (_, b) in zip(written, own, done, strict=True) if a != b}
        line("babel", [ms for ms, _ in done], f"differs on {sorted(other)[:6]}", "babel")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=5, help="each K-th page only (5)")
    every = parser.parse_args().every
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    pages = list(labelled(every))
    print(f"{len(pages)} pages\n{'':34} ms median  ms mean import ms")
    language.is_detector_installed = lambda: False  # which is measured by itself
    for part in (costs, structured, dates, words, languages, tags):
        part(pages)


if __name__ == "__main__":
    main()
