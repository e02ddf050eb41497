"""Calls and answers over a pair of pipes: numbered, each pickled with care for what may fail.

A message is a header (its length, the number of its call) and that many bytes. From the crawler
comes a pickled `Call`; back go an empty message when the function begins, and its answer. What
the user's code made is pickled apart from the answer around it, so that a value or an error that
cannot be read on the other side costs its own call and leaves the channel in order.
"""

from __future__ import annotations

import contextlib
import pickle
import sys
from io import BytesIO, RawIOBase
from struct import Struct
from typing import Any, Final

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.log_text import FramesError, describe, frames_of
from scrapy_webtext.worker.call import Answer, Call

#: Bytes of a call or an answer. 256 MB: fifty times the largest page that is read by default.
#: A larger answer would cost the crawler several times its size.
MAX_BYTES: Final = 256_000_000

#: Names of the script that was started: in its own process, and in processes spawned from it.
MAIN: Final = frozenset({"__main__", "__mp_main__"})

_HEADER: Final = Struct(">QQ")


class Channel:
    """Numbered messages, as bytes. EOFError or OSError where the other side is gone.

    The pipes are unbuffered: buffers have locks, which a thread that hangs would hold.
    """

    def __init__(self, incoming: RawIOBase, outgoing: RawIOBase) -> None:
        self._incoming = incoming
        self._outgoing = outgoing

    def send(self, number: int, payload: bytes) -> None:
        """Send a message; returns when the other side's pipe has it."""
        for part in (_HEADER.pack(len(payload), number), payload):
            left = memoryview(part)
            while left:
                left = left[self._outgoing.write(left) or 0 :]

    def receive(self) -> tuple[int, bytearray]:
        """Return the next message and the number of its call."""
        length, number = _HEADER.unpack(self._read(_HEADER.size))
        if length > 2 * MAX_BYTES:  # what is sent is limited, but for what is around it
            raise OSError(f"a message of {length} bytes: what comes is no message")
        return number, self._read(length)

    def close(self) -> None:
        """Close both pipes."""
        self._outgoing.close()
        self._incoming.close()

    def _read(self, size: int) -> bytearray:
        data = bytearray(size)
        left = memoryview(data)
        while left:
            count = self._incoming.readinto(left)
            if not count:
                raise EOFError("the other side closed the channel")
            left = left[count:]
        return data


def pack_call(call: Call) -> bytes:
    """Return a call as bytes. Raises what pickle raises, and SettingsError for what is in a script.

    A worker process does not run the crawler's script, which would start the crawl again.
    """
    payload = _pickled(call, "call")
    if any(name.encode() in payload for name in MAIN):  # perhaps in the text of a page
        _MainFinder(BytesIO()).dump(call)
    return payload


def unpack_call(payload: bytes | bytearray) -> Call:
    """Return a call from its bytes; imports its function's module."""
    call: Call = pickle.loads(payload)
    return call


def pack_answer(answer: Answer) -> bytes:
    """Return an answer as bytes; one that says why where its value cannot be sent."""
    error, value = answer.error, b""
    if error is None:
        try:
            value = _pickled(answer.value, "result")
        except BaseException as fault:
            error = fault
    if error is None:
        return pickle.dumps((answer.seconds, value, None))
    failure = (_pickled_error(error), describe(error), frames_of(error))
    return pickle.dumps((answer.seconds, b"", failure))


def unpack_answer(payload: bytes | bytearray) -> Answer:
    """Return an answer from its bytes, its error with the places that it came through."""
    seconds, value, failure = pickle.loads(payload)
    if failure is not None:
        return Answer(None, _error(*failure), seconds)
    try:
        return Answer(pickle.loads(value), None, seconds)
    except BaseException as fault:
        message = f"the crawler cannot read what the worker returned: {describe(fault)}"
        return Answer(None, RuntimeError(message), seconds)


def _pickled(thing: Any, what: str) -> bytes:
    payload = pickle.dumps(thing, pickle.HIGHEST_PROTOCOL)
    if len(payload) > MAX_BYTES:
        raise ValueError(
            f"a {what} of {len(payload):,} bytes is too large for a worker process: "
            f"at most {MAX_BYTES:,}"
        )
    return payload


def _pickled_error(error: BaseException) -> bytes:
    """Return an error as bytes, none where it does not survive the journey."""
    try:
        payload = _pickled(error, "error")
        if isinstance(pickle.loads(payload), BaseException):
            return payload
    except BaseException:
        pass
    return b""


def _error(payload: bytes, description: str, places: str) -> BaseException:
    error: BaseException | None = None
    with contextlib.suppress(BaseException):
        error = pickle.loads(payload)
    if not isinstance(error, BaseException):
        error = RuntimeError(description)
    with contextlib.suppress(Exception):  # of a class that lets nothing be set
        error.__cause__ = FramesError(places)
    return error


class _MainFinder(pickle.Pickler):
    """Raises SettingsError where a class or function of the script is pickled."""

    def reducer_override(self, thing: Any) -> Any:
        if getattr(thing, "__module__", None) in MAIN and hasattr(thing, "__qualname__"):
            script = getattr(sys.modules.get("__main__"), "__file__", "no file")
            raise SettingsError(
                f"{thing.__qualname__} is defined in __main__ ({script}), which a worker process "
                f'does not run: move it into a module and import it, or use the executor "thread"'
            )
        return NotImplemented
