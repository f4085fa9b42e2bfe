"""The pytest plugin: groundedness in tests, and the regression gate over a test run.

It is loaded in every test run of the environment, so nothing beyond the standard library is imported before
a test or an option asks for it.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any, cast

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

    from assay.engine import Assay
    from assay.regress.watch import Watch

_WATCH = pytest.StashKey["Watch"]()
_MARKER = (
    "assay(profile=NAME, min_decision=ACCEPT): how this test's responses are judged, and the least decision"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options and the ini value."""
    group = parser.getgroup("assay", "groundedness of responses")
    group.addoption(
        "--assay-baseline", metavar="FILE", help="fail if responses judged in this run are worse than there"
    )
    group.addoption(
        "--assay-record", metavar="FILE", help="write a baseline of the responses judged, if all tests pass"
    )
    parser.addini("assay_profile", "profile of tests without a marker", default="default")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker; look at the options now, not after an hour of tests."""
    config.addinivalue_line("markers", _MARKER)
    if config.getoption("--assay-baseline") and config.getoption("--assay-record"):
        raise pytest.UsageError("--assay-baseline compares, --assay-record writes anew; give one of them")
    if (file := config.getoption("--assay-baseline")) and not _is_worker(config):
        from assay.errors import InputError
        from assay.regress.baseline import read_baseline

        try:
            read_baseline(file)
        except InputError as error:
            raise pytest.UsageError(f"assay: {error}") from None


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave nothing behind in this process."""
    if (watch := config.stash.get(_WATCH, None)) is not None:
        watch.close()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Put in force what the test's marker says."""
    from assay.errors import InputError

    try:
        _watch(item.config).begin(item.nodeid, _marked(item))
    except InputError as error:
        pytest.fail(f"@pytest.mark.assay: {error}", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Hold every verdict of the test against the marker's least decision."""
    result = yield
    if message := _watch(item.config).below_least():
        pytest.fail(message, pytrace=False)
    return result


@pytest.fixture
def assay(request: pytest.FixtureRequest) -> Assay:
    """The engine of the profile that the test's marker names, or the ini value ``assay_profile``."""
    return _watch(request.config).defaults.engine()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Take over what a worker of pytest-xdist judged."""
    packed = getattr(node, "workeroutput", {}).get("assay")
    if packed:
        _watch(node.config).add(pickle.loads(packed))  # noqa: S301 - written by this run's own worker


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Compare or record; a worker hands its verdicts on instead."""
    config = session.config
    wanted = config.getoption("--assay-baseline") or config.getoption("--assay-record")
    if not wanted or config.getoption("collectonly", False):
        return
    watch = _watch(config)
    if _is_worker(config):
        cast(Any, config).workeroutput["assay"] = pickle.dumps(watch.seen)
    elif config.getoption("--assay-record"):
        watch.record(wanted, passed=exitstatus == pytest.ExitCode.OK)
    else:
        watch.compare(wanted)
    if watch.failed and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the comparison below the tests."""
    watch = config.stash.get(_WATCH, None)
    if watch is not None and watch.message:
        terminalreporter.section("assay")
        terminalreporter.write_line(watch.message)


def _watch(config: pytest.Config) -> Watch:
    if (watch := config.stash.get(_WATCH, None)) is None:
        from assay.regress.watch import Watch

        watch = config.stash[_WATCH] = Watch(str(config.getini("assay_profile")))
    return watch


def _marked(item: pytest.Item) -> dict[str, object]:
    """The marker's arguments; one on the test itself goes before one on its class or module."""
    from assay.errors import InputError

    merged: dict[str, object] = {}
    for mark in reversed(list(item.iter_markers("assay"))):
        if mark.args:
            raise InputError("its arguments are named: profile=..., min_decision=...")
        for name in mark.kwargs:
            if name not in ("profile", "min_decision"):
                raise InputError(f"it has no argument {name!r}; there are profile and min_decision")
        merged |= mark.kwargs
    return merged


def _is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")
