"""Parts over the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Final

from scrapy_webtext.archive.batch import ExtractionSettings
from scrapy_webtext.archive.parts import Part, PartReport, attempt_part
from scrapy_webtext.errors import InputError, MissingExtraError

#: A cluster of our own has no dashboard: nobody sees the profile for which Dask interrupts its
#: workers a hundred times a second, at 3 % of their time.
UNWATCHED: Final = {"distributed.worker.profile.enabled": False}


def run_dask(
    parts: Sequence[Part], settings: ExtractionSettings, workers: int, scheduler: str | None
) -> Iterator[PartReport]:
    """Yield the report of each part as it ends.

    On the cluster at this address (``tcp://host:port``), whose workers have this package and see
    the files under the same paths; without one, on a cluster of so many processes here. Dask
    gives the parts of a worker that died to others.
    """
    try:
        import dask
        from dask import bag
        from distributed import Client, LocalCluster, as_completed
    except ImportError:
        raise MissingExtraError("The engine dask", "distributed", "dask") from None
    with ExitStack() as stack:
        if scheduler is None:
            stack.enter_context(dask.config.set(UNWATCHED))
            cluster = LocalCluster(
                n_workers=workers, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
            )
            scheduler = stack.enter_context(cluster).scheduler_address
        try:
            client = stack.enter_context(Client(scheduler))
        except (OSError, ValueError) as error:
            raise InputError(f"No Dask scheduler at {scheduler}: {error}") from None
        pages = bag.from_sequence(parts, partition_size=1)
        reports = pages.map_partitions(partial(_attempt_parts, settings=settings))
        futures = client.compute(reports.to_delayed())
        part_of = {future.key: part for future, part in zip(futures, parts, strict=True)}
        for future in as_completed(futures):
            if future.status == "finished":
                yield from future.result()
            else:
                failure = f"{type(future.exception()).__name__}: {future.exception()}"
                yield PartReport(part_of[future.key].source, failure=failure)


def _attempt_parts(parts: Iterable[Part], settings: ExtractionSettings) -> list[PartReport]:
    return [attempt_part(part, settings) for part in parts]
