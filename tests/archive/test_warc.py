"""Reading WARC files: what is damaged costs its own record, and no more."""

import gzip
import io
import random
import re
import time
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_webtext.archive.readers import StoredPage, read_warc
from tests.archive import chunked, html, members, packed, record, url, warcinfo

LIMIT = 1_000_000
COUNT = 8


def read(data: bytes, limit: int = LIMIT) -> list[StoredPage]:
    return list(read_warc(io.BytesIO(data), limit))


def numbers(pages: list[StoredPage]) -> list[int]:
    """Which pages were read whole."""
    whole = [page for page in pages if page.error is None]
    found = [int(str(page.url).rpartition("/")[2]) for page in whole]
    for number, page in zip(found, whole, strict=True):
        assert page.body == html(number).encode()
    return found


FORMS: dict[str, Callable[[list[bytes]], bytes]] = {
    "a gzip member per record": lambda records: b"".join(map(gzip.compress, records)),
    "uncompressed": lambda records: b"".join(records),
    "compressed as a whole": lambda records: gzip.compress(b"".join(records)),
    "a member, then all the others in one": lambda records: (
        gzip.compress(records[0]) + gzip.compress(b"".join(records[1:]))
    ),
    "in blocks that are members": lambda records: b"".join(
        map(gzip.compress, blocks(b"".join(records)))
    ),
}


def blocks(data: bytes, size: int = 2000) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


@pytest.mark.parametrize("form", FORMS)
def test_all_pages_are_read_in_order(form: str) -> None:
    records = [warcinfo(), *map(record, range(COUNT))]
    pages = read(FORMS[form](records))
    assert numbers(pages) == list(range(COUNT))
    assert pages[0].content_type == "text/html; charset=utf-8"


@pytest.mark.parametrize("form", FORMS)
def test_what_is_no_page_is_passed_over(form: str) -> None:
    request = b"application/http; msgtype=request"
    records = [
        warcinfo(),
        record(0, kind=b"request", content_type=request),
        record(1, status=b"404 Not Found"),
        record(2, status=b"301 Moved"),
        record(3, headers=b"Content-Type: application/pdf\r\n"),
        record(4, kind=b"metadata", content_type=b"application/warc-fields"),
        record(5, kind=b"response", content_type=b"text/dns"),
        record(6),
    ]
    assert numbers(read(FORMS[form](records))) == [6]


def damage(records: list[bytes], number: int, change: Callable[[bytes], bytes]) -> bytes:
    return b"".join(change(r) if n == number else r for n, r in enumerate(records))


def flip(place: int) -> Callable[[bytes], bytes]:
    return lambda data: data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]


@pytest.mark.parametrize(
    "change",
    [
        flip(0),
        flip(12),
        flip(40),
        flip(-20),
        flip(-6),
        lambda data: data[:100],
        lambda _: b"",
        lambda _: gzip.compress(b"this is no record\r\n\r\n"),
        lambda _: gzip.compress(record(3).replace(b"Content-Length: ", b"Content-Length: 9", 1)),
        lambda _: gzip.compress(record(3).replace(b"Content-Length: ", b"Content-Length: 0", 1)),
        lambda _: gzip.compress(record(3)[:300]),
        lambda _: gzip.compress(record(3) + b"and something else"),
        lambda _: b"\0" * 70_000,
        lambda _: random.Random(1).randbytes(200_000),
    ],
)
def test_a_damaged_member_costs_its_own_page(change: Callable[[bytes], bytes]) -> None:
    pages = read(damage(members(COUNT), 3, change))
    found = numbers(pages)
    assert set(range(COUNT)) - {3} <= set(found)
    assert 3 in found or not change(b"x" * 300) or [p.error for p in pages if p.error]


def test_the_error_says_where_and_whose_page_it_is() -> None:
    records = members(COUNT)
    offset = len(b"".join(records[:3]))
    broken = gzip.compress(record(3)[:300])
    (page,) = [p for p in read(damage(records, 3, lambda _: broken)) if p.error]
    assert page.url == url(3)
    assert page.error == f"record at byte {offset}: it does not end where its header states"


@pytest.mark.parametrize("lost", [12, 50, 200])
def test_a_file_that_ends_early_gives_an_error_for_its_last_page(lost: int) -> None:
    pages = read(b"".join(members(COUNT))[:-lost])
    assert numbers(pages) == list(range(COUNT - 1))
    assert pages[-1].error


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[:-200],
        lambda data: b"garbage" * 500 + data,
        lambda data: data.replace(b"Content-Length: ", b"Content-Length: 1", 1),
        lambda data: data.replace(b"Content-Length: ", b"Content-Length: 99", 1),
        lambda data: re.sub(rb"Content-Length: \d+", b"Content-Length: 200", data),
        lambda data: data.replace(b"Content-Length: ", b"Content-Xength: ", 1),
        lambda data: data.replace(b"WARC/1.0", b"WORK/1.0", 1),
    ],
)
def test_in_an_uncompressed_file_too(change: Callable[[bytes], bytes]) -> None:
    pages = read(damage([record(n) for n in range(COUNT)], 3, change))
    assert set(range(COUNT)) - {3} <= set(numbers(pages))
    assert [page for page in pages if page.error]


def test_a_file_compressed_as_a_whole_is_read_up_to_its_damage() -> None:
    noise = random.Random(2)
    bodies = [noise.randbytes(20_000).hex().encode() for _ in range(COUNT)]
    data = gzip.compress(b"".join(record(n, body) for n, body in enumerate(bodies)))
    pages = read(data[: len(data) // 2])
    assert [page.body for page in pages[:-1]] == bodies[: len(pages) - 1]
    assert len(pages) > 2
    assert "cut off: " in str(pages[-1].error)


def test_a_file_of_something_else_is_an_error() -> None:
    for data in (b"<html>no archive", gzip.compress(b"<html>no archive"), b"\x1f\x8b\x08"):
        (page,) = read(data)
        assert page.error
    assert read(b"") == []


@pytest.mark.parametrize("form", FORMS)
def test_a_page_over_the_limit_is_an_error_and_no_other_page(form: str) -> None:
    records = [record(0), record(1, b"<p>" + b"x" * 200_000), record(2)]
    pages = read(FORMS[form](records), limit=100_000)
    assert numbers(pages) == [0, 2]
    assert pages[1] == StoredPage(url(1), error="too large: over 100000 bytes")
    assert len(read(FORMS[form](records), limit=0)) == 3


def stacked(data: bytes) -> bytes:
    return chunked(packed("br", [gzip.compress(data)]))


@pytest.mark.parametrize(
    ("headers", "encode"),
    [
        ("Content-Encoding: gzip", gzip.compress),
        ("Content-Encoding: deflate", zlib.compress),
        ("Content-Encoding: deflate", lambda data: zlib.compress(data)[2:-4]),  # without its header
        ("Content-Encoding: br", lambda data: packed("br", [data])),
        ("Content-Encoding: zstd", lambda data: packed("zstd", [data])),
        ("Transfer-Encoding: chunked", chunked),
        ("Content-Encoding: gzip, br\r\nTransfer-Encoding: chunked", stacked),
        ("Content-Encoding: gzip\r\nContent-Encoding: br\r\nTransfer-Encoding: chunked", stacked),
        # Stored decoded, with the headers as they came.
        *((f"Content-Encoding: {name}", bytes) for name in ("gzip", "deflate", "br", "zstd")),
        ("Content-Encoding: utf-8", bytes),
        ("Transfer-Encoding: chunked", bytes),
        ("Content-Encoding: gzip\r\nTransfer-Encoding: chunked", chunked),
        ("Content-Encoding: gzip\r\nTransfer-Encoding: chunked", gzip.compress),
    ],
)
def test_codings_are_undone_where_they_are_there(
    headers: str, encode: Callable[[bytes], bytes]
) -> None:
    lines = f"Content-Type: text/html\r\n{headers}\r\n".encode()
    stored = record(5, encode(html(5).encode()), headers=lines)
    assert numbers(read(gzip.compress(stored))) == [5]


PAGE = b"".join(b"%d <p>%d</p>" % (n, n * 7919 % 10007) for n in range(50_000))


def read_coded(body: bytes, codings: str, limit: int = LIMIT) -> StoredPage:
    name = "Transfer" if codings == "chunked" else "Content"
    lines = f"Content-Type: text/html\r\n{name}-Encoding: {codings}\r\n".encode()
    (page,) = read(record(1, body, headers=lines), limit)
    return page


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "chunked"])
def test_a_damaged_body_is_read_as_far_as_it_goes(coding: str) -> None:
    body = chunked(PAGE) if coding == "chunked" else packed(coding, [PAGE])
    found = read_coded(body[: len(body) * 2 // 3], coding).body
    assert found is not None
    assert len(found) > len(PAGE) // 3
    assert PAGE.startswith(found)


@pytest.mark.parametrize("coding", ["br", "zstd"])
def test_a_body_of_which_nothing_reads_is_an_error(coding: str) -> None:
    page = read_coded(packed(coding, [PAGE])[:30], coding)
    assert str(page.error).endswith(f"its content coding {coding} does not read")


def test_bombs_in_bombs_are_bounded() -> None:
    body = packed("gzip", [packed("gzip", [packed("gzip", []) * 1_000_000])])
    began = time.perf_counter()
    assert read_coded(body, "gzip, gzip, gzip").error == f"too large: over {LIMIT} bytes"
    assert time.perf_counter() - began < 2
    error = read_coded(body, "gzip" + ", gzip" * 5).error
    assert "6 codings, one on top of the other" in str(error)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (record(1, headers=b"") + record(2, b"%PDF-1.4", headers=b""), [1]),
        (record(1, kind=b"resource", content_type=b"text/html"), [1]),
        (record(1, kind=b"resource", content_type=b"image/png"), []),
        (record(1).replace(url(1).encode(), b"<" + url(1).encode() + b">"), [1]),
    ],
)
def test_pages_are_known_by_type_or_beginning(data: bytes, found: list[int]) -> None:
    assert numbers(read(data)) == found


WHOLE = {
    "members": b"".join(members(4)),
    "plain": b"".join(record(number) for number in range(4)),
}


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(WHOLE)), st.data())
def test_whatever_is_damaged_no_page_is_made_up(form: str, data: st.DataObject) -> None:
    whole = WHOLE[form]
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, len(whole)))
    broken = whole[:start] + data.draw(st.binary(max_size=50)) + whole[end:]
    pages = read(broken)
    if form == "members":  # whose checksums tell
        numbers(pages)
    assert len(pages) <= 12


@pytest.mark.parametrize("form", ["uncompressed", "a gzip member per record"])
@pytest.mark.parametrize("place", [0, 3])
@pytest.mark.parametrize("stated", [500, 5_000, 2_000_000, 10**15])
def test_a_wrong_length_costs_its_own_page(form: str, place: int, stated: int) -> None:
    records = [record(number) for number in range(COUNT)]
    records[place] = re.sub(rb"Length: \d+", b"Length: %d" % stated, records[place])
    pages = read(FORMS[form](records))
    assert numbers(pages) == [number for number in range(COUNT) if number != place]
    assert [page.error is None for page in pages].index(False) == place


def test_pages_after_one_over_the_limit_are_read_from_the_same_member() -> None:
    large = record(1, random.Random(4).randbytes(100_000).hex().encode())
    data = gzip.compress(warcinfo()) + gzip.compress(large + record(2)) + gzip.compress(record(3))
    pages = read(data, limit=50_000)
    assert numbers(pages) == [2, 3]
    assert pages[0].error == "too large: over 50000 bytes"
    image = record(1, bytes(200_000), headers=b"Content-Type: image/png\r\n")
    assert numbers(read(gzip.compress(image) + gzip.compress(record(2)), limit=100_000)) == [2]


def test_headers_that_are_asked_for_are_kept() -> None:
    data = warcinfo() + record(1) + record(2, b"<p>" + b"x" * LIMIT) + b"garbage"
    pages = list(read_warc(io.BytesIO(data), LIMIT, ["warc-date", "WARC-Record-ID", "X-None"]))
    assert [page.kept for page in pages] == [
        ("2024-01-01T00:00:00Z", "<urn:uuid:1>", None),
        ("2024-01-01T00:00:00Z", "<urn:uuid:2>", None),
        (),
    ]


@pytest.mark.parametrize(
    "headers",
    [
        b"\xff\xfe: \xff\r\nContent-Type: text/html\r\n",
        b"no colon\r\n folded\r\nContent-Type: text/html\r\n",
        b"Content-Type: text/html\r\n" + b"X: y\r\n" * 4_000,
        b"Content-Type: text/html\r\nContent-Encoding: " + b"gzip," * 4_000 + b"br\r\n",
        b"Content-Type: text/html\r\nX: " + b"y" * 70_000 + b"\r\n",
    ],
)
def test_odd_headers_cost_no_other_page(headers: bytes) -> None:
    data = record(1) + record(2, headers=headers) + record(3)
    pages = read(data)
    assert {1, 3} <= set(numbers(pages))
    assert len(pages) == 3
