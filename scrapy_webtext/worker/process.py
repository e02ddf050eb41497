"""Calls made in a process of their own: a fresh interpreter that knows the crawler's modules."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from io import FileIO
from queue import SimpleQueue
from threading import Thread
from time import monotonic, sleep
from typing import Final

from scrapy_webtext.errors import WorkerDiedError
from scrapy_webtext.worker.call import Answer, Call, Event, Message
from scrapy_webtext.worker.channel import Channel, pack_call, unpack_answer
from scrapy_webtext.worker.serve import LEAVE_SECONDS

Calls = SimpleQueue[tuple[int, Call] | None]

#: Seconds that the system may take to end a process that is killed; then it is left to it.
KILL_SECONDS: Final = 5.0

#: Seconds between looks whether a process has left.
LOOK_SECONDS: Final = 0.01

#: Not ``-m``: the package is looked for where the crawler found it, and the folder that the
#: crawler was started in must not hide modules that it does not hide there.
BOOTSTRAP: Final = (
    "import sys; sys.path[:] = sys.argv[1:]; del sys.argv[1:]; "
    "from scrapy_webtext.worker import serve; serve.main()"
)


class ProcessBackend:
    """Makes calls in another process; says what came of each to ``inbox``.

    A thread talks to the process, since pipes cannot be waited for with a limit on all systems.
    """

    def __init__(self, inbox: SimpleQueue[Message | None]) -> None:
        self._calls: Calls = SimpleQueue()
        self._process = _started()
        incoming, outgoing = self._process.stdout, self._process.stdin
        assert isinstance(incoming, FileIO)
        assert isinstance(outgoing, FileIO)
        channel = Channel(incoming, outgoing)
        self._thread = Thread(
            target=_exchange,
            args=(channel, self._calls, inbox),
            name="webtext-channel",
            daemon=True,
        )
        try:
            self._thread.start()
        except BaseException:
            self._kill()
            channel.close()
            raise

    def start(self, number: int, call: Call) -> None:
        """Send a call."""
        self._calls.put((number, call))

    def is_alive(self) -> bool:
        """Whether the process runs and is listened to."""
        return not self._has_ended() and self._thread.is_alive()

    def end(self, at_once: bool) -> str:
        """Kill the process, or first let it leave by itself; return how it ended."""
        self._calls.put(None)  # closes the pipes, by which the process knows
        until = monotonic() + (0.0 if at_once else LEAVE_SECONDS)
        while not self._has_ended() and monotonic() < until:
            sleep(LOOK_SECONDS)
        self._kill()
        return f"the worker process {_ending(self._process.returncode)}"

    def _has_ended(self) -> bool:
        """Whether the process ended; not reaped where that can be, so that its id stays its own."""
        if sys.platform in ("win32", "darwin") or self._process.returncode is not None:
            return self._process.poll() is not None
        try:
            how = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, self._process.pid, how) is not None
        except ChildProcessError:  # somebody else has waited for it
            return True

    def _kill(self) -> None:
        """Kill the process, if it lives, and the programs that it started."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if sys.platform == "win32":
                    self._process.kill()
                else:
                    os.killpg(self._process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(KILL_SECONDS)


def _started() -> subprocess.Popen[bytes]:
    """Start the interpreter; a group of its own keeps Ctrl-C, and what it kills, to itself."""
    if not sys.executable or getattr(sys, "frozen", False):
        raise WorkerDiedError(
            "a worker process needs a Python interpreter to start, and sys.executable names none: "
            'use the executor "thread"'
        )
    # As multiprocessing does; the same interpreter with -O, -X utf8, -W and the like.
    flags: list[str] = getattr(subprocess, "_args_from_interpreter_flags", list)()
    if sys.version_info >= (3, 11):
        flags.append("-P")
    paths = [path for path in sys.path if isinstance(path, str)]
    try:
        return subprocess.Popen(
            [sys.executable, *flags, "-c", BOOTSTRAP, *paths],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    except OSError as error:
        raise WorkerDiedError(f"the worker process cannot be started: {error}") from error


def _exchange(channel: Channel, calls: Calls, inbox: SimpleQueue[Message | None]) -> None:
    with contextlib.closing(channel):
        while _exchange_next(channel, calls, inbox):
            pass


# A function of its own: the last call and its page are let go of before the next is waited for.
def _exchange_next(channel: Channel, calls: Calls, inbox: SimpleQueue[Message | None]) -> bool:
    task = calls.get()
    if task is None:
        return False
    number, call = task
    try:
        packed = pack_call(call)
    except BaseException as error:
        inbox.put((number, Answer(None, error)))
        return True
    try:
        channel.send(number, packed)
        del task, call, packed
        while True:
            answered, payload = channel.receive()
            if answered == number and payload:
                inbox.put((number, unpack_answer(payload)))
                return True
            if answered == number:
                inbox.put((number, Event.BEGUN))
    except Exception:  # most likely its end
        inbox.put((number, Event.DIED))
        return False


def _ending(code: int | None) -> str:
    if code is None:
        return "does not end"
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"was ended by {name}" + (", for its memory perhaps" if name == "SIGKILL" else "")
