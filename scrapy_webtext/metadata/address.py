"""What an address says: the day in its path."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from scrapy_webtext.metadata.dates import Moment, read_date

#: Characters of an address that are looked at.
MAX_CHARS: Final = 2_000

_DAY: Final = re.compile(
    r"(?:^|[/_-])((?:19|20)\d\d)([/_-]?)(0[1-9]|1[0-2]|[1-9](?!\d))\2(0[1-9]|[12]\d|3[01]|[1-9](?!\d))(?!\d)"
)


def date_in_address(url: str | None) -> Moment | None:
    """Return the day that the path of an address names, as /2023/12/17/ and /20231217/ do."""
    try:
        path = urlsplit((url or "")[:MAX_CHARS]).path
    except ValueError:
        return None
    match = _DAY.search(path)
    if match is None:
        return None
    return read_date(f"{match[1]}-{match[3]}-{match[4]}")
