"""``python -m scrapy_webtext.lab.train``: its options come to the trainer."""

import json
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

from scrapy_webtext.lab.train.fusion import training


def test_the_options_come_to_the_trainer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def trained(paths: list[str], **options: Any) -> dict[str, Any]:
        return {"paths": paths, **options}

    output = tmp_path / "model.json"
    line = ["train", "fusion", "a.jsonl", "b.jsonl", "--seed", "3", "-o", str(output)]
    monkeypatch.setattr(training, "train_fusion", trained)
    monkeypatch.setattr(sys, "argv", [*line, "--types-only", "c.jsonl"])
    runpy.run_module("scrapy_webtext.lab.train", run_name="__main__")
    found = json.loads(output.read_text("utf-8"))
    assert found == {"paths": ["a.jsonl", "b.jsonl"], "types_only": ["c.jsonl"], "seed": 3}
