"""Content and transfer codings: undone up to a limit, passed over where they are not there."""

import time
import zlib

import pytest

from scrapy_webtext.archive.codings import MAX_CODINGS, PIECE, listed, undo_codings
from tests.archive import chunked, html, packed

LIMIT = 100_000
PAGE = html(3).encode()
CODINGS = ["gzip", "deflate", "br", "zstd"]


def undone(body: bytes, *codings: str) -> bytes:
    return undo_codings(body, codings, LIMIT)


@pytest.mark.parametrize("coding", CODINGS)
def test_a_body_is_decoded(coding: str) -> None:
    assert undone(packed(coding, [PAGE]), coding) == PAGE
    assert undone(packed(coding, [PAGE]), f" {coding.upper()}") == PAGE
    assert undone(packed(coding, []), coding) == b""


def test_stacked_codings_are_undone_from_the_last_one() -> None:
    body = chunked(packed("br", [packed("gzip", [PAGE])]))
    assert undone(body, *listed(["gzip, br", "chunked"])) == PAGE


@pytest.mark.parametrize("coding", [*CODINGS, "chunked", "utf-8", "identity", "x-nonsense"])
@pytest.mark.parametrize(
    "body", [PAGE, b"\n\r\n" + PAGE, b"", b"plain text", html(1).encode("utf-16")]
)
def test_a_body_that_was_stored_decoded_is_left_as_it_is(coding: str, body: bytes) -> None:
    assert undone(body, coding) == body


def test_deflate_without_its_header_is_read() -> None:
    assert undone(zlib.compress(PAGE, wbits=-15), "deflate") == PAGE


def test_all_members_of_a_gzip_body_are_read_and_nothing_behind_them() -> None:
    assert undone(packed("gzip", [PAGE]) * 2 + b"behind", "x-gzip") == 2 * PAGE


@pytest.mark.parametrize(
    "body",
    [
        b"4;name=value\r\npage\r\n0\r\nTrailer: 1\r\n\r\n",
        b"4\npage\n0\n\n",
        b"2\r\npa\r\n002\r\nge\r\n0\r\n\r\n",
        b"2\r\npa\r\nff\r\nge",  # cut off
        b"ffffffffffffffff\r\npage",
        b"4\r\npage\r\nno length",
    ],
)
def test_chunks_are_read_as_servers_write_them(body: bytes) -> None:
    assert undone(body, "chunked") == b"page"


@pytest.mark.parametrize("coding", CODINGS)
def test_a_body_that_is_cut_off_is_read_as_far_as_it_goes(coding: str) -> None:
    page = b"".join(b"%d <p>%d</p>" % (n, n * 7919 % 10007) for n in range(50_000))
    body = packed(coding, [page])
    found = undo_codings(body[: len(body) * 2 // 3], [coding], 10 * LIMIT)
    assert len(found) > len(page) // 3
    assert page.startswith(found)


def test_a_wrong_checksum_costs_no_text() -> None:
    assert undone(packed("gzip", [PAGE])[:-8] + bytes(8), "gzip") == PAGE


@pytest.mark.parametrize("coding", CODINGS)
def test_a_body_of_which_nothing_reads_is_refused(coding: str) -> None:
    with pytest.raises(ValueError, match=f"its content coding {coding} does not read"):
        undone(packed(coding, [PAGE])[:30], coding)


@pytest.mark.parametrize("coding", CODINGS)
def test_no_more_than_a_little_over_the_limit_is_made(coding: str) -> None:
    bomb = packed(coding, [b"<p>" + bytes(1 << 20)] * 40)
    assert LIMIT < len(undone(bomb, coding)) <= LIMIT + PIECE


def test_bombs_in_bombs_cost_no_more() -> None:
    nothing = packed("gzip", []) * 1_000_000
    began = time.perf_counter()
    assert len(undone(packed("gzip", [packed("gzip", [nothing])]), *["gzip"] * 3)) > LIMIT
    assert time.perf_counter() - began < 1


def test_many_members_are_not_gone_through_one_by_one() -> None:
    body = packed("gzip", []) * 200_000
    began = time.perf_counter()
    assert undone(body, "gzip") == b""
    assert time.perf_counter() - began < 1


def test_more_codings_than_a_server_means_are_refused() -> None:
    body = PAGE
    for _ in range(MAX_CODINGS):
        body = packed("gzip", [body])
    assert undone(body, *["gzip"] * MAX_CODINGS) == PAGE
    with pytest.raises(ValueError, match="6 codings, one on top of the other"):
        undone(body, *["gzip"] * (MAX_CODINGS + 1))
