"""Waiting for a worker's future: under asyncio, Twisted, and both."""

import asyncio
import subprocess
import sys
import threading
from concurrent.futures import Future
from typing import Any

import pytest
from twisted.internet.defer import Deferred

from scrapy_webtext.crawling.awaiting import finished


async def result(future: "Future[Any]") -> Any:
    await finished(future)
    return future.result()


def test_each_waiter_gives_up_for_itself_alone() -> None:
    async def wait() -> None:
        future: Future[int] = Future()
        impatient = asyncio.ensure_future(asyncio.wait_for(result(future), 0.05))
        patient = asyncio.ensure_future(result(future))
        with pytest.raises(asyncio.TimeoutError):
            await impatient
        assert not future.cancelled()
        threading.Timer(0.05, future.set_result, [5]).start()
        assert await asyncio.wait_for(patient, 20) == 5
        assert await result(future) == 5

    asyncio.run(wait())


@pytest.mark.parametrize(
    "error", [ValueError("x"), StopIteration(), asyncio.CancelledError(), SystemExit()]
)
def test_whatever_came_of_a_future_its_waiter_wakes(error: BaseException) -> None:
    async def wait() -> None:
        future: Future[int] = Future()
        threading.Timer(0.05, future.set_exception, [error]).start()
        await asyncio.wait_for(finished(future), 20)
        assert future.exception() is error
        cancelled: Future[int] = Future()
        threading.Timer(0.05, cancelled.cancel).start()
        await asyncio.wait_for(finished(cancelled), 20)

    asyncio.run(wait())


def test_what_ends_after_the_wait_is_not_said(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    given_up: Future[int] = Future()
    left: Future[int] = Future()

    async def wait() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(finished(given_up), 0.01)
        finished(left)
        loop = asyncio.get_running_loop()
        loop.call_soon(finished, left)
        given_up.set_exception(ValueError("late"))
        await asyncio.sleep(0.05)

    asyncio.run(wait())
    left.set_exception(ValueError("after the loop"))
    assert capfd.readouterr() == ("", "")
    assert caplog.text == ""


def test_a_coroutine_that_twisted_runs_on_the_loop_of_asyncio_is_woken() -> None:
    async def wait() -> None:
        loop, future = asyncio.get_running_loop(), Future[int]()
        woken: list[Any] = []
        loop.call_soon(lambda: Deferred.fromCoroutine(result(future)).addCallback(woken.append))
        threading.Timer(0.05, future.set_result, [5]).start()
        for _ in range(200):
            await asyncio.sleep(0.02)
            if woken:
                break
        assert woken == [5]

    asyncio.run(wait())


TWISTED_ALONE = """
import threading
from concurrent.futures import Future
from twisted.internet import selectreactor
selectreactor.install()
from twisted.internet import reactor
from twisted.internet.defer import Deferred
from scrapy_webtext.crawling.awaiting import finished

async def result(future):
    await finished(future)
    return future.result()

future = Future()
impatient = Deferred.fromCoroutine(result(future)).addTimeout(0.05, reactor)
impatient.addErrback(lambda failure: print("impatient", failure.type.__name__))
patient = Deferred.fromCoroutine(result(future)).addCallback(print, "of the patient")
patient.addBoth(lambda _: reactor.stop())
threading.Timer(0.2, future.set_result, [5]).start()
reactor.callLater(20, reactor.stop)
reactor.run()
"""


def test_where_twisted_runs_alone_each_waiter_gives_up_for_itself_alone() -> None:
    done = subprocess.run(
        [sys.executable, "-c", TWISTED_ALONE],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.stdout.split("\n") == ["impatient TimeoutError", "5 of the patient", ""]
    assert done.stderr == ""
