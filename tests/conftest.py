"""Which tests can run here: those in ``ecosystem`` need packages beyond the extra ``test``."""

import os
from importlib.util import find_spec

from hypothesis import settings

# How long one example takes says more of the machine's other work than of the code.
settings.register_profile("project", deadline=None)
settings.load_profile("project")

NEEDS = {
    "ecosystem/test_poet.py": "scrapy_poet",
    "ecosystem/test_zyte_items.py": "zyte_common_items",
}
MISSING = sorted({package for package in NEEDS.values() if find_spec(package) is None})

collect_ignore = [path for path, package in NEEDS.items() if package in MISSING]


def pytest_report_header() -> str:
    if not MISSING:
        return "ecosystem: all packages are here"
    if os.environ.get("WEBTEXT_ECOSYSTEM") == "all":
        raise RuntimeError(f"WEBTEXT_ECOSYSTEM=all, but these are not installed: {MISSING}")
    return f"ecosystem: tests that need {', '.join(MISSING)} do not run (not installed)"
