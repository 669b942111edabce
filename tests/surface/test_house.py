"""The tour of the house in CONTRIBUTING: every room and every module, in the words they open with."""

import ast
import re
from pathlib import Path

import pytest

import setpref

SOURCE = Path(setpref.__file__).parent
TOUR = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
ROOMS = sorted(path.parent for path in SOURCE.rglob("__init__.py"))
MODULES = sorted(path for path in SOURCE.rglob("*.py") if not path.stem.startswith("__"))


def opening(path: Path) -> str:
    """Return the first paragraph of a module's docstring, as it stands in a page."""
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(said.split("\n\n")[0].split()).replace("|R|", "R")


@pytest.mark.parametrize("room", [room for room in ROOMS if room != SOURCE], ids=lambda room: room.name)
def test_the_table_of_rooms_says_what_they_say_of_themselves(room):
    name = room.relative_to(SOURCE).as_posix()
    assert f"| `{name}/` | {opening(room / '__init__.py')} |" in TOUR.splitlines()


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_every_module_is_in_the_tour_in_its_own_words(module):
    name = module.relative_to(SOURCE).with_suffix("").as_posix()
    assert f"- `{name}`: {opening(module)}" in TOUR.splitlines()


def test_the_tour_names_no_module_that_is_gone():
    listed = {line.split("`")[1] for line in TOUR.splitlines() if line.startswith("- `")}
    assert listed == {module.relative_to(SOURCE).with_suffix("").as_posix() for module in MODULES}


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([a-z_]+/[a-z_./*]+)`", TOUR))))
def test_every_place_named_in_the_tour_exists(name):
    """A room, a module, perhaps with a name in it, or a file of the repository; several by a star."""
    path, _, inside = name.partition(".") if not (SOURCE.parents[1] / name).exists() else (name, "", "")
    found = [at for base in (SOURCE, SOURCE.parents[1]) for end in ("", ".py") for at in base.glob(path + end)]
    assert found
    assert all(part in found[0].read_text(encoding="utf-8") for part in [inside] if part)
