"""Types: what a user's type checker sees of the public names, and how little of the source goes without any."""

import ast
from collections import Counter
from pathlib import Path

import pytest

import setpref
import setpref.estimators
import setpref.evaluation

SOURCE = Path(setpref.__file__).parent
PER_THOUSAND_LINES = 5

USER = """
import setpref as sp

prefs = sp.Preferences.from_ratings({"tea": 3, "milk": 2, "tea+milk": 1, "{}": 0})
learned = sp.learn(prefs)
reveal_type(prefs)
reveal_type(learned)
reveal_type(sp.learn(prefs, errors="auto"))
reveal_type(learned.compare("tea", {"milk"}))
reveal_type(learned.compare("tea", {"milk"}).value)
reveal_type(sp.read("data.csv"))
reveal_type(sp.repair(prefs))
sp.Preferences.from_ratings({}, universe=3)
learned.nothing
"""
"""What a user's project might hold; the last two lines are mistakes."""

SEEN = [
    "setpref.data.preferences.Preferences",
    "setpref.learning.learned.Learned",
    "setpref.learning.despite.LearnedDespiteErrors",
    "setpref.proofs.verdicts.Verdict",
    "setpref.verdict.Value",
    "setpref.data.preferences.Preferences",
    "setpref.repairs.repaired.Repaired",
]


def names_of(stub: ast.Module) -> dict[str, str]:
    """Return the names a stub offers, with the modules they come from."""
    found = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name: str(node.module) for node in found for alias in node.names}


def untyped(modules: dict[str, ast.Module]) -> dict[str, Counter[str]]:
    """Return per module how often `Any`, or a name that stands for something with it, is used."""
    known = {module: {"Any"} for module in modules}

    def uses(module: str, node: ast.AST) -> list[str]:
        names = [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
        return [name for name in names if name in known[module]]

    grown = True
    while grown:
        before = sum(map(len, known.values()))
        for module, tree in modules.items():
            for node in ast.walk(tree):
                if isinstance(node, ast.ImportFrom) and node.module in modules:
                    known[module] |= {a.asname or a.name for a in node.names if a.name in known[node.module]}
            for node in tree.body:
                if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and uses(module, node.value):
                    known[module].add(node.targets[0].id)
        grown = sum(map(len, known.values())) > before
    return {module: Counter(uses(module, tree)) for module, tree in modules.items()}


def test_a_users_type_checker_sees_types(tmp_path, request):
    api = pytest.importorskip("mypy.api", reason="mypy is not installed")
    (tmp_path / "user.py").write_text(USER)
    cache = request.config.rootpath / ".mypy_cache" / "user"
    said, errors, _ = api.run([str(tmp_path / "user.py"), "--config-file=", f"--cache-dir={cache}"])
    lines = said.splitlines()
    assert not errors
    assert [line.split('"')[1] for line in lines if "Revealed type" in line] == SEEN
    assert [line.rsplit("[")[-1] for line in lines if "error" in line][:-1] == ["arg-type]", "attr-defined]"]


@pytest.mark.parametrize("door", [setpref, setpref.estimators, setpref.evaluation])
def test_the_types_of_the_public_names_come_from_where_the_names_do(door):
    stub = names_of(ast.parse(Path(door.__file__).with_suffix(".pyi").read_text(encoding="utf-8")))
    assert stub == {name: f"{door.__name__}.{room}" for name, room in door._ROOMS.items()}
    assert sorted(stub) == door.__all__


def test_the_package_says_that_it_is_typed():
    assert (SOURCE / "py.typed").is_file()


def test_few_things_go_without_a_type():
    """An alias of something untyped counts as often as it is used."""
    files = {path: path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))}
    modules = {".".join(p.relative_to(SOURCE.parent).with_suffix("").parts): ast.parse(t) for p, t in files.items()}
    counted = {module: found.total() for module, found in untyped(modules).items() if found}
    lines = sum(len(text.splitlines()) for text in files.values())
    assert 1000 * sum(counted.values()) < PER_THOUSAND_LINES * lines, counted
