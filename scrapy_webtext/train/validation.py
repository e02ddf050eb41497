"""Cross-validation of ``fusion`` and ``learned``, grouped by registered domain.

    python -m scrapy_webtext.train.validation CORPUS... --kinds-only ... --scored ... --folds K...

Each fold is left out of everything that is learned: names, kinds, blocks, stretches, calibrations.
The model that the other folds give is written to a file, and the extractor and the judge score
the pages of the fold with it, as a user's crawl would. ``--scored`` corpora teach nothing.
One line of JSON per page; ``--table`` reads such lines and prints the means.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev
from tempfile import TemporaryDirectory
from typing import Any

from scrapy_webtext.corpus import LabelledPage, read_corpus
from scrapy_webtext.evaluate.metrics import area_under_roc, shingle_overlap, word_overlap
from scrapy_webtext.evaluate.systems import make_system
from scrapy_webtext.extractors.fusion import FusionExtractor, LearnedJudge
from scrapy_webtext.models import dump_model
from scrapy_webtext.page import parse
from scrapy_webtext.train.examples import FOLDS, corpus_name, fold_of
from scrapy_webtext.train.fusion import fit_fusion, read_examples

Row = dict[str, Any]


def main() -> None:
    """Validate one fold, or print the table of all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+")
    parser.add_argument("--kinds-only", nargs="*", default=[])
    parser.add_argument("--scored", nargs="*", default=[])
    parser.add_argument("--peer", help="a peer to score beside it, such as trafilatura")
    parser.add_argument("--folds", type=int, nargs="+", default=list(range(FOLDS)))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--table", action="store_true", help="CORPORA are results of folds")
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
    kinds_only: Sequence[str],
    scored: Sequence[str],
    folds: Sequence[int],
    seed: int,
    peer: str | None = None,
) -> Iterator[Row]:
    """Yield a row per page of these folds, each scored by a model of the other folds."""
    examples = read_examples([*corpora, *kinds_only])
    for fold in folds:
        others = [e for e in examples if fold_of(e.domain, FOLDS, seed) != fold]
        content = fit_fusion(others, corpora, seed, kinds_only=kinds_only)
        scored_pages = dict.fromkeys([*corpora, *kinds_only, *scored])
        yield from _score_fold(content, list(scored_pages), fold, seed, peer)


def _score_fold(
    content: Mapping[str, Any], corpora: Sequence[str], fold: int, seed: int, peer: str | None
) -> Iterator[Row]:
    """Yield a row per page of one fold, scored by this model."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "fusion.json"
        path.write_text(dump_model(content), encoding="utf-8")
        extractor, judge = FusionExtractor(model=path), LearnedJudge(model=path)
    other = make_system(peer) if peer else None
    for corpus in corpora:
        for labelled in read_corpus(corpus):
            if fold_of(labelled.domain, FOLDS, seed) == fold:
                row = _score(labelled, extractor, judge)
                if other and labelled.text:
                    text = other.text(labelled.html, labelled.url)
                    row["peer"] = _f1(corpus, text, labelled.text)
                if labelled.text:
                    row["f1"] = _f1(corpus, row["text"], labelled.text)
                del row["text"]
                yield {"corpus": corpus_name(corpus), "fold": fold, "seed": seed, **row}


def _f1(corpus: str, text: str, gold: str) -> float:
    if corpus_name(corpus).startswith("zh"):
        return shingle_overlap(text, gold, "chars").f1
    return word_overlap(text, gold).f1


def _score(labelled: LabelledPage, extractor: FusionExtractor, judge: LearnedJudge) -> Row:
    page = parse(labelled.html, url=labelled.url)
    extraction = extractor.extract(page)
    return {
        "id": labelled.id,
        "url": labelled.url,
        "type": labelled.type,
        "text": extraction.text,
        "score": extraction.score,
        "article": judge.judge(page).probability,
        "article_without_url": judge.judge(parse(labelled.html)).probability,
    }


def summary(rows: Sequence[Row]) -> str:
    """Return the means of F1 by corpus and type, and how well the judge tells articles."""
    lines = []
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if "f1" in row:
            groups[row["corpus"]].append(row)
            if row["corpus"] == "wcxb_dev":
                groups[f"  {row['type']}"].append(row)
    for name, group in sorted(groups.items()):
        compared = _against_peer([row for row in group if "peer" in row])
        lines.append(f"{name:16} {len(group):5} F1 {mean(r['f1'] for r in group):.4f}{compared}")
    mixture = ("fundus", "newspaper4k", "annotated", "types")
    for name, corpora in (("wcxb_dev", ("wcxb_dev",)), ("mixture", mixture)):
        group = [row for row in rows if row["corpus"] in corpora]
        for key in ("article", "article_without_url"):
            lines.append(_judge_line(f"{name} {key}", group, key))
    lines += reliability([(r["article"], r["type"] == "article") for r in rows])
    return "\n".join(lines)


def _against_peer(rows: Sequence[Row]) -> str:
    """Return the peer's mean F1 and the mean difference per page with its standard error.

    A page that several seeds scored is one page: its differences are averaged first.
    """
    by_page: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        by_page[f"{row['corpus']} {row['id']}"].append(row["f1"] - row["peer"])
    differences = [mean(page) for page in by_page.values()]
    if len(differences) < 2:
        return ""
    error = stdev(differences) / len(differences) ** 0.5
    difference = f"{mean(differences):+.4f} ± {error:.4f}"
    return f"  peer {mean(row['peer'] for row in rows):.4f}  difference {difference}"


def _judge_line(name: str, rows: Sequence[Row], key: str) -> str:
    judged = [(row[key], row["type"] == "article") for row in rows]
    if not judged:
        return f"{name:36} no pages"
    right = mean((p >= 0.5) == is_article for p, is_article in judged)
    return f"{name:36} AUC {area_under_roc(judged):.4f}  accuracy {right:.4f}"


def reliability(judged: Iterable[tuple[float, bool]]) -> list[str]:
    """Return a line per tenth of the probability: how many pages, how many are articles."""
    tenths: Mapping[int, list[tuple[float, bool]]] = defaultdict(list)
    for p, is_article in judged:
        tenths[min(9, int(10 * p))].append((p, is_article))
    return [
        f"given {mean(p for p, _ in pairs):.2f}: {mean(a for _, a in pairs):.2f} of {len(pairs)}"
        for _, pairs in sorted(tenths.items())
    ]


if __name__ == "__main__":
    main()
