"""The corpus of reference pages."""

from __future__ import annotations

from pathlib import Path

from scrapy_webtext.lab.corpus import read_corpus
from tests.training.pages import training_example
from training import manuals
from training.labels import domain_of
from training.made_pages import LABELLED, LESSONS, WEIGHTED
from training.manuals import MANUALS, Manual, gold_text, read_manual, write_manuals

TEXT = "The option sets the number of lines that the program prints before it waits for a key."
PAGE = f"""<body><div class="navheader">Prev Up Next</div><div class="chapter"><h2>more</h2>
<div class="toc">1. Options</div><p>{TEXT * 12}</p>
<dl><dt>-n<dd>{TEXT}</dl></div><div class="navfooter">Home</div></body>"""


def test_the_text_is_the_container_without_its_navigation() -> None:
    text = gold_text(PAGE.encode(), "div.chapter", ".toc")
    assert text.split("\n") == ["more", TEXT * 12, "-n", TEXT]


def test_pages_of_installed_packages_are_rows_and_others_are_named(tmp_path: Path) -> None:
    first = MANUALS[0]
    folder = tmp_path / "usr/share" / Path(first.files.replace("*", "a")).parent
    folder.mkdir(parents=True)
    content = PAGE.replace("<body>", "<body role=main>") + "<!-- -->" * 300
    for name in ("lines", "index", "keys"):
        (folder / f"{name}.html").write_text(content)
    missing = write_manuals(tmp_path / "out.jsonl.gz", tmp_path)
    assert len(missing) == len(MANUALS) - 1
    pages = list(read_corpus(tmp_path / "out.jsonl.gz"))
    assert {page.id.rpartition("-")[2] for page in pages} == {"lines.html", "keys.html"}
    assert {(page.type, domain_of(page)) for page in pages} == {("documentation", first.package)}


def test_a_package_has_at_most_its_number_of_pages(tmp_path: Path) -> None:
    for k in range(9):
        body = "<tr><td>x" * k + PAGE + "<!-- -->" * 300
        (tmp_path / f"{k}.html").write_text(body)
    rows = list(read_manual(Manual("made", "*.html", "body", most=3), tmp_path))
    assert len(rows) == 3
    assert rows[0]["html"].count("<td>") > rows[1]["html"].count("<td>")
    assert len(rows[0]["text"]) >= manuals.LEAST_CHARS


def test_reference_pages_have_a_smaller_weight_than_other_labelled_pages() -> None:
    assert training_example("a", corpus="manuals").lesson.blocks < 1
    assert training_example("a made: posts", corpus="manuals").lesson == WEIGHTED["posts"]
    assert training_example("a made: graft", corpus="manuals").lesson == LESSONS["graft"]
    assert training_example("a", corpus="news").lesson == LABELLED
