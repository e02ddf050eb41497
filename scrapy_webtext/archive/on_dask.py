"""Parts over the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any, Final

from scrapy_webtext.archive.parts import ATTEMPTS, Job, PartReport
from scrapy_webtext.archive.plan import Part
from scrapy_webtext.archive.tasks import attempt_parts, grouped
from scrapy_webtext.errors import InputError, MissingExtraError
from scrapy_webtext.log_text import describe

#: A cluster of our own has no dashboard: nobody sees the profile for which Dask interrupts its
#: workers a hundred times a second, at 3 % of their time.
UNWATCHED: Final = {"distributed.worker.profile.enabled": False}


def run_dask(
    parts: Sequence[Part], job: Job, workers: int, scheduler: str | None
) -> Iterator[PartReport]:
    """Yield the report of each part as it ends.

    On the cluster at this address (``tcp://host:port``), whose workers have this package and see
    the files under the same paths; without one, on a cluster of so many processes here. Dask
    gives the parts of a worker that died to others.
    """
    try:
        import dask
        from distributed import Client, LocalCluster
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
        yield from _run(client, parts, job)


def _run(client: Any, parts: Sequence[Part], job: Job) -> Iterator[PartReport]:
    from distributed import as_completed

    groups = grouped(parts, max(1, sum(client.nthreads().values())))
    group_of = {_submit(client, group, job): group for group in groups}
    lost: list[Part] = []
    for future in as_completed(list(group_of)):
        group = group_of.pop(future)
        if future.status == "finished":
            yield from future.result()
        else:
            lost += group
        future.release()
    # Dask gives up what was with workers that died, whoever killed them: each alone now.
    for part in lost:
        yield _make_alone(client, part, job)


def _submit(client: Any, group: Sequence[Part], job: Job) -> Any:
    return client.submit(attempt_parts, group, job, pure=False)


def _make_alone(client: Any, part: Part, job: Job) -> PartReport:
    """Return the report of a part that is made while nothing else is."""
    failure = ""
    for _ in range(ATTEMPTS):
        try:
            report: PartReport = _submit(client, (part,), job).result()[0]
        except Exception as error:  # of Dask: a part's own faults are in its report
            failure = describe(error)
        else:
            return report
    return PartReport(part.source, failure=failure)
