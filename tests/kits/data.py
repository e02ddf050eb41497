"""Tables of cases beside the tests that read them."""

import json
from pathlib import Path
from typing import Any


def read_json(test: str, name: str = "cases.json") -> Any:
    """Return what a JSON file next to this file holds."""
    return json.loads(Path(test).with_name(name).read_text("utf-8"))
