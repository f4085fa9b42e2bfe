from __future__ import annotations

import re
from collections.abc import Callable
from importlib.metadata import EntryPoint

import pytest

from assay import plugins
from assay.errors import PluginError
from assay.plugins import available, load_named

BUILTIN = {"words": "collections:OrderedDict", "pairs": "collections:Counter"}
Install = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Entry points as installed packages would bring them: ``install(name="module:attribute")``."""

    def put(group: str = "assay.signals", **points: str) -> None:
        found = {name: EntryPoint(name, value, group) for name, value in points.items()}
        monkeypatch.setattr(plugins, "_entry_points", lambda asked: found if asked == group else {})

    put()
    return put


def test_a_builtin_is_loaded_by_its_place(install: Install) -> None:
    from collections import OrderedDict

    assert load_named("assay.signals", "words", BUILTIN) is OrderedDict


def test_an_installed_name_is_loaded(install: Install) -> None:
    from fractions import Fraction

    install(mine="fractions:Fraction")
    assert load_named("assay.signals", "mine", BUILTIN) is Fraction


def test_a_builtin_cannot_be_replaced(install: Install) -> None:
    from collections import OrderedDict

    install(words="fractions:Fraction")
    assert load_named("assay.signals", "words", BUILTIN) is OrderedDict
    assert available("assay.signals", BUILTIN) == ["pairs", "words"]


def test_all_names_are_listed_in_order(install: Install) -> None:
    install(zebra="a:b", mine="fractions:Fraction")
    assert available("assay.signals", BUILTIN) == ["mine", "pairs", "words", "zebra"]


@pytest.mark.parametrize(
    ("group", "kind"),
    [("assay.signals", "signal"), ("assay.embedders", "embedder"), ("assay.formats", "format")],
)
def test_an_unknown_name_lists_what_there_is(install: Install, group: str, kind: str) -> None:
    install(group=group, mine="fractions:Fraction")
    with pytest.raises(PluginError) as caught:
        load_named(group, "wrods", BUILTIN)
    assert str(caught.value) == f"no {kind} is called 'wrods'; there are mine, pairs, words"


def test_a_name_of_another_group_is_unknown(install: Install) -> None:
    install(group="assay.embedders", mine="fractions:Fraction")
    with pytest.raises(PluginError, match="no signal is called 'mine'; there are pairs, words"):
        load_named("assay.signals", "mine", BUILTIN)


@pytest.mark.parametrize(
    ("value", "cause"),
    [
        ("no_such_module_anywhere:Thing", "No module named 'no_such_module_anywhere'"),
        ("fractions:NoSuchThing", "has no attribute 'NoSuchThing'"),
    ],
)
def test_a_broken_entry_point_says_which_and_why(install: Install, value: str, cause: str) -> None:
    install(broken=value)
    shown = re.escape(f"'broken' of assay.signals ({value}) failed to load: ")
    with pytest.raises(PluginError, match=f"^{shown}.*{re.escape(cause)}") as caught:
        load_named("assay.signals", "broken", BUILTIN)
    assert caught.value.__cause__ is not None


def test_whatever_an_import_raises_is_a_plugin_error(
    install: Install, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pathlib import Path

    (Path(str(tmp_path)) / "assay_test_broken_plugin.py").write_text("1 / 0\n", "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    install(broken="assay_test_broken_plugin:Thing")
    with pytest.raises(PluginError, match="failed to load: division by zero"):
        load_named("assay.signals", "broken", BUILTIN)


def test_a_broken_plugin_hides_no_other(install: Install) -> None:
    install(broken="no_such_module_anywhere:Thing")
    assert "broken" in available("assay.signals", BUILTIN)
    assert callable(load_named("assay.signals", "pairs", BUILTIN))


def test_a_group_that_nobody_fills_has_only_the_builtins() -> None:
    assert available("assay.no_such_group", BUILTIN) == ["pairs", "words"]
