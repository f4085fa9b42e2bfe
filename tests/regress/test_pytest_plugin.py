"""The plugin in test runs of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from assay import InputError, assert_grounded
from assay.regress.baseline import read_baseline

from .helpers import BAD, CONTEXT, GOOD, MIXED, QUERY

pytest_plugins = ["pytester"]
TESTS = f"""
import pytest
from assay import assert_grounded

CONTEXT, QUERY = {CONTEXT!r}, {QUERY!r}
RESPONSE = {GOOD!r}

def test_fixture(assay):
    assert assay.check(query=QUERY, context=CONTEXT, response=RESPONSE).passed

@pytest.mark.parametrize("i", range(4))
def test_grounded(i):
    assert_grounded(RESPONSE, CONTEXT, QUERY, id=f"case {{i}}")

@pytest.mark.assay(min_decision="REVIEW")
def test_twice():
    assert_grounded(RESPONSE, CONTEXT, QUERY)
    assert_grounded({MIXED!r}, CONTEXT, QUERY)
"""
IDS = [
    *(f"case {i}" for i in range(4)),
    "test_it.py::test_fixture",
    "test_it.py::test_twice",
    "test_it.py::test_twice#2",
]


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makepyprojecttoml(
        '[tool.pytest.ini_options]\naddopts = "--strict-markers --strict-config"\nfilterwarnings = ["error"]\n'
    )
    pytester.makepyfile(test_it=TESTS)
    return pytester


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """In this process, which has the engine loaded already, or with workers of its own."""
    arguments = ("-p", "no:cacheprovider", *arguments)
    if "-n" in arguments:
        return pytester.runpytest_subprocess(*arguments)
    return pytester.runpytest_inprocess(*arguments)


def test_without_options_tests_just_run(suite: pytest.Pytester) -> None:
    result = run(suite)
    result.assert_outcomes(passed=6)
    assert "= assay =" not in result.stdout.str()


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["one process", "xdist"])
def test_record_then_compare(suite: pytest.Pytester, workers: tuple[str, ...]) -> None:
    recorded = run(suite, "--assay-record", "b.json", *workers)
    assert recorded.ret == 0
    recorded.stdout.fnmatch_lines(["*7 cases recorded in b.json*"])
    assert [case.id for case in read_baseline(suite.path / "b.json").cases] == sorted(IDS)
    same = run(suite, "--assay-baseline", "b.json", *workers)
    assert same.ret == 0
    same.stdout.fnmatch_lines(["Regression report: PASSED", "  Total             7", "  Unchanged         7"])
    worse = TESTS.replace(f"RESPONSE = {GOOD!r}", f"RESPONSE = {MIXED!r}").replace(".passed", "")
    worse = worse.replace("id=f", 'min_decision="REVIEW", id=f')
    suite.makepyfile(test_it=worse)
    changed = run(suite, "--assay-baseline", "b.json", *workers)
    changed.assert_outcomes(passed=6)
    assert changed.ret == 1
    changed.stdout.fnmatch_lines(
        [
            "Regression report: FAILED",
            "  Failed because    6 cases regressed, 0 may.",
            "    - case 0  1.000 -> 0.432 (-0.568), ACCEPT -> REVIEW",
        ]
    )
    assert changed.stdout.str().count("Regression report:") == 1


def test_a_part_of_the_tests_is_compared_with_its_part_of_the_baseline(suite: pytest.Pytester) -> None:
    run(suite, "--assay-record", "b.json")
    part = run(suite, "--assay-baseline", "b.json", "-k", "fixture")
    assert part.ret == 0
    part.stdout.fnmatch_lines(["  Total             1"])


def test_nothing_judged_is_not_a_pass(suite: pytest.Pytester) -> None:
    run(suite, "--assay-record", "b.json")
    suite.makepyfile(test_it="def test_other():\n    pass\n")
    result = run(suite, "--assay-baseline", "b.json")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*not compared: no test judged a response*"])
    assert run(suite, "--assay-baseline", "b.json", "--collect-only").ret == 0


def test_another_profile_than_the_baselines_fails_and_says_so(suite: pytest.Pytester) -> None:
    run(suite, "--assay-record", "b.json")
    fields = json.loads((suite.path / "b.json").read_text("utf-8"))
    (suite.path / "b.json").write_text(json.dumps(fields | {"scorer_hash": "0" * 16}), "utf-8")
    result = run(suite, "--assay-baseline", "b.json")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*not compared: b.json: the baseline was judged otherwise (scorer 0000*"])


def test_nothing_is_recorded_unless_all_tests_pass(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_it=TESTS + "\ndef test_bad():\n    assert False\n")
    result = run(suite, "--assay-record", "b.json")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["b.json was not written, as not all tests passed"])
    assert not (suite.path / "b.json").exists()


def test_two_tests_may_not_judge_one_case(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_it=TESTS.replace('f"case {i}"', '"one"'))
    result = run(suite, "--assay-record", "b.json", "-n", "2")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*two tests judged a case of one id: one (in test_it.py::test_grounded*"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--assay-baseline", "none.json"), "*none.json: there is no baseline*"),
        (("--assay-baseline", "b.json", "--assay-record", "b.json"), "*give one of them*"),
    ],
)
def test_options_that_cannot_be_met_stop_the_run_at_once(
    suite: pytest.Pytester, arguments: tuple[str, ...], message: str
) -> None:
    result = run(suite, *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


def test_the_marker_and_the_ini_value_choose_the_profile(suite: pytest.Pytester) -> None:
    suite.makepyprojecttoml('[tool.pytest.ini_options]\nassay_profile = "lexical"\n')
    suite.makepyfile(
        test_it=f"""
        import pytest
        from assay import assert_grounded
        def test_ini(assay):
            assert assay.profile.name == "lexical"
            assert assert_grounded({GOOD!r}, {CONTEXT!r}).meta.profile == "lexical"
        @pytest.mark.assay(profile="default")
        class TestMarked:
            def test_marker(self, assay):
                assert assay.profile.name == "default"
                assert assert_grounded({GOOD!r}, {CONTEXT!r}).meta.profile == "default"
            @pytest.mark.assay(profile="lexical")
            def test_nearest(self, assay):
                assert assay.profile.name == "lexical"
        def test_after(assay, request):
            assert assay.profile.name == "lexical"
        """
    )
    run(suite).assert_outcomes(passed=4)


def test_the_markers_least_decision_holds_for_the_fixture_too(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        test_it=f"""
        import pytest
        from assay import assert_grounded
        @pytest.mark.assay(min_decision="ACCEPT")
        def test_below(assay):
            assay.check(query={QUERY!r}, context={CONTEXT!r}, response={MIXED!r})
        @pytest.mark.assay(min_decision="REVIEW")
        def test_enough(assay):
            assay.check(query={QUERY!r}, context={CONTEXT!r}, response={MIXED!r})
        @pytest.mark.assay(min_decision="ACCEPT")
        def test_said_otherwise():
            assert_grounded({MIXED!r}, {CONTEXT!r}, {QUERY!r}, min_decision="REVIEW")
        def test_unmarked(assay):
            assert not assay.check(context={CONTEXT!r}, response={BAD!r}).passed
        """
    )
    result = run(suite)
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["the response is REVIEW (weak_grounding, final score 0.432), not ACCEPT"])


@pytest.mark.parametrize(
    ("marker", "message"),
    [
        ('min_decision="REJECT"', "*expected ACCEPT or REVIEW, got 'REJECT'*"),
        ("profile=5", "*expected the name or path of a profile*"),
        ('"article"', "*its arguments are named*"),
        ('colour="red"', "*it has no argument 'colour'*"),
    ],
)
def test_a_marker_of_no_use_fails_its_test(suite: pytest.Pytester, marker: str, message: str) -> None:
    suite.makepyfile(test_it=f"import pytest\n@pytest.mark.assay({marker})\ndef test_it():\n    pass\n")
    result = run(suite)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([message])


def test_the_failure_shows_the_unsupported_sentences(suite: pytest.Pytester) -> None:
    hostile = f"{MIXED} It weighs 999 tons \x1b[31m."
    suite.makepyfile(
        test_it="from assay import assert_grounded\n"
        f"def test_it():\n    assert_grounded({hostile!r}, {CONTEXT!r}, {QUERY!r})\n"
    )
    result = run(suite)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "E*AssertionError: the response is *, not ACCEPT",
            "E*unsupported sentences:",
            "E*  - Its architect Jane Doe won the Pritzker Prize.",
            "E*  - It weighs 999 tons ?x1b[[]31m.",
            "E*next action: *(profile default)",
        ]
    )
    assert "grounded.py" not in result.stdout.str()


def test_assert_grounded_outside_a_marked_test() -> None:
    assert assert_grounded(GOOD, CONTEXT, QUERY).decision == "ACCEPT"
    assert (
        assert_grounded(MIXED, CONTEXT, QUERY, min_decision="REVIEW", profile="lexical").decision == "REVIEW"
    )
    with pytest.raises(AssertionError, match="not REVIEW or better"):
        assert_grounded(BAD, CONTEXT, QUERY, min_decision="REVIEW")
    with pytest.raises(InputError, match="min_decision"):
        assert_grounded(GOOD, CONTEXT, QUERY, min_decision="REJECT")


def test_the_plugin_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys, pytest, assay.regress.pytest_plugin, assay.regress.watch\n"
        "heavy = {'numpy', 'pydantic', 'onnxruntime', 'torch', 'rich', 'typer', 'yaml', 'assay.engine'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
