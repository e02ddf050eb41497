"""What tests have a worker do: all that an extractor can do wrong in a thread or a process."""

import asyncio
import concurrent.futures
import ctypes
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, NoReturn

from scrapy_webtext.worker import Worker

SETUPS: list[str] = []


def square(number: int) -> int:
    return number * number


def hang(seconds: float) -> None:
    time.sleep(seconds)


def who() -> int:
    return os.getpid()


def echo(thing: Any) -> Any:
    return thing


def load(name: str, seconds: float = 0.0) -> str:
    """A setup."""
    time.sleep(seconds)
    SETUPS.append(name)
    return f"model {name}"


def setups(model: Any = None) -> list[str]:
    """The setups of this worker so far, and what is passed to the call."""
    return [*SETUPS, model] if model else list(SETUPS)


def die(code: int) -> None:
    os._exit(code)


def crash() -> None:
    ctypes.string_at(0)


def leave() -> None:
    raise SystemExit(3)


def interrupt() -> None:
    raise KeyboardInterrupt


def exhaust() -> Any:
    return next(iter(()))


def raise_cancelled() -> None:
    raise concurrent.futures.CancelledError


def raise_cancelled_of_asyncio() -> None:
    raise asyncio.CancelledError


class TwoWordsError(Exception):
    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} {two}")


def fail_with_two_words() -> None:
    raise TwoWordsError("a", "b")


class TextError(Exception):
    def __reduce__(self) -> Any:
        return (str, ("no error",))


def fail_with_a_text() -> None:
    raise TextError("x")


def unpicklable() -> Any:
    return threading.Lock()


class Unreadable:
    """Goes wrong where it is unpickled, but for the process that is named."""

    def __init__(self, how: str, spares: int = 0) -> None:
        self.how = how
        self.spares = spares

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if os.getpid() == self.spares:
            return
        if self.how == "raise":
            raise ValueError("cannot be read")
        if self.how == "exit":
            raise SystemExit(3)
        os._exit(5)


def unreadable(how: str) -> Unreadable:
    return Unreadable(how, os.getpid())


def talk() -> str:
    """Write wherever a program can, and read."""
    print("of print")
    os.write(1, b"of the system\n")
    subprocess.run([sys.executable, "-c", "print('of a program')"], check=True)
    try:
        return input()
    except EOFError:
        return "end of input"


def close_all_files() -> None:
    os.closerange(0, 1000)


def fork_and_return() -> int:
    os.fork()
    return os.getpid()


def fork_and_die() -> None:
    if os.fork() == 0:
        time.sleep(600)
    os._exit(3)


def fork_unheard_and_die() -> None:
    """Leave a process behind that holds all files, past what Python does at a fork."""
    if ctypes.CDLL(None).fork() == 0:
        time.sleep(600)
    os._exit(4)


def end_the_group() -> None:
    os.kill(0, signal.SIGKILL)


def stop() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def run_a_program(pid_file: str) -> None:
    program = subprocess.Popen(["sleep", "600"])
    Path(pid_file).write_text(str(program.pid))
    program.wait()


def leave_a_thread() -> int:
    threading.Thread(target=time.sleep, args=(600,)).start()
    return os.getpid()


def want_signals() -> int:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    return os.getpid()


def backtrack() -> None:
    """Hang with the interpreter locked."""
    re.match(r"(a+)+$", "a" * 60 + "b")


def modules() -> set[str]:
    return {name.partition(".")[0] for name in sys.modules} | set(sys.modules)


def in_a_process_of_its_own(queue: Any) -> NoReturn:
    """For a process that may have no children, as multiprocessing has it."""
    one = Worker("process", 30)
    queue.put(one.submit(square, 3).result(60))
    one.close()
    sys.exit()
