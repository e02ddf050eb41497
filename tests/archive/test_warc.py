"""WARC files: a damaged record is an error, and all other pages are read."""

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
from tests.archive import chunked, html, members, packed, record, url

LIMIT = 1_000_000
COUNT = 8
OTHERS = [number for number in range(COUNT) if number != 3]


def read(data: bytes, limit: int = LIMIT) -> list[StoredPage]:
    return list(read_warc(io.BytesIO(data), limit))


def numbers(pages: list[StoredPage]) -> list[int]:
    """Return the numbers of the pages that were read without an error."""
    whole = [page for page in pages if page.error is None]
    found = [int(str(page.url).rpartition("/")[2]) for page in whole]
    assert [page.body for page in whole] == [html(number).encode() for number in found]
    return found


def blocks(data: bytes, size: int = 2000) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


#: The member with which bgzip ends a file.
EMPTY = bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000")

FORMS: dict[str, Callable[[list[bytes]], bytes]] = {
    "members": lambda records: b"".join(map(gzip.compress, records)),
    "plain": lambda records: b"".join(records),
    "compressed as a whole": lambda records: gzip.compress(b"".join(records)),
    "a member, then all the others in one": lambda records: (
        gzip.compress(records[0]) + gzip.compress(b"".join(records[1:]))
    ),
    "with empty members, as of bgzip": lambda records: EMPTY.join(
        map(gzip.compress, [b"", *records, b""])
    ),
    "frames of zstd": lambda records: b"".join(packed("zstd", [one]) for one in records),
    "in blocks that are members": lambda records: b"".join(
        map(gzip.compress, blocks(b"".join(records)))
    ),
}

WARCINFO = (
    b"WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
    b"WARC-Record-ID: <urn:uuid:info>\r\nContent-Type: application/warc-fields\r\n"
    b"Content-Length: 14\r\n\r\nsoftware: hand\r\n\r\n"
)
KINDS = [
    WARCINFO,
    record(0),
    record(9, kind=b"request", content_type=b"application/http; msgtype=request"),
    record(9, status=b"404 Not Found"),
    record(9, status=b"301 Moved"),
    record(9, headers=b"Content-Type: application/pdf\r\n"),
    record(9, b"%PDF-1.4", headers=b""),
    record(9, bytes(200_000), headers=b"Content-Type: image/png\r\n"),
    record(9, kind=b"metadata", content_type=b"application/warc-fields"),
    record(9, kind=b"response", content_type=b"text/dns"),
    record(9, kind=b"resource", content_type=b"image/png"),
    record(1, headers=b""),
    record(2, kind=b"resource", content_type=b"text/html"),
    record(3).replace(url(3).encode(), b"<" + url(3).encode() + b">"),
]


@pytest.mark.parametrize("form", FORMS)
def test_pages_are_read_in_order_and_other_records_skipped(form: str) -> None:
    pages = read(FORMS[form](KINDS), limit=100_000)
    assert numbers(pages) == [0, 1, 2, 3]
    assert [page.content_type for page in pages] == [
        "text/html; charset=utf-8", None, "text/html", "text/html; charset=utf-8",
    ]  # fmt: skip


def test_lines_of_headers_may_end_with_lf_alone() -> None:
    def with_lf(number: int) -> bytes:
        head, http, body = record(number, b"<p>\r\n\r\n</p>").split(b"\r\n\r\n", 2)
        block = http.replace(b"\r\n", b"\n") + b"\n\n" + body[:-4]
        head = re.sub(rb"Length: \d+", b"Length: %d" % len(block), head).replace(b"\r\n", b"\n")
        return head + b"\n\n" + block + b"\n\n"

    records = [with_lf(0), record(1), with_lf(2), b"damaged\n\n", with_lf(3)]
    for form in ("members", "plain"):
        pages = read(FORMS[form](records))
        assert [page.url for page in pages] == [url(0), url(1), url(2), None, url(3)]
        assert pages[0].body == b"<p>\r\n\r\n</p>"
        assert pages[3].error is not None


def test_a_type_is_needed_and_no_content_type() -> None:
    untyped = record(1).replace(b"WARC-Type", b"X-Type")
    pages = read(untyped + record(2).replace(b"Content-Type", b"X-Type", 1))
    assert numbers(pages) == [2]
    assert "no WARC-Type" in str(pages[0].error)


def test_a_segment_of_a_page_is_an_error() -> None:
    first = record(1).replace(b"\r\n", b"\r\nWARC-Segment-Number: 1\r\n", 1)
    pages = read(record(0) + first + record(1, kind=b"continuation") + record(2))
    assert numbers(pages) == [0, 2]
    assert "a segment of a page" in str(pages[1].error)
    assert pages[1].url == url(1)


def flip(place: int) -> Callable[[bytes], bytes]:
    return lambda data: data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]


#: Functions that damage a record or its gzip member.
BROKEN: list[Callable[[bytes], bytes]] = [
    lambda data: data[:300],
    lambda data: data + b"and something else",
    lambda data: b"garbage" * 500 + data,
    lambda data: data.replace(b"Content-Length: ", b"Content-Xength: ", 1),
    lambda data: data.replace(b"WARC/1.0", b"WORK/1.0", 1),
    lambda _: b"this is no record\r\n\r\n",
]
BROKEN_MEMBERS: list[Callable[[bytes], bytes]] = [
    *map(flip, (0, 12, 40, -20, -6)),
    lambda data: data[:100],
    lambda _: b"\0" * 70_000,
    lambda _: random.Random(1).randbytes(200_000),
]
DAMAGED = [
    *(b"".join([*members(3), broken(members(4)[3]), *members(COUNT)[4:]])
      for broken in BROKEN_MEMBERS),
    b"".join([*members(3), EMPTY, members(4)[3][:100], EMPTY, *members(COUNT)[4:]]),
    *(FORMS[form]([*map(record, range(3)), broken(record(3)), *map(record, range(4, COUNT))])
      for form in ("members", "plain") for broken in BROKEN),
]  # fmt: skip


@pytest.mark.parametrize("data", DAMAGED)
def test_a_damaged_record_is_the_only_page_lost(data: bytes) -> None:
    pages = read(data)
    assert [number for number in numbers(pages) if number != 3] == OTHERS
    assert len([page for page in pages if page.error]) == 1


def test_a_damaged_block_of_bgzip_loses_the_records_in_it() -> None:
    packed_blocks = list(map(gzip.compress, blocks(b"".join(map(record, range(30))))))
    at = len(packed_blocks) // 2
    packed_blocks[at] = flip(40)(packed_blocks[at])
    pages = read(b"".join(packed_blocks))
    assert 27 <= len(numbers(pages)) < 30
    assert [page.error is None for page in pages].count(False) == 1


@pytest.mark.parametrize("form", ["members", "plain"])
@pytest.mark.parametrize("place", [0, 3])
@pytest.mark.parametrize("stated", [500, 5_000, 2_000_000, 10**15])
def test_a_record_of_wrong_length_is_the_only_page_lost(form: str, place: int, stated: int) -> None:
    records = [record(number) for number in range(COUNT)]
    records[place] = re.sub(rb"Length: \d+", b"Length: %d" % stated, records[place])
    pages = read(FORMS[form](records))
    assert numbers(pages) == [number for number in range(COUNT) if number != place]
    assert [page.error is None for page in pages].index(False) == place


def test_the_error_has_the_offset_and_the_address() -> None:
    before = b"".join(members(3))
    (page,) = read(before + gzip.compress(record(3)[:300]) + gzip.compress(record(4)))[3:4]
    message = f"record at byte {len(before)}: it does not end where its header says"
    assert page == StoredPage(url(3), error=message)


@pytest.mark.parametrize("lost", [12, 50, 200])
def test_a_file_that_ends_early_gives_an_error_for_its_last_page(lost: int) -> None:
    pages = read(b"".join(members(COUNT))[:-lost])
    assert numbers(pages) == list(range(COUNT - 1))
    assert pages[-1].error


def test_a_file_compressed_as_a_whole_is_read_up_to_its_damage() -> None:
    noise = random.Random(2)
    bodies = [noise.randbytes(20_000).hex().encode() for _ in range(COUNT)]
    data = gzip.compress(b"".join(record(n, body) for n, body in enumerate(bodies)))
    pages = read(data[: len(data) // 2])
    assert [page.body for page in pages[:-1]] == bodies[: len(pages) - 1]
    assert len(pages) > 2
    assert "cut off" in str(pages[-1].error)


def test_zstd_is_read_up_to_its_damage() -> None:
    data = FORMS["frames of zstd"](list(map(record, range(COUNT))))
    *pages, fault, lost = read(data[: len(data) // 2] + b"garbage" + data[len(data) // 2 :])
    assert numbers(pages) == list(range(len(pages)))
    assert COUNT // 2 - 1 <= len(pages) < COUNT
    assert fault.error
    assert " on is lost" in str(lost.error)


def test_a_file_of_something_else_is_an_error() -> None:
    for data in (b"<html>no archive", gzip.compress(b"<html>no archive"), b"\x1f\x8b\x08"):
        (page,) = read(data)
        assert page.error
    assert read(b"") == []


WHOLE = {form: FORMS[form](list(map(record, range(4)))) for form in ("members", "plain")}


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(WHOLE)), st.data())
def test_no_damage_adds_a_page(form: str, data: st.DataObject) -> None:
    whole = WHOLE[form]
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, len(whole)))
    pages = read(whole[:start] + data.draw(st.binary(max_size=50)) + whole[end:])
    if form == "members":  # their checksums show damage
        numbers(pages)
    assert len(pages) <= 12


@pytest.mark.parametrize("form", FORMS)
def test_a_page_over_the_limit_is_an_error_and_no_other_page(form: str) -> None:
    records = [record(0), record(1, b"<p>" + b"x" * 200_000), record(2)]
    pages = read(FORMS[form](records), limit=100_000)
    assert numbers(pages) == [0, 2]
    assert pages[1] == StoredPage(url(1), error="too large: over 100000 bytes")
    assert len(read(FORMS[form](records), limit=0)) == 3


def raw_deflate(data: bytes) -> bytes:
    return zlib.compress(data)[2:-4]


def stacked(data: bytes) -> bytes:
    return chunked(packed("br", [gzip.compress(data)]))


@pytest.mark.parametrize(
    ("headers", "encode"),
    [
        ("Content-Encoding: gzip", gzip.compress),
        ("Content-Encoding: deflate", zlib.compress),
        ("Content-Encoding: deflate", raw_deflate),
        ("Content-Encoding: br", lambda data: packed("br", [data])),
        ("Content-Encoding: zstd", lambda data: packed("zstd", [data])),
        ("Transfer-Encoding: chunked", chunked),
        ("Content-Encoding: gzip, br\r\nTransfer-Encoding: chunked", stacked),
        ("Content-Encoding: gzip\r\nContent-Encoding: br\r\nTransfer-Encoding: chunked", stacked),
        # Stored decoded, with the original headers.
        *((f"Content-Encoding: {name}", bytes) for name in ("gzip", "deflate", "br", "zstd")),
        ("Content-Encoding: utf-8", bytes),
        ("Transfer-Encoding: chunked", bytes),
        ("Content-Encoding: gzip\r\nTransfer-Encoding: chunked", chunked),
        ("Content-Encoding: gzip\r\nTransfer-Encoding: chunked", gzip.compress),
    ],
)
def test_bodies_are_decoded_if_they_are_encoded(
    headers: str, encode: Callable[[bytes], bytes]
) -> None:
    lines = f"Content-Type: text/html\r\n{headers}\r\n".encode()
    stored = record(5, encode(html(5).encode()), headers=lines)
    assert numbers(read(gzip.compress(stored))) == [5]


@pytest.mark.parametrize(
    ("header", "encode"),
    [
        ("Content-Encoding: gzip", lambda data: gzip.compress(data) + b"\0" * 8),
        ("Content-Encoding: deflate", lambda data: zlib.compress(data) + b"xx"),
        ("Transfer-Encoding: chunked", lambda data: b"%x;a=b\r\n%s\r\n0\r\n" % (len(data), data)),
        ("Transfer-Encoding: chunked", lambda data: b"9\n%s\n%x\n%s\n0\n" % (
            data[:9], len(data) - 9, data[9:])),
    ],
)  # fmt: skip
def test_a_body_is_whole_before_other_bytes_and_with_extensions_of_chunks(
    header: str, encode: Callable[[bytes], bytes]
) -> None:
    lines = f"Content-Type: text/html\r\n{header}\r\n".encode()
    (page,) = read(record(5, encode(html(5).encode()), headers=lines))
    assert page.body == html(5).encode()


PAGE = b"".join(b"%d <p>%d</p>" % (n, n * 7919 % 10007) for n in range(50_000))


def read_coded(body: bytes, codings: str) -> StoredPage:
    name = "Transfer" if codings == "chunked" else "Content"
    lines = f"Content-Type: text/html\r\n{name}-Encoding: {codings}\r\n".encode()
    (page,) = read(record(1, body, headers=lines))
    return page


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "chunked"])
def test_a_damaged_body_is_read_up_to_its_damage(coding: str) -> None:
    body = chunked(PAGE) if coding == "chunked" else packed(coding, [PAGE])
    found = read_coded(body[: len(body) * 2 // 3], coding).body
    assert found is not None
    assert len(found) > len(PAGE) // 3
    assert PAGE.startswith(found)
    if coding in ("br", "zstd"):
        error = read_coded(body[:30], coding).error
        assert str(error).endswith(f"its content coding {coding} cannot be decoded")


def test_bombs_in_bombs_are_bounded() -> None:
    body = packed("gzip", [packed("gzip", [packed("gzip", []) * 1_000_000])])
    began = time.perf_counter()
    assert read_coded(body, "gzip, gzip, gzip").error == f"too large: over {LIMIT} bytes"
    assert time.perf_counter() - began < 2
    error = read_coded(body, "gzip" + ", gzip" * 5).error
    assert "6 codings, at most 5 are read" in str(error)
    assert read_coded(raw_deflate(bytes(2 * LIMIT)), "deflate").error


def test_headers_to_keep_are_kept() -> None:
    data = WARCINFO + record(1) + record(2, b"<p>" + b"x" * LIMIT) + b"garbage"
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
def test_malformed_headers_lose_no_other_page(headers: bytes) -> None:
    pages = read(record(1) + record(2, headers=headers) + record(3))
    assert {1, 3} <= set(numbers(pages))
    assert len(pages) == 3
