"""Fixtures of all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test writes into the user's cache; the real model is exported once a session."""
    before = os.environ.get("ASSAY_CACHE")
    os.environ["ASSAY_CACHE"] = str(tmp_path_factory.mktemp("assay-cache"))
    yield
    if before is None:
        del os.environ["ASSAY_CACHE"]
    else:
        os.environ["ASSAY_CACHE"] = before
