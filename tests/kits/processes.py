"""Run commands and modules in a new process; find a port for a server."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any


def python(*arguments: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    """Run this interpreter and return its output; AssertionError if it fails."""
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        **{"timeout": 300, **options},
    )
    assert done.returncode == 0, done.stderr
    assert "DeprecationWarning" not in done.stderr, done.stderr
    return done


def report_of(module: str, *arguments: str, **options: Any) -> Any:
    """Run a module and return the JSON that it prints."""
    return json.loads(python("-m", module, *arguments, **options).stdout)


def free_port() -> int:
    """Return a port of loopback that nothing uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(get: Callable[[], Any], seconds: float = 600) -> Any:
    """Return the first true value; AssertionError if none comes. An OSError is no value."""
    deadline = time.monotonic() + seconds
    while True:
        with suppress(OSError):
            if found := get():
                return found
        assert time.monotonic() < deadline, "nothing came in time"
        time.sleep(0.1)
