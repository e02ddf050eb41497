"""``scrapy webtext train``: a model from one's own pages, and its use."""

import json
from pathlib import Path

import pytest

from tests.cli import ROOT, refused, webtext
from tests.cli.test_evaluate import ARTICLE, MENU_ONLY, PAGES, STORY, html

LABELLED = ROOT / "example_project" / "news" / "site" / "labelled"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "pages.jsonl"
    path.write_text("".join(json.dumps(page) + "\n" for page in PAGES), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def retrained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "model.json"
    done = webtext("train", "naive_bayes", LABELLED, "-o", path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        f'{path}: use it with WEBTEXT_EXTRACTOR = "naive_bayes" and '
        f'WEBTEXT_EXTRACTOR_OPTIONS = {{"model": "{path}"}}\n'
    )
    return path


def test_naive_bayes_trained_on_the_example_site_reads_it_better(retrained: Path) -> None:
    specs = f"naive_bayes,naive_bayes:model={retrained}"
    done = webtext("evaluate", LABELLED, "--extractor", specs, "--measures", "overlap", "--json")
    shipped, own = json.loads(done.stdout)["corpora"][0]["extractors"]
    assert own["f1"] > shipped["f1"]


def test_a_trained_model_is_used_by_the_setting_that_is_told(retrained: Path) -> None:
    page = LABELLED / "bakery-fire.html"
    setting = f"WEBTEXT_EXTRACTOR_OPTIONS={json.dumps({'model': str(retrained)})}"
    own = webtext("extract", page, "--extractor", "naive_bayes", "-s", setting)
    options = json.dumps({"model": str(retrained)})
    same = webtext("extract", page, "--extractor", "naive_bayes", "--options", options)
    shipped = webtext("extract", page, "--extractor", "naive_bayes")
    assert own.stdout == same.stdout != shipped.stdout


def test_fusion_learns_from_the_pages_of_one_site(tmp_path: Path) -> None:
    pages = [
        ARTICLE
        | {"id": str(n), "url": f"https://example.com/{n}", "html": html(STORY * (n % 7 + 2))}
        for n in range(20)
    ]
    corpus, model = tmp_path / "pages.jsonl", tmp_path / "model.json"
    corpus.write_text("".join(json.dumps(page) + "\n" for page in pages), encoding="utf-8")
    types = tmp_path / "types.jsonl"
    types.write_text(json.dumps(MENU_ONLY) + "\n", encoding="utf-8")
    done = webtext("train", "fusion", corpus, "--types-only", types, "-o", model)
    assert (done.returncode, done.stderr) == (0, "")
    options = json.dumps({"model": str(model)})
    done = webtext("extract", LABELLED / "bakery-fire.html", "--options", options)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["naive_bayes", "{corpus}"], "the following arguments are required: -o"),
        (["wffte", "{corpus}", "-o", "{folder}/model.json"], "invalid choice: 'wffte'"),
        (["naive_bayes", "{folder}/none", "-o", "{folder}/model.json"], "No corpus at"),
        (["naive_bayes", "{corpus}", "-o", "{folder}/none/model.json"], "there is no folder"),
        (["naive_bayes", "{folder}/unlabelled.jsonl", "-o", "{folder}/model.json"], "gold text"),
        (["fusion", "{corpus}", "-o", "{folder}/model.json"], "fusion needs 20 labelled pages"),
        (["judge", "{folder}/unlabelled.jsonl", "-o", "{folder}/model.json"], "give each page its"),
    ],
)
def test_bad_input_is_refused_in_one_line(corpus: Path, args: list[str], message: str) -> None:
    folder = corpus.parent
    (folder / "unlabelled.jsonl").write_text('{"html": "<p>x", "text": "", "type": "article"}\n')
    before = sorted(folder.iterdir())
    ready = [arg.format(corpus=corpus, folder=folder) for arg in args]
    assert message in refused("train", *ready)
    assert sorted(folder.iterdir()) == before
