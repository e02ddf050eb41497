"""What results depend on besides their input, and what it means if that has changed."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.resources import files
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final

from scrapy_webtext import __version__
from scrapy_webtext.archive.batch import RESULT_SCHEMA, ExtractionSettings
from scrapy_webtext.archive.readers import open_input
from scrapy_webtext.archive.stamp import digest
from scrapy_webtext.errors import InputError
from scrapy_webtext.extractors.peers.calls import versions_of
from scrapy_webtext.log_text import shown
from scrapy_webtext.registry import PEERS, REGISTERED
from scrapy_webtext.render import FORMATS

#: Differences that a message tells.
TOLD: Final = 3


def made_with(settings: ExtractionSettings, keep: Sequence[str] = ()) -> dict[str, Any]:
    """Return what results depend on: version, settings, columns kept, digests of files.

    The files are models, those of the package and those of options ``model``, and the modules of
    extractors and judges that are not built in, which `settings.parts()` has imported.
    """
    return {
        "version": __version__,
        "settings": json.loads(settings.as_json),
        "keep": list(keep),
        "files": dict(_digests(settings)),
    }


def checked_keep(keep: Sequence[str], formats: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the columns to be kept, each once; InputError for one that the output has itself.

    It has those of renderings whether they are asked for or not, of what articles say of
    themselves those in ``formats``: inputs have titles and tags of their own.
    """
    names = (*RESULT_SCHEMA.names, *FORMATS, *formats)
    own = {name.casefold(): name for name in names}
    for name in keep:
        if name.casefold() in own:
            raise InputError(
                f"--keep {shown(name)}: the output has a column {own[name.casefold()]} of its own; "
                f"leave it out, or rename it in the input"
            )
    kept = tuple(dict.fromkeys(keep))
    if len({name.casefold() for name in kept}) < len(kept):
        raise InputError("--keep: two columns differ in case alone; leave one out")
    return kept


def check_same(output: str, there: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Raise InputError where results were made with something else, which it names."""
    found = list(differences(there, now))
    if found:
        more = f" and {len(found) - TOLD} more" if len(found) > TOLD else ""
        raise InputError(
            f"{shown(output)} was made with another {', another '.join(found[:TOLD])}{more}: use "
            f"the same, or another output folder, or --overwrite to discard what is there"
        )


def differences(there: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield what differs between two things that `made_with` returned, in words."""
    for part in ("settings", "files"):
        was, is_now = (one.get(part) or {} for one in (there, now))
        for name in sorted({*was, *is_now}):
            if was.get(name) == is_now.get(name):
                continue
            if part == "files":
                yield f"content of {shown(name)}"
            else:
                yield f"{name} ({_brief(was.get(name))}, now {_brief(is_now.get(name))})"
    for name, called in (("version", "version"), ("keep", "--keep")):
        if there.get(name) != now.get(name):
            yield f"{called} ({_brief(there.get(name))}, now {_brief(now.get(name))})"


def _brief(value: object) -> str:
    text = shown(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= 30 else f"{text[:27]}..."


def _digests(settings: ExtractionSettings) -> Iterator[tuple[str, str]]:
    """Yield names and SHA-256 of files; of packages their versions."""
    for model in sorted(files("scrapy_webtext.models").iterdir(), key=lambda one: one.name):
        if model.name.endswith(".json"):
            yield model.name, hashlib.sha256(model.read_bytes()).hexdigest()
    if settings.extractor in PEERS:
        yield from versions_of(settings.extractor)
    for name, known in (
        (settings.extractor, REGISTERED["extractor"]),
        (settings.judge, REGISTERED["judge"]),
    ):
        if name not in known:
            module = name.rpartition(".")[0]
            yield from _digest(f"module {module}", getattr(sys.modules.get(module), "__file__", ""))
    for options in (settings.extractor_options, settings.judge_options):
        path = options.get("model")
        if isinstance(path, str | PathLike):
            yield from _digest(fspath(path), fspath(path))


def _digest(name: str, path: str) -> Iterator[tuple[str, str]]:
    # What is no file has the extractor's own say.
    with suppress(OSError, ValueError, InputError), open_input(Path(path)) as file:
        yield name, digest(file)
