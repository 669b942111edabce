"""Where tasks are done: here one by one, in processes of this machine, or on a cluster; always through joblib.

Tasks are sent in chunks of seconds, not milliseconds; numeric libraries get one thread in each worker, so that workers
do not get into each other's way; a task that fails comes back as a failure and stops nothing.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from setpref.arguments import checked_choice, checked_whole
from setpref.errors import InputError, MissingDependency, SetprefError
from setpref.experiments.contract import Work
from setpref.experiments.records import Row, Task
from setpref.progress import pressed

__all__ = ["BACKENDS", "Outcome", "Pool", "WorkersLost", "check_installed", "cores", "outcomes", "pool_opened"]

CHUNK_SECONDS = 3.0
CHUNKS_PER_WORKER = 4
CONNECT_SECONDS = 10


@dataclass(frozen=True)
class Outcome:
    """A task with its row, or with the error that kept it from having one."""

    task: Task
    row: Row | None
    error: str | None = None


class WorkersLost(SetprefError):
    """The workers cannot go on; what was finished is kept."""


@dataclass(frozen=True)
class Pool:
    """Where tasks go; None as the configuration means here, one by one."""

    workers: int
    configuration: dict[str, Any] | None = None


def check_installed(*, figures: bool) -> None:
    """Refuse to begin without the packages every experiment needs, and figures at its end."""
    for package in ("joblib", "threadpoolctl", *(["matplotlib"] if figures else [])):
        try:
            __import__(package)
        except ImportError:
            raise MissingDependency(package, "experiments", "running experiments") from None


def cores() -> int:
    """Return how many processes this machine can run at once."""
    import joblib

    return int(joblib.cpu_count())


# -- backends --------------------------------------------------------------------------------------------------------


@contextmanager
def _loky(scheduler: str | None, jobs: int) -> Iterator[dict[str, Any]]:
    if scheduler is not None:
        raise InputError("the backend loky is this machine and has no scheduler; name the backend: dask, ray or spark")
    yield {"backend": "loky", "n_jobs": jobs, "inner_max_num_threads": 1}


@contextmanager
def _dask(scheduler: str | None, jobs: int) -> Iterator[dict[str, Any]]:
    try:
        import distributed
    except ImportError:
        raise MissingDependency("distributed", "dask", "the backend dask") from None
    dask: Any = distributed
    if scheduler is None:
        with (
            dask.LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None) as cluster,
            dask.Client(cluster) as client,
        ):
            yield {"backend": "dask", "client": client, "n_jobs": -1}
        return
    try:
        _knock(scheduler)
        client = dask.Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise _unreachable("dask", scheduler, error) from None
    with client:
        yield {"backend": "dask", "client": client, "n_jobs": -1}


def _knock(address: str) -> None:
    """See whether anybody listens: a client that found nobody keeps trying until the end of the process."""
    import distributed.comm

    comm: Any = distributed.comm
    whole = comm.normalize_address(address)
    if comm.parse_address(whole)[0] in ("tcp", "tls"):
        socket.create_connection(comm.get_address_host_port(whole, strict=True), timeout=CONNECT_SECONDS).close()


@contextmanager
def _ray(scheduler: str | None, jobs: int) -> Iterator[dict[str, Any]]:
    try:
        import ray
        from ray.util.joblib import register_ray
    except ImportError:
        raise MissingDependency("ray", "ray", "the backend ray") from None
    try:
        ray.init(**({"num_cpus": jobs} if scheduler is None else {"address": scheduler}))
    except (OSError, ValueError, RuntimeError) as error:
        raise _unreachable("ray", scheduler, error) from None
    try:
        register_ray()
        yield {"backend": "ray", "n_jobs": jobs if scheduler is None else -1}
    finally:
        ray.shutdown()


@contextmanager
def _spark(scheduler: str | None, jobs: int) -> Iterator[dict[str, Any]]:
    try:
        from joblibspark import register_spark
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingDependency("joblibspark", "spark", "the backend spark") from None
    try:
        session = SparkSession.builder.master(scheduler or f"local[{jobs}]").appName("setpref").getOrCreate()
    except Exception as error:  # whatever the Java side raises
        raise _unreachable("spark", scheduler, error) from None
    try:
        register_spark()
        yield {"backend": "spark", "n_jobs": jobs if scheduler is None else -1}
    finally:
        session.stop()


BACKENDS: dict[str, Callable[[str | None, int], AbstractContextManager[dict[str, Any]]]] = {
    "loky": _loky,
    "dask": _dask,
    "ray": _ray,
    "spark": _spark,
}


def _unreachable(backend: str, scheduler: str | None, error: Exception) -> InputError:
    where = f"the scheduler {scheduler}" if scheduler else "a scheduler of its own"
    reason = " ".join(str(error).split())[:200] or type(error).__name__
    return InputError(f"the backend {backend} cannot reach {where} ({reason}); check the address and that it runs")


@contextmanager
def pool_opened(backend: str, scheduler: str | None, jobs: int) -> Iterator[Pool]:
    """Open where tasks go; one job without a cluster means here, one by one."""
    import joblib

    checked_choice("backend", backend, BACKENDS)
    checked_whole("jobs", jobs)
    with BACKENDS[backend](scheduler, jobs) as configuration:
        if backend == "loky" and jobs == 1:
            yield Pool(1)
            return
        try:
            with joblib.parallel_config(**configuration):
                workers = max(1, int(joblib.effective_n_jobs(configuration["n_jobs"])))
        except (OSError, TimeoutError) as error:
            raise _unreachable(backend, scheduler, error) from None
        yield Pool(workers, configuration)


# -- doing -----------------------------------------------------------------------------------------------------------


def outcomes(
    run: Callable[[Work], Row], works: Sequence[Work], seconds: Callable[[Work], float], pool: Pool
) -> Iterator[Outcome]:
    """Do all work and yield what comes of each piece as soon as it is known, in any order."""
    if pool.configuration is None:
        yield from _one_by_one(run, works)
        return
    import joblib

    if pool.configuration["backend"] == "loky":
        warm_up()  # once, so that the workers find the compiled kernel instead of compiling it all at once
    chunks = _chunks(works, seconds, pool.workers)
    with joblib.parallel_config(**pool.configuration):
        try:
            for chunk in _results(run, chunks, pool.workers):
                yield from chunk
        except (KeyboardInterrupt, GeneratorExit, SetprefError):
            raise
        except Exception as error:  # a worker's own errors come back as outcomes, so the pool itself broke
            raise WorkersLost(
                f"the workers stopped ({type(error).__name__}: {' '.join(str(error).split())[:200]}); what is finished "
                "is kept, so the same command continues; fewer --jobs need less memory"
            ) from error


def _results(run: Callable[[Work], Row], chunks: list[list[Work]], workers: int) -> Iterator[list[Outcome]]:
    """Yield chunks as they finish; in waves with backends that only return everything at the end."""
    from joblib import Parallel, delayed

    try:
        parallel = Parallel(return_as="generator_unordered", batch_size=1)
    except ValueError:
        size = CHUNKS_PER_WORKER * workers
        for start in range(0, len(chunks), size):
            yield from Parallel(batch_size=1)(
                delayed(do_chunk)(run, chunk, os.getpid()) for chunk in chunks[start : start + size]
            )
        return
    yield from parallel(delayed(do_chunk)(run, chunk, os.getpid()) for chunk in chunks)


def _chunks(works: Sequence[Work], seconds: Callable[[Work], float], workers: int) -> list[list[Work]]:
    """Cut the work into chunks worth sending, and enough of them to keep every worker busy to the end."""
    total = sum(map(seconds, works))
    wanted = min(CHUNK_SECONDS, total / (workers * CHUNKS_PER_WORKER))
    chunks: list[list[Work]] = []
    filled = wanted
    for work in works:
        if filled >= wanted:
            chunks.append([])
            filled = 0.0
        chunks[-1].append(work)
        filled += seconds(work)
    return chunks


def do_chunk(run: Callable[[Work], Row], works: Sequence[Work], parent: int) -> list[Outcome]:
    """Do a chunk in a worker of the process `parent`."""
    if os.getpid() != parent and threading.current_thread() is threading.main_thread():
        # Ctrl-C is the parent's affair.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return list(_one_by_one(run, works))


def _one_by_one(run: Callable[[Work], Row], works: Sequence[Work]) -> Iterator[Outcome]:
    from threadpoolctl import threadpool_limits

    warm_up()
    for work in works:
        with threadpool_limits(limits=1):
            outcome = _attempt(run, work)
        if pressed():  # what a learning stopped knows is no row, even where the best known so far is wanted
            raise KeyboardInterrupt
        yield outcome


def _attempt(run: Callable[[Work], Row], work: Work) -> Outcome:
    try:
        return Outcome(work.task, run(work))
    except Exception as error:  # recorded with its task and reported; the other tasks go on
        return Outcome(work.task, None, f"{type(error).__name__}: {' '.join(str(error).split())[:500]}")


@cache
def warm_up() -> None:
    """Compile the search kernel, or load it, before any clock runs."""
    from setpref.engine.simplest import find_simplest
    from setpref.evaluation.synthetic import draw_sets, draw_user
    from setpref.simplicity import LEX

    find_simplest(draw_user(8, rng=1).rated(draw_sets(8, 20, rng=1)), LEX, 2, compiled=True)
