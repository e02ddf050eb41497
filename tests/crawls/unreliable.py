"""A site on loopback with the faults of real sites; a page has the same fault each time.

`/index/K` links a hundred pages `/page/N`; the number of a page decides its fault.
"""

import asyncio
import socket
import struct
import threading
import zlib
from collections import Counter
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final

from tests.kits import hostile

PER_INDEX: Final = 100
#: Fault -> its number in a hundred pages; the other pages have none.
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
    """Return whether a page is a list of links, as every fifth is; the others are articles."""
    return number % 5 == 0


def hostile_name(number: int) -> str:
    """Return the name of a hostile page in `tests.kits.hostile`."""
    return list(hostile.SMALL)[number % len(hostile.SMALL)]


def body_of(number: int) -> bytes:
    if fault_of(number) == "hostile":
        name = hostile_name(number)
        page = "" if name in hostile.NO_HTML else hostile.SMALL[name]
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
    """The server resets the connection."""


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
        is_first, is_moved = self._visits[path] == 1, kind == "moved"
        if kind == "index":
            send(writer, index_of(int(number), self._pages))
            return
        fault, body = fault_of(int(number)), body_of(int(number))
        if fault.startswith("redirected") and not is_moved:
            send(writer, b"", 302, f"Location: /moved/{number}\r\n")
        elif (
            fault == "reset always"
            or (is_first and fault == "reset once")
            or (is_first and is_moved and fault == "redirected to a broken connection once")
        ):
            raise ResetError
        elif fault == "truncated always" or (is_first and fault == "truncated once"):
            send(writer, body[:-9], length=len(body))
            writer.close()
            raise ConnectionAbortedError
        elif is_first and fault == "reset in the body once":
            send(writer, body[: len(body) // 2], length=len(body))
            await writer.drain()
            raise ResetError
        elif is_first and fault == "unavailable once":
            send(writer, b"<p>Come again.", 503)
        elif fault == "missing":
            send(writer, b"<p>No such page.", 404)
        else:
            await asyncio.sleep(0.2 if fault == "slow" else 0)
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


async def serve(pages: int, tell: Callable[[str], object]) -> None:
    server = await asyncio.start_server(Server(pages).serve, "127.0.0.1", 0)
    tell(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    await server.serve_forever()


def start(pages: int) -> str:
    """Start the site in a thread that ends with the process; return its address."""
    addresses = SimpleQueue[str]()
    serving = serve(pages, addresses.put)
    threading.Thread(target=asyncio.run, args=(serving,), daemon=True).start()
    return addresses.get()
