"""The version of a result: the package's, and a hash of the settings that decide text and flag."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from scrapy_webtext import __version__, models
from scrapy_webtext.page.selectors import Selectors
from scrapy_webtext.registry import KINDS, Kind, load, path_of

#: The name of the result field with the version.
VERSION: Final = "extractor_version"
#: The key in the footer of an archive's Parquet files; the value has the version, too.
FOOTER_KEY: Final = b"scrapy_webtext"
#: Settings that decide, next to the extractor, the judge and their options.
OTHERS: Final = ("threshold", "fix_encoding", "repeats")
HASH_CHARS: Final = 8

#: The models of the package, by name.
_PACKAGED: Final = {path.name: path for path in sorted(Path(models.__path__[0]).glob("*.json"))}


def version_of(settings: Any, selectors: Selectors | None = None) -> str:
    """Return the ``extractor_version`` of results, such as ``0.2.0+1a2b3c4d``.

    ``settings`` are `WebtextSettings` or `archive.ExtractionSettings`. Equal settings have equal
    hashes in all processes and on all machines: of a model file the content counts, not the path.
    """
    described = [_described(*part) for part in _parts(settings)]
    others = [getattr(settings, name, None) for name in OTHERS]
    css = selectors and [sorted(selectors.within), sorted(selectors.without)]
    parts = [(*part, list(needed.values())) for part, needed in described]
    decides = json.dumps([parts, others, css], sort_keys=True, default=_plain)
    return f"{__version__}+{sha256(decides.encode()).hexdigest()[:HASH_CHARS]}"


def dependencies(settings: Any) -> dict[str, str]:
    """Return the digests of models and the versions of peers that decide, by name."""
    return {name: value for p in _parts(settings) for name, value in _described(*p)[1].items()}


def _parts(settings: Any) -> Iterator[tuple[Kind, Any, Mapping[str, Any]]]:
    """Yield extractor and judge, each with its options."""
    for kind in KINDS:
        yield kind, getattr(settings, kind), getattr(settings, f"{kind}_options")


def _described(
    kind: Kind, target: Any, options: Mapping[str, Any]
) -> tuple[tuple[str, dict[str, Any]], dict[str, str]]:
    """Return the class and all options of an extractor or judge, and its `dependencies`."""
    made = load(kind, target, {})
    cls = made if isinstance(made, type) else type(made)
    declared = [field for field in fields(cls) if field.init] if is_dataclass(cls) else []
    given = {f.name: f.default if made is cls else getattr(made, f.name) for f in declared}
    given.update(options)
    files: dict[str, Path] = {}
    model = given.get("model", "")
    if model is None:
        files.update(_PACKAGED)
    elif isinstance(model, str | os.PathLike) and Path(model).is_file():
        files = {str(model): Path(model)}
        del given["model"]
    needed = {f"content of {name}": _digest(p, p.stat().st_mtime_ns) for name, p in files.items()}
    if cls.__module__ == "scrapy_webtext.extractors.peers":
        from scrapy_webtext.extractors.peers import versions_of  # slow, and loaded already

        needed.update(versions_of(made.name))
    return (path_of(cls), given), needed


@lru_cache(maxsize=64)
def _digest(path: Path, mtime_ns: int) -> str:  # noqa: ARG001 (a file that changes is read again)
    return sha256(path.read_bytes()).hexdigest()


def _plain(value: object) -> str:
    """Return a path, or the class of another value that JSON cannot hold."""
    return os.fspath(value) if isinstance(value, os.PathLike) else path_of(type(value))
