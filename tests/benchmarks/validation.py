"""Validation of ``fusion`` and ``learned`` on pages that are not in their training.

    python -m tests.benchmarks.validation CORPUS... --leave corpus [--groups older blogs]

``--leave domain`` leaves out one fold of sites at a time, ``corpus`` one corpus, ``script`` all
pages in one script; ``--groups fundus+news`` leaves out two together. The pages left out are used
nowhere in training: not for class names, words, blocks, judge or calibrations. The model of the
other pages is written to a file, and the extractor and the judge score the pages left out with it,
as in a crawl. ``--scored`` corpora are never used in training. A page is lost if ``fusion`` has a
word F1 below 0.5 and one of the papers' extractors or a baseline has more than 0.8. The output has
one line of JSON per page; ``--table`` reads such lines and prints the means.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any, Final

from scrapy_webtext.extractors.fusion import FusionExtractor, LearnedJudge
from scrapy_webtext.lab import Table
from scrapy_webtext.lab.corpus import LabelledPage, corpus_name, read_corpus
from scrapy_webtext.lab.evaluation import (
    ARTICLE,
    JudgedPage,
    JudgeScore,
    TextSystem,
    judge_table,
    make_system,
)
from scrapy_webtext.lab.metrics import calibration, shingle_overlap, word_overlap
from scrapy_webtext.models import dump_model
from scrapy_webtext.page import parse
from scrapy_webtext.registry import EXTRACTORS
from training.examples import FOLDS, fold_of
from training.fusion import train_fusion
from training.labels import domain_of, script_of

Row = dict[str, Any]

#: Extractors that are compared on pages that may be lost.
OTHERS: Final = tuple(name for name in EXTRACTORS if name != FusionExtractor.name)
#: A page is lost if ``fusion`` has less than LOST and another extractor more than FOUND.
LOST: Final = 0.5
FOUND: Final = 0.8
#: Corpora that make one row of docs/results.md.
MIXTURE: Final = ("fundus", "newspaper4k", "annotated", "types")


def main() -> None:
    """Validate some groups, or print a table of results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+")
    parser.add_argument(
        "--scored", nargs="*", default=[], help="corpora that are not used in training"
    )
    parser.add_argument("--leave", choices=("domain", "corpus", "script"), default="domain")
    parser.add_argument("--groups", nargs="*", help='such as "fold 0", older, cyrillic; all')
    parser.add_argument("--peers", nargs="*", default=[], help="such as trafilatura readability")
    parser.add_argument("--table", action="store_true", help="CORPORA are results of groups")
    options = parser.parse_args()
    if options.table:
        lines = [line for path in options.corpora for line in Path(path).read_text().splitlines()]
        print(summary([json.loads(line) for line in lines]))
        return
    for row in validate(**{k: v for k, v in vars(options).items() if k != "table"}):
        sys.stdout.write(json.dumps(row) + "\n")
        sys.stdout.flush()


def validate(
    corpora: Sequence[str],
    scored: Sequence[str] = (),
    leave: str = "domain",
    groups: Sequence[str] | None = None,
    peers: Sequence[str] = (),
) -> Iterator[Row]:
    """Yield one row per page of these groups, scored by a model of all other pages."""
    paths = [*corpora, *scored]
    found = groups_of(leave, ((path, page) for path in paths for page in read_corpus(path)))
    others = {name: make_system(name) for name in (*OTHERS, *peers)}
    for group in groups or found:
        left = frozenset(one for name in group.split("+") for one in found[name])
        content = _train_others(corpora, left)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "model.json"
            path.write_text(dump_model(content), encoding="utf-8")
            extractor, judge = FusionExtractor(model=path), LearnedJudge(model=path)
        for corpus in paths:
            for page in read_corpus(corpus):
                if (corpus_name(corpus), page.id) in left:
                    row = _score(page, extractor, judge, others)
                    yield {"corpus": corpus_name(corpus), "group": group, **row}


def groups_of(
    leave: str, pages: Iterable[tuple[str, LabelledPage]]
) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Return the pages of each group, as (corpus, id).

    A page whose URL is in two corpora belongs to the groups of both.
    """
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    addresses: dict[str, set[str]] = defaultdict(set)
    rows = [(corpus_name(path), page) for path, page in pages]
    for corpus, page in rows:
        addresses[page.url or ""].add(corpus)
    for corpus, page in rows:
        if leave == "domain":
            groups = {f"fold {fold_of(domain_of(page), FOLDS, seed=0)}"}
        elif leave == "script":
            groups = {script_of_page(page)}
        else:
            groups = addresses[page.url] if page.url else {corpus}
        for name in groups:
            found[name].append((corpus, page.id))
    return dict(sorted(found.items()))


def script_of_page(page: LabelledPage) -> str:
    """Return the script of a page's gold text, or of all its text if it has no gold text."""
    return script_of(page.text or "\n".join(parse(page.html).blocks.text))


def text_f1(predicted: str, gold: str, script: str) -> float:
    """Return the F1 of words, or of 4-shingles of characters in a script without spaces."""
    if script == "cjk":
        return shingle_overlap(predicted, gold, "chars").f1
    return word_overlap(predicted, gold).f1


def _train_others(corpora: Sequence[str], left: frozenset[tuple[str, str]]) -> dict[str, Any]:
    """Return a model of the pages that are not left out."""
    return train_fusion(corpora, wanted=lambda corpus, page: (corpus, page.id) not in left)


def _score(
    labelled: LabelledPage,
    extractor: FusionExtractor,
    judge: LearnedJudge,
    others: Mapping[str, TextSystem],
) -> Row:
    page = parse(labelled.html, url=labelled.url)
    extraction = extractor.extract(page)
    script = script_of_page(labelled)
    row: Row = {
        "id": labelled.id,
        "url": labelled.url,
        "type": labelled.type,
        "script": script,
        "score": extraction.score,
        "article": judge.judge(page).probability,
        "article_without_url": judge.judge(parse(labelled.html)).probability,
    }
    if labelled.text:
        row["f1"] = text_f1(extraction.text, labelled.text, script)
        if row["f1"] < LOST:
            found = [
                (text_f1(other.text(labelled.html, labelled.url), labelled.text, script), name)
                for name, other in others.items()
            ]
            row["best_other"], row["by"] = max(found)
    return row


def summary(rows: Sequence[Row]) -> str:
    """Return the mean F1 and the quality of the judge by corpus, script and type, as tables."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        corpus = row["corpus"]
        names = ["all", corpus, f"{corpus} {row['script']}", f"{corpus}, {row['type']}"]
        for name in names + ["mixture"] * (corpus in MIXTURE):
            groups[name].append(row)
    texts, judged = [], []
    for name, group in sorted(groups.items()):
        if f1 := [row["f1"] for row in group if "f1" in row]:
            lost = sum(row.get("best_other", 0) > FOUND for row in group)
            texts.append([name, f"{len(f1)}", f"{mean(f1):.4f}", f"{lost / len(f1):.1%}"])
        for key in ("article", "article_without_url"):
            pages = (JudgedPage(row[key], row["type"] == ARTICLE, 0.0) for row in group)
            judged.append(JudgeScore(f"{name}: {key}", tuple(pages)))
    curve = [
        [f"{part.probability:.2f}", f"{part.article_share:.2f}", f"{part.pages}"]
        for part in calibration((row["article"], row["type"] == ARTICLE) for row in rows)
    ]
    tables = (
        Table(["pages", "number", "F1", "lost"], texts),
        judge_table(judged, 0.5),
        Table(["mean probability", "articles", "pages"], curve),
    )
    return "\n\n".join(map(str, tables))


if __name__ == "__main__":
    main()
