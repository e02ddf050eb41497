"""The output folder of a run: locked while the run is on, with the manifest of what it holds.

Beside the parts it has the hidden folder ``.webtext``::

    manifest.json   what the parts were made with, and of which inputs
    lock            is there while a run is on
    RUN/            parts in the making, of the run of this name
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from scrapy_webtext.errors import InputError
from scrapy_webtext.log_text import shown

#: Windows has none of it: there, two runs on one folder are not told apart.
fcntl: Any = import_module("fcntl") if os.name == "posix" else None

STATE: Final = ".webtext"


@contextmanager
def claimed(output: str) -> Iterator[OutputFolder]:
    """Give the output folder, made if need be, which is this run's alone until the end.

    InputError where it cannot be written to, or while another run is on. The lock goes with its
    process, however that ends.
    """
    path = Path(os.path.realpath(output))
    try:
        state = path / STATE
        state.mkdir(parents=True, exist_ok=True)
        lock = _lock(state / "lock", output)
    except OSError as error:
        raise InputError(
            f"{shown(output)} cannot be written to: {error.strerror or error}"
        ) from None
    folder = OutputFolder(path, uuid.uuid4().hex[:12])
    try:
        folder.begin()
        yield folder
    finally:
        folder.end()
        _unlock(state / "lock", lock)


class OutputFolder:
    """A folder that this run alone writes to."""

    def __init__(self, path: Path, run: str) -> None:
        self.path = path
        self.run = run
        self._state = path / STATE
        self.workspace = self._state / run  #: of parts in the making

    def begin(self) -> None:
        """Make the workspace; those of runs that were killed go."""
        for left in self._state.iterdir():
            if left.is_dir() and not left.is_symlink():
                shutil.rmtree(left, ignore_errors=True)
        self.workspace.mkdir()

    def end(self) -> None:
        """Take the workspace away: whoever still makes a part cannot put it into place."""
        shutil.rmtree(self.workspace, ignore_errors=True)

    def read_manifest(self) -> dict[str, Any] | None:
        """Return the manifest, None where there is none; InputError for one that is damaged."""
        path = self._state / "manifest.json"
        try:
            manifest = json.loads(path.read_bytes())
            if not isinstance(manifest["made_with"], dict) or not isinstance(
                manifest["parts"], dict
            ):
                raise TypeError
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            raise InputError(
                f"{shown(str(path))} is damaged: choose another output folder, or --overwrite to "
                f"discard what is there"
            ) from None
        return dict(manifest)

    def write_manifest(self, manifest: Mapping[str, Any]) -> None:
        """Write the manifest, whole or not at all."""
        partial = self.workspace / "manifest"
        with partial.open("w", encoding="ascii") as file:
            json.dump(manifest, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(self._state / "manifest.json")


def _lock(path: Path, output: str) -> int:
    """Return the descriptor that holds the lock; InputError where another process does."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
        try:
            if _is_locked(descriptor):
                holder = shown(os.read(descriptor, 200).decode("utf-8", "replace").strip())
                raise InputError(
                    f"Another run works on {shown(output)} ({holder or 'just begun'}): wait for "
                    f"its end, or choose another output folder"
                )
            # Whoever had it before may have taken the file away in the meantime.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), path.lstat()):
                    os.truncate(descriptor, 0)
                    os.write(
                        descriptor, f"process {os.getpid()} on {socket.gethostname()}".encode()
                    )
                    return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _unlock(path: Path, descriptor: int) -> None:
    with suppress(OSError):  # of a folder that was taken away
        if os.path.samestat(os.fstat(descriptor), path.lstat()):
            path.unlink()
    os.close(descriptor)


def _is_locked(descriptor: int) -> bool:
    """Whether another process has the lock; if not, this one has it now."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # a file system without locks
        return False
    return False
