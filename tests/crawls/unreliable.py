"""A site on loopback that fails as the web does: the same pages with the same faults each time.

    python -m tests.crawls.unreliable PAGES

Prints its address and serves until its standard input ends. `/index/K` links a hundred pages
`/page/N`; what befalls a page is decided by its number.
"""

import asyncio
import socket
import struct
import sys
import zlib
from collections import Counter
from typing import Final

from tests.kits import hostile

PER_INDEX: Final = 100
#: Of a hundred pages, how many meet which fault; the rest come as they should.
FAULTS: Final = {
    "reset once": 5,  # the connection is reset before the answer, a retry gets it
    "reset in the body once": 3,
    "truncated once": 4,  # fewer bytes than Content-Length says
    "unavailable once": 4,  # 503
    "redirected": 6,
    "redirected to a broken connection once": 1,
    "reset always": 1,
    "truncated always": 1,
    "missing": 2,
    "hostile": 5,  # a page of tests.kits.hostile
    "slow": 2,
}
SENTENCE: Final = (
    "On day {} the ferry crossed the bay, and the keeper of page {} wrote down the wind. "
)


def fault_of(number: int) -> str:
    at = zlib.crc32(b"page %d" % number) % 100
    for name, share in FAULTS.items():
        if at < share:
            return name
        at -= share
    return "none"


def is_list(number: int) -> bool:
    """Every fifth page is a list of links; the others are articles."""
    return number % 5 == 0


def body_of(number: int) -> bytes:
    if fault_of(number) == "hostile":
        pages = ["" if name in hostile.NO_HTML else page for name, page in hostile.SMALL.items()]
        page = pages[number % len(pages)]
        return page if isinstance(page, bytes) else page.encode("utf-8", "replace")
    links = "".join(f"<li><a href='/page/{number}#{k}'>Day {k}</a></li>" for k in range(40))
    if is_list(number):
        about = "".join(f"<div><b>{word}</b></div>" for word in ("Logs", "by day", str(number)))
        return f"<html><body>{about}<ul>{links}</ul></body>".encode()
    days = "".join(
        f"<p>{''.join(SENTENCE.format(4 * k + d, number) for d in range(4))}</p>"
        for k in range(3 + number % 20)
    )
    page = f"<html><body><article><h1>Log</h1>{days}</article><ul>{links}</ul></body>"
    return page.encode()


def index_of(number: int, pages: int) -> bytes:
    first = number * PER_INDEX
    numbers = range(first, min(first + PER_INDEX, pages))
    return "".join(f"<li><a href='/page/{n}'>{n}</a></li>" for n in numbers).encode()


class ResetError(Exception):
    """The connection is to be reset."""


class Server:
    def __init__(self, pages: int) -> None:
        self._pages = pages
        self._visits: Counter[str] = Counter()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await reader.readuntil(b"\r\n\r\n"):
                await self._answer(request.split()[1].decode(), writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()
        except ResetError:
            connection = writer.get_extra_info("socket")
            linger = struct.pack("ii", 1, 0)  # close() then resets instead of ending in order
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            writer.transport.abort()

    async def _answer(self, path: str, writer: asyncio.StreamWriter) -> None:
        kind, number = path.strip("/").split("/")
        self._visits[path] += 1
        if kind == "index":
            send(writer, index_of(int(number), self._pages))
        else:
            fault = fault_of(int(number))
            is_first = self._visits[path] == 1
            await self._page(int(number), fault, kind == "moved", is_first, writer)

    async def _page(
        self, number: int, fault: str, is_moved: bool, is_first: bool, writer: asyncio.StreamWriter
    ) -> None:
        body = body_of(number)
        if fault.startswith("redirected") and not is_moved:
            send(writer, b"", 302, f"Location: /moved/{number}\r\n")
            return
        if fault == "reset always" or (is_first and fault == "reset once"):
            raise ResetError
        if is_first and is_moved and fault == "redirected to a broken connection once":
            raise ResetError
        if fault == "truncated always" or (is_first and fault == "truncated once"):
            send(writer, body[:-9], length=len(body))
            writer.close()
            raise ConnectionAbortedError
        if is_first and fault == "reset in the body once":
            send(writer, body[: len(body) // 2], length=len(body))
            await writer.drain()
            raise ResetError
        if is_first and fault == "unavailable once":
            send(writer, b"<p>Come again.", 503)
        elif fault == "missing":
            send(writer, b"<p>No such page.", 404)
        else:
            if fault == "slow":
                await asyncio.sleep(0.2)
            send(writer, body)


def send(
    writer: asyncio.StreamWriter,
    body: bytes,
    status: int = 200,
    header: str = "",
    length: int | None = None,
) -> None:
    length = len(body) if length is None else length
    head = f"HTTP/1.1 {status} X\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n"
    writer.write(f"{head}{header}\r\n".encode() + body)


async def main(pages: int) -> None:
    server = await asyncio.start_server(Server(pages).serve, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    print(f"http://{host}:{port}", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
