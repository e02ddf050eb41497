"""Recognises content that is no page: a URL, JSON, a file of another type."""

from __future__ import annotations

import json
import re
from typing import Final

#: First bytes of files that are often fetched with pages.
_SIGNATURES: Final = {
    b"%PDF-": "a PDF",
    b"\x89PNG\r\n": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"PK\x03\x04": "a ZIP archive or an office document",
    b"\x1f\x8b": "compressed with gzip",
    b"\x28\xb5\x2f\xfd": "compressed with zstd",
}
_ADDRESS: Final = re.compile(r"\A\s*(?:https?|ftp|file)://\S{1,2000}\s*\Z", re.IGNORECASE)


def file_kind(start: bytes) -> str | None:
    """Return what file begins with these bytes, None for one that may be text."""
    return next((name for first, name in _SIGNATURES.items() if start.startswith(first)), None)


def what_else(content: str | bytes) -> str | None:
    """Return a description of content that is no HTML; None for content that may be a page."""
    start = content[:8] if isinstance(content, bytes) else content[:8].encode("latin-1", "replace")
    kind = file_kind(start)
    if kind is not None:
        return kind
    text = content[:4096].decode("latin-1") if isinstance(content, bytes) else content[:4096]
    if "<" in text:
        return None
    if _ADDRESS.match(text):
        return "an address"
    return "JSON" if text.lstrip()[:1] in ("{", "[") and _is_json(content) else None


def _is_json(content: str | bytes) -> bool:
    try:
        json.loads(content)
    except (ValueError, RecursionError):
        return False
    return True
