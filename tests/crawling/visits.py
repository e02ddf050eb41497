"""What tests of crawls share."""

import json
import subprocess
import sys
from typing import Any


def visit(paths: list[str], **order: Any) -> dict[str, Any]:
    """Crawl these pages of the test site in a process of its own; return its report."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.crawls.visit"],
        input=json.dumps({"paths": paths, **order}),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "DeprecationWarning" not in done.stderr, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    report["stderr"] = done.stderr
    report["by_path"] = {item["path"]: item for item in report["items"] or ()}
    return report
