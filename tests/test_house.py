"""The house of DESIGN: a room imports from floors below its own, never from above or beside."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import assay

ROOT = Path(assay.__file__).parent
FLOORS = {
    0: ("errors", "version"),
    1: ("text", "sample", "plugins"),
    2: ("models", "formats", "verdict"),
    3: ("signals", "policy", "trust", "store"),
    4: ("judge", "certify", "align"),
    5: ("engine",),
    6: ("guard", "regress", "batch"),
    7: ("server",),
    8: ("cli",),
    9: ("__main__",),
}
FLOOR = {room: floor for floor, rooms in FLOORS.items() for room in rooms}
# The package's front door names everything lazily and imports only the version.
FRONT_DOOR = ROOT / "__init__.py"
MODULES = sorted(path for path in ROOT.rglob("*.py") if path != FRONT_DOOR)
MAX_LINES = 400


def room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the room"
            if (node.module or "").startswith("assay"):
                parts = (node.module or "").split(".")
                found |= {parts[1]} if len(parts) > 1 else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {a.name.split(".")[1] for a in node.names if a.name.startswith("assay.")}
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_module_imports_only_from_floors_below(path: Path) -> None:
    own = room(path)
    assert own in FLOOR, f"{own} has no floor: add it to the house or move it"
    for other in imported_rooms(path) - {own}:
        assert FLOOR[other] < FLOOR[own], f"{own} (floor {FLOOR[own]}) imports {other} (floor {FLOOR[other]})"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_file_is_longer_than_a_reader_can_hold(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= MAX_LINES


def test_the_front_door_names_all_that_it_offers() -> None:
    for name in assay.__all__:
        assert getattr(assay, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        _ = assay.Nonsense
