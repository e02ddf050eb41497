"""The output folder: one run at a time, results of one making."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from scrapy_webtext.archive import ExtractionSettings, folder
from scrapy_webtext.archive.folder import claimed
from scrapy_webtext.archive.main import run_archive
from scrapy_webtext.archive.manifest import checked_keep, made_with
from scrapy_webtext.errors import InputError
from tests.archive import write_parts

PARTS = 2
PAGES = 2


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    return write_parts(tmp_path / "in", PARTS, PAGES)


def run(inputs: Path, output: Path, extractor: str = "bte", **options: Any) -> int:
    settings = ExtractionSettings(extractor, options.pop("options", {}))
    return run_archive([str(inputs)], str(output), settings, **options)


def manifest(output: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((output / ".webtext" / "manifest.json").read_bytes())
    return found


def test_the_manifest_tells_what_the_results_were_made_with(inputs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run(inputs, out) == 0
    found = manifest(out)
    assert found["made_with"] == made_with(ExtractionSettings("bte"))
    assert found["made_with"]["version"] == "0.1.0"
    assert len(found["made_with"]["files"]["naive_bayes.json"]) == 64
    assert list(found["parts"]) == ["00.warc.gz.parquet", "01.warc.gz.parquet"]
    entry = found["parts"]["00.warc.gz.parquet"]
    source = inputs / "00.warc.gz"
    assert (entry["source"], entry["size"]) == (str(source), source.stat().st_size)
    assert (entry["pages"], len(entry["sha256"])) == (PAGES, 64)


def test_the_folder_reads_as_one_data_set(inputs: Path, tmp_path: Path) -> None:
    run(inputs, tmp_path / "out")
    assert len(ds.dataset(tmp_path / "out").to_table()) == PARTS * PAGES
    assert len(pq.read_table(tmp_path / "out")) == PARTS * PAGES


def test_other_settings_are_refused_before_anything_is_made(inputs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(inputs, out)
    before = manifest(out)
    with pytest.raises(InputError) as error:
        run(inputs, out, "ttr")
    assert str(error.value) == (
        f'{out} was made with another extractor ("bte", now "ttr"): use the same, or another '
        f"output folder, or --overwrite to discard what is there"
    )
    assert manifest(out) == before


def test_another_release_is_refused(
    inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(inputs, tmp_path / "out")
    monkeypatch.setattr("scrapy_webtext.archive.manifest.__version__", "0.2.0")
    with pytest.raises(InputError, match=r'another version \("0.1.0", now "0.2.0"\)'):
        run(inputs, tmp_path / "out")


def test_a_model_that_was_trained_anew_is_refused(inputs: Path, tmp_path: Path) -> None:
    from importlib.resources import files

    model = tmp_path / "model.json"
    shipped = (files("scrapy_webtext.models") / "naive_bayes.json").read_text()
    model.write_text(shipped)
    options = {"model": str(model)}
    assert run(inputs, tmp_path / "out", "naive_bayes", options=options) == 0
    model.write_text(json.dumps(json.loads(shipped)))
    with pytest.raises(InputError, match=r"made with another content of .*model\.json"):
        run(inputs, tmp_path / "out", "naive_bayes", options=options)


def test_an_extractor_of_ones_own_that_was_edited_is_refused(
    inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "from scrapy_webtext.results import Extraction\n"
        "class Own:\n    name = 'own'\n    def extract(self, page):\n"
        "        return Extraction('text', 1.0, 'own')\n"
    )
    (tmp_path / "edited_extractor.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.getcwd()]))
    assert run(inputs, tmp_path / "out", "edited_extractor.Own") == 0
    (tmp_path / "edited_extractor.py").write_text(code + "# edited\n")
    with pytest.raises(InputError, match="another content of module edited_extractor"):
        run(inputs, tmp_path / "out", "edited_extractor.Own")


def test_overwriting_discards_all_parts_and_nothing_else(inputs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(inputs, out)
    (inputs / "01.warc.gz").unlink()
    shutil.copy(out / "00.warc.gz.parquet", tmp_path / "linked.parquet")
    (out / "notes.txt").write_text("mine")
    (out / "mine.parquet").write_text("mine")
    (out / "kept").mkdir()
    assert run(inputs, out, "ttr", overwrite=True) == 0
    names = sorted(path.name for path in out.iterdir())
    assert names == [".webtext", "00.warc.gz.parquet", "kept", "mine.parquet", "notes.txt"]
    stamp = json.loads(pq.read_metadata(out / "00.warc.gz.parquet").metadata[b"scrapy_webtext"])
    assert stamp["made_with"]["settings"]["extractor"] == "ttr"
    assert list(manifest(out)["parts"]) == ["00.warc.gz.parquet"]


def test_a_damaged_manifest_is_refused_and_can_be_overwritten(inputs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(inputs, out)
    for content in ("{", "[]", '{"made_with": 1, "parts": 2}'):
        (out / ".webtext" / "manifest.json").write_text(content)
        with pytest.raises(InputError, match=r"manifest\.json is damaged: choose another"):
            run(inputs, out)
    assert run(inputs, out, overwrite=True) == 0


def test_a_second_run_ends_at_once_and_says_who_is_there(inputs: Path, tmp_path: Path) -> None:
    with claimed(str(tmp_path / "out")), pytest.raises(InputError) as error:
        run(inputs, tmp_path / "out")
    assert f"({os.getpid()}" not in str(error.value)
    assert f"process {os.getpid()} on " in str(error.value)
    assert "wait for its end, or choose another output folder" in str(error.value)
    assert run(inputs, tmp_path / "out") == 0


def test_a_folder_is_locked_under_all_its_names(inputs: Path, tmp_path: Path) -> None:
    (tmp_path / "other").symlink_to(tmp_path / "out")
    (tmp_path / "out").mkdir()
    with claimed(str(tmp_path / "out")), pytest.raises(InputError, match="Another run works on"):
        run(inputs, tmp_path / "other")


def test_a_lock_of_a_dead_process_is_no_obstacle(inputs: Path, tmp_path: Path) -> None:
    code = (
        "import os, sys; from scrapy_webtext.archive.folder import claimed\n"
        "with claimed(sys.argv[1]) as folder:\n"
        "    (folder.workspace / 'part').write_text('half'); os._exit(1)"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path / "out"], check=False)
    assert (tmp_path / "out" / ".webtext" / "lock").exists()
    assert run(inputs, tmp_path / "out") == 0
    assert os.listdir(tmp_path / "out" / ".webtext") == ["manifest.json"]


RACE = """
import sys, time
from scrapy_webtext.archive.folder import claimed
from scrapy_webtext.errors import InputError
print("ready", flush=True)
for line in sys.stdin:
    try:
        with claimed(line.strip()):
            print("mine", flush=True)
            sys.stdin.readline()
    except InputError as error:
        print("Another run" in str(error), flush=True)
        sys.stdin.readline()
"""


def test_of_runs_that_begin_at_once_one_has_the_folder(tmp_path: Path) -> None:
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]

    def tell(line: str) -> None:
        for racer in racers:
            assert racer.stdin is not None
            racer.stdin.write(f"{line}\n")
            racer.stdin.flush()

    def answers() -> list[str]:
        return [racer.stdout.readline().strip() for racer in racers if racer.stdout is not None]

    try:
        answers()
        for number in range(20):
            tell(str(tmp_path / f"out{number % 3}"))
            assert sorted(answers()) == ["True", "True", "True", "mine"]
            tell("done")
    finally:
        for racer in racers:
            racer.communicate()


def test_a_file_system_without_locks_is_no_obstacle(
    inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(folder.fcntl, "flock", flock)
    assert run(inputs, tmp_path / "out") == 0


def as_file(state: Path) -> None:
    state.write_text("")


def as_link(state: Path) -> None:
    state.mkdir()
    (state / "lock").symlink_to(state.parent / "precious")
    (state.parent / "precious").write_text("precious")


@pytest.mark.parametrize("spoil", [as_file, as_link])
def test_a_state_that_is_none_is_refused_and_left_alone(
    inputs: Path, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    spoil(out / ".webtext")
    with pytest.raises(InputError, match="cannot be written to"):
        run(inputs, out)
    assert "" not in [path.read_text() for path in out.glob("precious")]


def refuse(*_: object, **__: object) -> None:
    raise OSError(30, "Read-only file system")


def test_an_output_folder_that_cannot_be_written_to_is_refused(
    inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").mkdir()
    monkeypatch.setattr("os.open", refuse)
    with pytest.raises(InputError, match="out cannot be written to: Read-only file system"):
        run(inputs, tmp_path / "out")


def test_a_manifest_that_cannot_be_written_is_told(
    inputs: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    inner = folder.OutputFolder.write_manifest

    def second(self: Any, manifest: Any) -> None:
        monkeypatch.setattr(folder.OutputFolder, "write_manifest", refuse)
        inner(self, manifest)

    monkeypatch.setattr(folder.OutputFolder, "write_manifest", second)
    assert run(inputs, tmp_path / "out") == 1
    assert "the manifest cannot be written: OSError" in capsys.readouterr().err
    monkeypatch.undo()
    assert run(inputs, tmp_path / "out") == 0


@pytest.mark.parametrize("name", ["url", "URL", "error", "Main_Text"])
def test_a_column_that_the_output_has_itself_cannot_be_kept(name: str) -> None:
    with pytest.raises(InputError, match=f"--keep {name}: the output has a column {name.lower()}"):
        checked_keep(["id", name])


def test_columns_are_kept_once_and_not_in_two_cases() -> None:
    assert checked_keep(["id", "day", "id"]) == ("id", "day")
    with pytest.raises(InputError, match="two columns differ in case alone"):
        checked_keep(["id", "ID"])
