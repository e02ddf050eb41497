"""The commands of docs/command.md run as they are written."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.cli import ENVIRONMENT, ROOT

TEXT = (ROOT / "docs" / "command.md").read_text("utf-8")
COMMANDS = re.findall(
    r"^\$ (.*)$", "\n".join(re.findall(r"```console\n(.*?)```", TEXT, re.S)), re.M
)


@pytest.fixture(scope="module")
def transcript(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What all commands print, one after the other in one shell."""
    folder = tmp_path_factory.mktemp("docs")
    project = folder / "example_project"
    shutil.copytree(ROOT / "example_project", project)
    scrapy = folder / "scrapy"
    scrapy.write_text(f'#!/bin/sh\nexec {sys.executable} -m scrapy "$@"\n')
    scrapy.chmod(0o755)
    path = os.pathsep.join([str(folder), ENVIRONMENT["PATH"]])
    done = subprocess.run(
        ["bash", "-ec", "\n".join(COMMANDS)],
        cwd=project,
        env={**ENVIRONMENT, "PATH": path},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (project / "gulls.html").is_file()
    assert (project / "articles.jsonl").read_text("utf-8").count('"main_text"') > 70
    return done.stdout


def test_every_command_runs(transcript: str) -> None:
    assert len(COMMANDS) == 10
    assert "A fire damaged the roof and upper floor" in transcript
    assert "gulls.html\n" in transcript
    assert "| P value, modern     | labelled | " in transcript
    assert "mine/model.json: use it with" in transcript


def test_training_helps_as_the_page_says(transcript: str) -> None:
    found = re.findall(r"^\| (naive_bayes\S*) +\| +([0-9.]+)", transcript, re.M)[1:]
    said = re.findall(r"^\| (naive_bayes\S*) +\| +([0-9.]+)", TEXT, re.M)
    shipped, own = found[-2:]
    assert float(own[1]) > float(shipped[1])
    assert said[-2:] == found[-2:]
