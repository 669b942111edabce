"""What the rows of an experiment become: figures, a table in plain cells, claims with their verdicts, and notes.

What an experiment draws, lists and claims is said in :mod:`setpref.experiments.studies`. The same findings are shown on
the report's page and, by :func:`markdown`, in the documentation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from setpref.data.numbers import plural
from setpref.errors import InputError
from setpref.experiments.contract import Experiment
from setpref.experiments.judging import Claim
from setpref.experiments.records import Document, Settings, Task
from setpref.experiments.sheet import Drawing, drawing, store
from setpref.experiments.studies import EXPERIMENTS

__all__ = ["Findings", "draw", "drawings", "duration", "findings", "markdown"]


@dataclass(frozen=True)
class Findings:
    """What an experiment found.

    Attributes
    ----------
    rows : list of tuple of str
        Its table.
    claims : list of Claim
    notes : list of str
        How it was run, and what went wrong, in sentences.
    """

    experiment: Experiment
    rows: list[tuple[str, ...]]
    claims: list[Claim]
    notes: list[str]


def findings(document: Document) -> Findings:
    """Return the table, the judged claims and the notes of an experiment."""
    study = EXPERIMENTS[document["experiment"]]
    shown = bool(document["rows"])
    rows, claims = (list(study.table.cells(document)), study.claims(document)) if shown else ([], [])
    return Findings(study, rows, claims, _notes(document))


def drawings(document: Document) -> list[Drawing]:
    """Return the figures that the rows of an experiment give, in the order to show them; nothing is drawn yet."""
    study = EXPERIMENTS.get(document["experiment"])
    return study.figures(document) if study is not None and document["rows"] else []


def draw(document: Document, folder: Path) -> list[Path]:
    """Draw the figures of an experiment into a folder, as SVG and PNG; without rows there are none."""
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder} for the figures; make it first")
    saved = []
    for planned in drawings(document):
        with drawing():
            saved += store(planned.make(), folder, planned.name)
    return saved


# -- notes -----------------------------------------------------------------------------------------------------------


def duration(seconds: float) -> str:
    """Return a length of time as a person says it.

    Examples
    --------
    >>> [duration(s) for s in (4.2, 75, 7300)]
    ['4 s', '1 min 15 s', '2 h 1 min']
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _notes(document: Document) -> list[str]:
    rows, failures = document["rows"], document.get("failures", [])
    notes = []
    if document.get("quick"):
        notes.append("This was a quick run: few users and runs, to see that all works; it decides nothing.")
    if not rows:
        notes.append("There are no rows.")
    users = len({row["user"] for row in rows if "user" in row})
    people = f"{users} users, " if users else ""
    versions = ", ".join(f"{name} {version}" for name, version in document.get("versions", {}).items())
    notes.append(
        f"{len(rows):,} rows, {people}seed {document.get('seed')}, {duration(document.get('seconds') or 0)} with "
        f"{plural(document.get('jobs') or 1, 'worker')}; {versions}."
    )
    runs = sum(row["runs"] for row in rows if "proven" in row and "runs" in row)
    proven = sum(row["proven"] for row in rows if "proven" in row and "runs" in row)
    if runs:
        rest = "" if proven == runs else "; the others used the best models found within the time limit"
        notes.append(f"The simplest models were proven in {proven:,} of {runs:,} runs{rest}.")
    notes += _choices(document.get("settings") or {})
    if conflicts := [row for row in rows if "conflicting_sets" in row]:
        different = sum(row["conflicting_sets"] for row in conflicts)
        repeated = sum(row["repeated_sets"] for row in conflicts)
        notes.append(
            f"People rated {repeated:,} sets of genres more than once, {different:,} of them differently (counted per "
            "protocol)."
        )
    if failures:
        shown = "; ".join(f"{_task(failure.get('task'))}: {failure.get('error')}" for failure in failures[:5])
        more = f"; and {len(failures) - 5} more" if len(failures) > 5 else ""
        notes.append(f"{plural(len(failures), 'task')} failed and left nothing in these figures: {shown}{more}.")
    return notes


def _choices(settings: Settings) -> list[str]:
    """Return what was decided where the paper leaves a choice."""
    said = []
    if weights := settings.get("knn_weights"):
        said.append(
            f"KNN weighs neighbours by the {weights} distance."
            if weights == "inverse"
            else f"KNN weighs neighbours {weights}ly to the distance."
        )
    if policy := settings.get("collisions"):
        fate = "is dropped" if policy == "drop" else f"counts by the {policy} of its ratings"
        said.append(f"A set that a person rated differently {fate}.")
    if licence := settings.get("licence"):
        said.append(f"The data: {settings.get('source')}; {licence}.")
    if isinstance(genres := settings.get("genres"), list):
        said.append(f"The genres are {', '.join(genres)}.")
    return said


def _task(task: Task | None) -> str:
    return ", ".join(f"{name} {value}" for name, value in task.items()) if isinstance(task, Mapping) else str(task)


# -- for the documentation -------------------------------------------------------------------------------------------


def markdown(documents: Sequence[Document]) -> str:
    """Return the findings of experiments as Markdown: per experiment how it was run, the claims, and the table."""
    parts = []
    for found in map(findings, documents):
        parts += [f"## {found.experiment.title}", "", *[f"{_plain(note)}\n" for note in found.notes]]
        if found.claims:
            header = ("claim", "judged on", "verdict", "why")
            lines = [(claim.text, claim.scope, f"**{claim.word}**", claim.why) for claim in found.claims]
            parts += _table(header, lines)
            rules = dict.fromkeys((claim.text, claim.rule) for claim in found.claims)
            parts += ["How the verdicts follow:", "", *[f"- {_plain(text)} {_plain(rule)}" for text, rule in rules], ""]
        if found.rows:
            table = found.experiment.table
            parts += [_plain(table.caption), "", *_table(table.columns, found.rows)]
    return "\n".join(parts)


def _table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    lines = [header, tuple("---" for _ in header), *rows]
    return [f"| {' | '.join(_plain(cell) for cell in line)} |" for line in lines] + [""]


def _plain(cell: str) -> str:
    """Keep bars and line ends of a name from ending a cell."""
    return cell.replace("|", "\\|").replace("\n", " ")
