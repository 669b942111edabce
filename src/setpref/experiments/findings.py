"""What an experiment found: its table in plain cells, and the claims it bears on with their verdicts.

The same findings are shown on the report's page and, by :func:`markdown`, in the documentation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from setpref.data.numbers import plural
from setpref.evaluation.intervals import Interval
from setpref.experiments import series
from setpref.experiments.claims import claims_of
from setpref.experiments.judging import Claim, points, share
from setpref.experiments.reported import MOVIES

__all__ = ["TITLES", "Findings", "duration", "findings", "markdown"]

Document = Mapping[str, Any]
Rows = Sequence[Mapping[str, Any]]
Cells = tuple[str, ...]

TITLES = {
    "synthetic-metrics": "Figure 1: the measures on synthetic users",
    "synthetic-f1": "Figure 2: F1 on synthetic users",
    "running-times": "Figure 3: running times",
    "movies": "The table: people who rated movies",
    "rules": "Left out: cautious rules, and rivals that abstain as often",
    "simplest-models": "Left out: how many simplest models there are",
    "errors": "Left out: statements some of which are wrong",
}
MEASURES = ("prediction_rate", "precision", "recall", "correctness")
ERROR_MEASURES = ("prediction_rate", "precision", "f1")
MOVIE_MEASURES = ("prediction_rate", "precision", "recall", "f1")
METHODS = ("ord", "lr", "svm", "knn", "lr-reject", "svm-reject")
ERRORS = ("ord-refuse", "ord-repair", "ord-robust", "ord-known", "lr", "svm", "lr-reject", "svm-reject")
RULES = ("ord-union", "ord", "ord-majority", "ord-volume")


@dataclass(frozen=True)
class Findings:
    """What an experiment found.

    Attributes
    ----------
    experiment, title : str
    columns : tuple of str
    rows : list of tuple of str
        The table, in plain text.
    table_caption : str
        What the table shows.
    claims : list of Claim
    notes : list of str
        How it was run, and what went wrong, in sentences.
    """

    experiment: str
    title: str
    columns: Cells
    rows: list[Cells]
    table_caption: str
    claims: list[Claim]
    notes: list[str]


def findings(document: Document) -> Findings:
    """Return the table, the judged claims and the notes of an experiment."""
    name: str = document["experiment"]
    columns, make, caption = TABLES.get(name, NO_TABLE)
    rows = list(make(document)) if document["rows"] else []
    claims = claims_of(document) if document["rows"] else []
    return Findings(name, TITLES.get(name, name), columns, rows, caption, claims, _notes(document))


def _no_table(document: Document) -> Iterator[Cells]:
    yield from ()


# -- tables ----------------------------------------------------------------------------------------------------------


def _mean_statements(rows: Rows) -> str:
    return f"{fmean(series.statements_of(rows)):.0f}"


def _by_reading(document: Document) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    for reading, part in series.group(document["rows"], "reading").items():
        yield series.reading_label(reading, document["rows"]), part


def _metrics_table(document: Document) -> Iterator[Cells]:
    for reading, part in _by_reading(document):
        for sets, some in series.three(series.group(part, "sets")):
            for method in series.methods_of(some, METHODS):
                measured = [share(series.interval(some, method, metric)) for metric in MEASURES]
                yield series.label(method), reading, str(sets), _mean_statements(some), *measured


def _f1_table(document: Document) -> Iterator[Cells]:
    for reading, part in _by_reading(document):
        for least in (50, 100, 170, 200, 250, 300, 350):
            runs = sum(count >= least for count in series.statements_of(part))
            if runs:
                methods = ("ord", "lr", "svm", "knn")
                means = [share(Interval.of(list(series.mean_f1(part, m, least).values()))) for m in methods]
                leads = [points(series.lead(part, "ord", rival, least)) for rival in ("lr", "svm")]
                users = len(series.mean_f1(part, "ord", least))
                yield f"\u2265 {least}", reading, f"{runs:,} of {users} users", *means, *leads


def _times_table(document: Document) -> Iterator[Cells]:
    for vary, places in series.times_by_place(document).items():
        for place, rows in places.items():
            where = f"n = {place:.0f}" if vary == "elements" else f"|R| = {place:.0f}"
            for part, words in (("learn", "learning"), ("predict", "one prediction")):
                ours, mip = (series.seconds(rows, engine, part) for engine in ("ours", "mip"))
                stopped = f"{mip.capped} of {mip.count}" if mip.count else ""
                ratio = series.slower(rows, part)
                least = "\u2265 " if ratio.least else ""
                times = f"{least}{_seconds(ratio.median)}" if ratio.count else ""
                yield where, words, str(ours.count), _spread(ours), _spread(mip), stopped, times


def _spread(found: series.Spread) -> str:
    if not found.count:
        return ""
    least = "\u2265 " if found.least else ""
    return f"{least}{_seconds(found.median)} [{_seconds(found.low)}, {_seconds(found.high)}]"


def _seconds(value: float) -> str:
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 100 else f"{value:.2g}"


def _movies_table(document: Document) -> Iterator[Cells]:
    for (source, protocol), part in series.group(document["rows"], "source", "protocol").items():
        proven = f"{sum(row['proven'] for row in part)} of {sum(row['runs'] for row in part)}"
        for method in series.methods_of(part, METHODS):
            cells = []
            for metric in MOVIE_MEASURES:
                reported = MOVIES.get(method, {}).get(metric)
                paper = f" (paper {reported:.2f})" if reported is not None else ""
                cells.append(share(series.interval(part, method, metric)) + paper)
            correct = share(series.interval(part, method, "correctness"))
            users = str(len({row["user"] for row in part}))
            yield series.label(method), source, protocol, users, proven if method == "ord" else "", *cells, correct


def _rules_table(document: Document) -> Iterator[Cells]:
    for reading, part in _by_reading(document):
        for sets, some in series.three(series.group(part, "sets")):
            for rule in series.methods_of(some, RULES):
                rivals = [f"{rival}@{rule}" for rival in ("lr", "svm")]
                cells = [share(series.interval(some, rule, metric)) for metric in ("prediction_rate", "precision")]
                for rival in rivals:
                    lead = points(series.advantage(some, rule, rival, "precision"))
                    cells += [share(series.interval(some, rival, "precision")), lead]
                yield series.label(rule), reading, str(sets), _mean_statements(some), *cells


def _simplest_table(document: Document) -> Iterator[Cells]:
    for reading, part in _by_reading(document):
        for sets, some in series.group(part, "sets").items():
            counts = [n for row in some for n in row["models"] if n is not None]
            runs, proven = sum(len(row["models"]) for row in some), sum(row["proven"] for row in some)
            spread = series.Spread.of([float(min(n, 10**300)) for n in counts])
            several = f"{fmean(n > 1 for n in counts):.0%}" if counts else ""
            middle = f"{_whole(spread.median)} [{_whole(spread.low)}, {_whole(spread.high)}]" if counts else ""
            sizes = [_mean(series.mean_of(some, name)) for name in ("degree", "cardinality", "total_size")]
            most = _whole(max(counts)) if counts else ""
            yield str(sets), reading, _mean_statements(some), f"{proven} of {runs}", several, middle, most, *sizes


def _errors_table(document: Document) -> Iterator[Cells]:
    for reading, part in _by_reading(document):
        for noise, some in series.group(part, "noise").items():
            clash, cost = (series.mean_of(some, name) for name in ("contradictory", "cost"))
            for method in series.methods_of(some, ERRORS):
                measured = [share(series.interval(some, method, metric)) for metric in ERROR_MEASURES]
                yield series.label(method), reading, f"{noise:.0%}", f"{clash.mean:.0%}", f"{cost.mean:.1f}", *measured


def _whole(number: float) -> str:
    return f"{number:,.0f}" if number < 1e6 else f"{float(min(number, 10**300)):.1e}".replace("e+", "e")


def _mean(found: Interval) -> str:
    if not found.runs:
        return ""
    return f"{found.mean:.1f}" if math.isnan(found.low) else f"{found.mean:.1f} [{found.low:.1f}, {found.high:.1f}]"


NO_TABLE: tuple[Cells, Callable[[Document], Iterator[Cells]], str] = ((), _no_table, "")
READING = ("reading", "sets rated", "statements")
MOVIE_COLUMNS = ("prediction rate", "precision", "recall", "F1", "correctness")
SIZE_COLUMNS = ("degree", "terms", "total size")
OVER_USERS = "means over users with 95% intervals"
TABLES: dict[str, tuple[Cells, Callable[[Document], Iterator[Cells]], str]] = {
    "synthetic-metrics": (
        ("method", *READING, "prediction rate", "precision", "recall", "correctness"),
        _metrics_table,
        f"At the fewest, a middle and the largest number of sets rated: {OVER_USERS}.",
    ),
    "synthetic-f1": (
        ("statements", "reading", "runs", "ORD", "LR", "SVM", "KNN", "ORD over LR, points", "ORD over SVM, points"),
        _f1_table,
        f"F1 over the runs with at least so many statements: {OVER_USERS}.",
    ),
    "running-times": (
        ("where", "what", "instances", "ours, seconds", "MIP, seconds", "MIP not finished", "MIP / ours"),
        _times_table,
        "Medians with quartiles; a median of runs that did not finish is a lower bound; the ratio is the median over "
        "the instances that both were given.",
    ),
    "movies": (
        ("method", "source", "protocol", "users", "proven runs", *MOVIE_COLUMNS),
        _movies_table,
        f"In all runs: {OVER_USERS}; what the paper reports in brackets.",
    ),
    "rules": (
        (
            "rule",
            *READING,
            "prediction rate",
            "precision",
            "LR as often",
            "lead over LR",
            "SVM as often",
            "lead over SVM",
        ),
        _rules_table,
        f"Every rule beside LR and SVM that predict on as many pairs, leads in points: {OVER_USERS}.",
    ),
    "errors": (
        ("method", "reading", "wrong", "contradictory runs", "given up", "prediction rate", "precision", "F1"),
        _errors_table,
        f"Against the share of statements turned round; given up: the cost of the optimal repairs; {OVER_USERS}.",
    ),
    "simplest-models": (
        (
            "sets rated",
            "reading",
            "statements",
            "proven runs",
            "several",
            "simplest models",
            "most",
            "degree",
            "terms",
            "total size",
        ),
        _simplest_table,
        "How often there are several simplest models, and how many (median with quartiles over all runs); of how "
        f"simple they are, {OVER_USERS}.",
    ),
}


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
        different, repeated = (sum(row[f"{kind}_sets"] for row in conflicts) for kind in ("conflicting", "repeated"))
        notes.append(
            f"People rated {repeated:,} sets of genres more than once, {different:,} of them differently (counted per "
            "protocol)."
        )
    if failures:
        shown = "; ".join(f"{_task(failure.get('task'))}: {failure.get('error')}" for failure in failures[:5])
        more = f"; and {len(failures) - 5} more" if len(failures) > 5 else ""
        notes.append(f"{plural(len(failures), 'task')} failed and left nothing in these figures: {shown}{more}.")
    return notes


def _choices(settings: Mapping[str, Any]) -> list[str]:
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


def _task(task: Any) -> str:
    return ", ".join(f"{name} {value}" for name, value in task.items()) if isinstance(task, Mapping) else str(task)


# -- for the documentation -------------------------------------------------------------------------------------------


def markdown(documents: Sequence[Document]) -> str:
    """Return the findings of experiments as Markdown: per experiment how it was run, the claims, and the table."""
    parts = []
    for found in map(findings, documents):
        parts += [f"## {found.title}", "", *[f"{_plain(note)}\n" for note in found.notes]]
        if found.claims:
            header = ("claim", "judged on", "verdict", "why")
            lines = [(claim.text, claim.scope, f"**{claim.word}**", claim.why) for claim in found.claims]
            parts += _table(header, lines)
            rules = dict.fromkeys((claim.text, claim.rule) for claim in found.claims)
            parts += ["How the verdicts follow:", "", *[f"- {_plain(text)} {_plain(rule)}" for text, rule in rules], ""]
        if found.rows:
            parts += [_plain(found.table_caption), "", *_table(found.columns, found.rows)]
    return "\n".join(parts)


def _table(header: Cells, rows: Sequence[Cells]) -> list[str]:
    lines = [header, tuple("---" for _ in header), *rows]
    return [f"| {' | '.join(_plain(cell) for cell in line)} |" for line in lines] + [""]


def _plain(cell: str) -> str:
    """Keep bars and line ends of a name from ending a cell."""
    return cell.replace("|", "\\|").replace("\n", " ")
