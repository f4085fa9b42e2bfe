"""Regular expressions compiled when first used: many large ones would make `import assay` slow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property


class LazyPattern:
    """A regular expression from alternatives, compiled on first use. Ignores case."""

    def __init__(self, *alternatives: str, ignore_case: bool = True) -> None:
        self._source = "|".join(f"(?:{part})" for part in alternatives)
        self._flags = re.IGNORECASE if ignore_case else 0

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The compiled pattern."""
        return re.compile(self._source, self._flags)

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """`re.Pattern.search`."""
        return self.compiled.search(text, start)

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """`re.Pattern.match`."""
        return self.compiled.match(text, start)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """`re.Pattern.fullmatch`."""
        return self.compiled.fullmatch(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """`re.Pattern.finditer`."""
        return self.compiled.finditer(text)
