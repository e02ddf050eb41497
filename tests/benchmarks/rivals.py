"""Score other packages of 2026 next to ours, in one run on the same pages.

    npm install --prefix node @mozilla/readability jsdom defuddle linkedom
    python -m tests.benchmarks.rivals run wcxb_dev.jsonl.gz older.jsonl.gz > rows.jsonl
    python -m tests.benchmarks.rivals table rows.jsonl

``run`` writes a line of JSON per page and system. ``--systems`` are those of `make_system`, such as
``fusion:model=FILE``, those of `NODE` and html-to-markdown. ``table`` prints the mean F1 by corpus,
script and type, the CPU time of a page in milliseconds, and the measures of WCXB's ``evaluate.py``:
precision, recall and F1 of words, and the shares of the segments that must (with) and must not
(without) be in the text that are in it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean
from subprocess import PIPE, Popen
from time import process_time
from typing import Any

from scrapy_webtext.extractors.peers import CALLS
from scrapy_webtext.lab import Table
from scrapy_webtext.lab.corpus import LabelledPage, corpus_name, corpus_path, read_corpus
from scrapy_webtext.lab.evaluation import make_system
from scrapy_webtext.lab.metrics import word_overlap
from scrapy_webtext.registry import PEERS
from tests.benchmarks.validation import script_of_page, text_f1

#: Text of a page, and CPU seconds.
System = Callable[[LabelledPage], tuple[str, float]]
Row = dict[str, Any]

WCXB = "wcxb_dev"
MEASURES = ("precision", "recall", "f1", "with", "without")
NODE = ("readability.js", "defuddle")


def timed(call: Callable[[str, str | None], str | None]) -> System:
    def run(page: LabelledPage) -> tuple[str, float]:
        began = process_time()
        text = call(page.html, page.url) or ""
        return text, process_time() - began

    return run


def of_node(name: str, folder: Path) -> System:
    """Return a package of Node, whose HTML html-text turns into text."""
    script = str(Path(__file__).with_name("rivals.mjs").resolve())
    node = Popen(["node", script, name], cwd=folder, stdin=PIPE, stdout=PIPE, text=True)
    text_of = timed(CALLS["html_text"]())

    def run(page: LabelledPage) -> tuple[str, float]:
        assert node.stdin
        assert node.stdout
        request = {"html": page.html, "url": page.url or "https://example.com/"}
        print(json.dumps(request), file=node.stdin, flush=True)
        answer = json.loads(node.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"])
        text, seconds = text_of(LabelledPage(page.id, answer["html"], ""))
        return text, answer["seconds"] + seconds

    return run


def html_to_markdown() -> System:
    """Return html-to-markdown's plain text without navigation and forms."""
    import html_to_markdown as package

    cleaning = package.PreprocessingOptions(enabled=True, preset="aggressive")
    options = package.ConversionOptions(
        output_format="plain", skip_images=True, extract_metadata=False, preprocessing=cleaning
    )
    return timed(lambda html, _url: package.convert(html, options).content)


def make(name: str, node: Path) -> System:
    if name == "html-to-markdown":
        return html_to_markdown()
    if name in NODE:
        return of_node(name, node)
    return timed(make_system(name).text)


def run(corpora: Sequence[str], systems: Sequence[str], node: Path, every: int) -> Iterator[Row]:
    """Yield one row per page with a gold text and system; a page that fails has no text."""
    calls = {name: make(name, node) for name in systems}
    for corpus in corpora:
        for number, page in enumerate(read_corpus(corpus_path(corpus))):
            if number % every or not page.text:
                continue
            row = {"corpus": corpus_name(corpus), "id": page.id, "type": page.type}
            for name, call in calls.items():
                yield {**row, "system": name, **score(page, call)}


def score(page: LabelledPage, call: System) -> Row:
    script = script_of_page(page)
    try:
        text, seconds = call(page)
    except Exception as error:
        print(f"{page.id}: {type(error).__name__}: {error}"[:200], file=sys.stderr)
        text, seconds = "", 0.0
    return {
        "script": script,
        "text_f1": text_f1(text, page.text, script),
        **word_overlap(text, page.text)._asdict(),
        "with": share_in(text, page.required),
        "without": share_in(text, page.excluded),
        "ms": 1e3 * seconds,
    }


def share_in(text: str, segments: Sequence[str]) -> float:
    """Return the share of the segments in a text, without regard to case; 1 without segments."""
    return mean([part.lower() in text.lower() for part in segments] or [1])


def tables(rows: Sequence[Row]) -> str:
    """Return the table of F1 by group, of times, and of the measures of WCXB."""
    systems = list(dict.fromkeys(row["system"] for row in rows))
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["corpus"]].append(row)
        groups[f"{row['corpus']} {row['script']}"].append(row)
        if row["corpus"] == WCXB:
            groups[f"{WCXB}, {row['type']}"].append(row)
    lines = [
        [name, str(len(group) // len(systems)), *means("text_f1", group, systems)]
        for name, group in sorted(groups.items())
    ]
    lines.append(["ms", "", *means("ms", rows, systems)])
    for measure in MEASURES if WCXB in groups else ():
        lines.append([f"{WCXB}, {measure}", "", *means(measure, groups[WCXB], systems)])
    return str(Table(["F1", "pages", *systems], lines))


def means(measure: str, rows: Sequence[Row], systems: Sequence[str]) -> list[str]:
    values = ([row[measure] for row in rows if row["system"] == name] for name in systems)
    return [f"{mean(column):.3f}" if column else "" for column in values]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=("run", "table"))
    parser.add_argument("files", nargs="+", help="corpora, or rows")
    parser.add_argument(
        "--systems", nargs="+", default=("fusion", *PEERS, *NODE, "html-to-markdown")
    )
    parser.add_argument("--node", type=Path, default=Path("node"), help="folder of node_modules")
    parser.add_argument("--every", type=int, default=1, help="take each n-th page only")
    given = parser.parse_args()
    if given.command == "table":
        lines = [line for file in given.files for line in Path(file).read_text().splitlines()]
        print(tables([json.loads(line) for line in lines]))
        return
    for row in run(given.files, given.systems, given.node, given.every):
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
