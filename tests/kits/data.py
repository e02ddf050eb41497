"""Tables of cases next to their tests, and the pages of the example project."""

import json
from pathlib import Path
from typing import Any, Final

SITE: Final = Path(__file__).parents[2] / "example_project" / "news" / "site"


def read_json(test: str, name: str = "cases.json") -> Any:
    """Return the content of a JSON file next to this file."""
    return json.loads(Path(test).with_name(name).read_text("utf-8"))
