"""What tests of crawls share."""

import json
from typing import Any

from tests.kits.processes import python


def visit(paths: list[str], **order: Any) -> dict[str, Any]:
    """Crawl these pages of the test site in a process of its own; return its report."""
    done = python("-m", "tests.crawls.visit", input=json.dumps({"paths": paths, **order}))
    report: dict[str, Any] = json.loads(done.stdout)
    report["stderr"] = done.stderr
    report["by_path"] = {item["path"]: item for item in report["items"] or ()}
    return report
