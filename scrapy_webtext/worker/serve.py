"""The worker process: makes the calls that come from the crawler, until the crawler is gone.

It is started clean (`process.py`): the crawler's script is not run here, and neither Scrapy nor
Twisted is imported unless the user's code does. The pipes to the crawler are taken away from
stdin and stdout first: user code reads nothing, and what it prints goes to stderr.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from queue import SimpleQueue
from threading import Thread
from types import ModuleType
from typing import Final, NoReturn

from scrapy_webtext.worker.call import Answer, Setups, perform
from scrapy_webtext.worker.channel import Channel, pack_answer, unpack_call

#: Seconds that a process has to leave by itself once it is told so: for what it cleans up at exit.
LEAVE_SECONDS: Final = 2.0

#: prctl(2): the signal that the kernel sends when the parent is gone.
PR_SET_PDEATHSIG: Final = 1


def main() -> None:
    """Serve the crawler that started this process."""
    _end_with_crawler()
    channel = _take_channel()
    _say_what_main_is()
    calls: SimpleQueue[tuple[int, bytearray] | None] = SimpleQueue()
    Thread(target=_listen, args=(channel, calls), name="webtext-channel", daemon=True).start()
    answers = _Answers(channel)
    setups = Setups()
    while (call := calls.get()) is not None:
        _serve(*call, setups, answers)
        del call


class _Answers:
    """The way back to the crawler, for this process and none that it forks."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._owner = os.getpid()

    def send(self, number: int, payload: bytes) -> None:
        if os.getpid() != self._owner:  # a fork that came back from the user's code
            os._exit(0)
        try:
            self._channel.send(number, payload)
        except OSError as error:
            print(f"webtext: the worker cannot answer the crawler: {error}", file=sys.stderr)
            os._exit(1)


def _serve(number: int, payload: bytearray, setups: Setups, answers: _Answers) -> None:
    _ignore_signals()
    try:
        call = unpack_call(payload)
    except BaseException as error:
        answer = Answer(None, error)
    else:
        answer = perform(call, setups, lambda: answers.send(number, b""))
    answers.send(number, pack_answer(answer))


def _listen(channel: Channel, calls: SimpleQueue[tuple[int, bytearray] | None]) -> NoReturn:
    """Pass calls on. When the crawler is gone, leave, at the latest after LEAVE_SECONDS."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            calls.put(channel.receive())
    calls.put(None)
    time.sleep(LEAVE_SECONDS)
    os._exit(1)


def _take_channel() -> Channel:
    """Return the channel that was stdin and stdout; these are devnull and stderr from now on."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # started without stderr
        os.dup2(nothing, 1)
    os.close(nothing)
    sys.stdout = sys.stderr

    def close_in_fork() -> None:  # the crawler waits for the last process that holds the pipes
        os.close(incoming)
        os.close(outgoing)

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=close_in_fork)
    return Channel(open(incoming, "rb", buffering=0), open(outgoing, "wb", buffering=0))


def _ignore_signals() -> None:
    """What stops a program is for the crawler, who ends us. Before each call: it may undo this."""
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: None)  # SIG_IGN would be inherited by programs started here


def _end_with_crawler() -> None:
    """Have the kernel end this process with the crawler's, where it can.

    The end of the pipe says the same everywhere, but nobody hears it while C code hangs with the
    interpreter locked.
    """
    if sys.platform == "linux":
        with contextlib.suppress(Exception):
            import ctypes

            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _say_what_main_is() -> None:
    """Explain ourselves to code that looks in ``__main__`` for what the crawler's script has."""

    def missing(name: str) -> NoReturn:
        raise AttributeError(
            f"a worker process does not run the crawler's script, so its __main__ has no {name!r}: "
            f'move it into a module and name it by that, or use the executor "thread"'
        )

    module: ModuleType = sys.modules["__main__"]
    module.__dict__["__getattr__"] = missing
