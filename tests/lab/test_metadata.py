"""Titles, authors and dates against gold, in the table that the command prints."""

import json
from pathlib import Path

import pytest

from scrapy_webtext.cli.lab import metadata_scores
from scrapy_webtext.errors import CorpusError
from scrapy_webtext.lab.metadata import is_title, read_gold, same_authors
from tests.cli import ENVIRONMENT, refused, webtext
from tests.kits.hostile import ARTICLE

HEAD = '<meta name="author" content="Ann Doe"><meta property="article:published_time" content="{}">'


def page(name: str, day: str) -> dict[str, str]:
    html = f"<html><head><title>Boat</title>{HEAD.format(day)}</head><body>{ARTICLE}"
    return {"id": name, "url": f"https://example.com/{name}", "html": html, "text": "x"}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "news.jsonl"
    pages = [page("right", "2020-05-03T10:00:00Z"), page("wrong", "2019-01-01"), page("none", "")]
    path.write_text("".join(json.dumps(one) + "\n" for one in pages), encoding="utf-8")
    gold = {"corpus": "news", "title": "BOAT!", "authors": ["Ann Doe", "Bo Roe"]}
    rows = [{**gold, "id": one["id"], "published": "2020-05-03"} for one in pages]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "metadata.jsonl").write_text(lines, encoding="utf-8")
    return path


def test_values_are_right_wrong_or_not_given(corpus: Path) -> None:
    rows = json.loads(metadata_scores([str(corpus)], is_json=True))
    ours = next(row for row in rows if row["system"] == "webtext")
    assert ours["title"] == {"right": 1.0, "wrong": 0.0, "pages": 3}
    assert ours["authors"] == {"right": 1.0, "wrong": 0.0, "pages": 3}
    assert ours["exact authors"]["right"] == 0.0
    assert ours["published"]["right"] == pytest.approx(1 / 3)
    assert ours["published"]["wrong"] == pytest.approx(1 / 3)


def test_metadata_beside_the_text_cost_less_than_with_it_and_are_the_same(corpus: Path) -> None:
    rows = {row["system"]: row for row in json.loads(metadata_scores([str(corpus)], is_json=True))}
    whole = rows["webtext"]
    for name in ("webtext, metadata alone", "webtext, metadata beside the text"):
        assert rows[name]["title"] == whole["title"]
        assert rows[name]["published"] == whole["published"]
        assert 0 < rows[name]["seconds_median"] < whole["seconds_median"]


def test_the_command_prints_the_table_of_what_the_folder_has(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENVIRONMENT, "WEBTEXT_CORPORA", str(corpus.parent))
    done = webtext("evaluate", "--metadata")
    assert done.returncode == 0, done.stderr
    assert any(line.startswith("| news") and "webtext" in line for line in done.stdout.split("\n"))


def test_a_title_is_the_same_whatever_its_case_and_punctuation() -> None:
    assert is_title("The Résumé – of a boat", "the resume: of a BOAT.")
    assert not is_title("The boat", "The boat | Courier")


def test_authors_are_compared_as_sets_and_by_one() -> None:
    assert same_authors(["ANN DOE"], ["Ann Doe"]) == (True, True)
    assert same_authors(["Ann Doe"], ["Ann Doe", "Bo Roe"]) == (True, False)
    assert same_authors([], ["Ann Doe"]) == (False, False)


def test_corpora_without_gold_are_refused(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "metadata.jsonl").write_text("not JSON\n", encoding="utf-8")
    with pytest.raises(CorpusError, match="line 1: no gold"):
        read_gold(tmp_path)
    (tmp_path / "metadata.jsonl").unlink()
    with pytest.raises(CorpusError, match=r"No metadata\.jsonl\.gz"):
        metadata_scores([str(corpus)], is_json=False)


def test_evaluate_wants_a_corpus() -> None:
    assert "required: CORPUS" in refused("evaluate")
