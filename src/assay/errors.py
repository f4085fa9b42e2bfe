"""The exceptions of Assay: mistakes of a caller, each with the facts that disagree and what to do.

Trouble with a single row is never an exception: it becomes a REVIEW verdict with an ``error`` field.
The command line turns each of these into a message on stderr and exit code 2.
"""

from __future__ import annotations


class AssayError(Exception):
    """Base of every exception that Assay raises on purpose."""


class InputError(AssayError):
    """Input that cannot be read as what it claims to be, with its place.

    Args:
        message: What is wrong and what to do about it, one sentence or two.
        file: The file's name as the user gave it, if there is one.
        line: 1-based line (or row) in that file.
        field: The field concerned, for example ``context[2].text``.
    """

    def __init__(
        self, message: str, *, file: str | None = None, line: int | None = None, field: str | None = None
    ) -> None:
        self.message = message
        self.file = file
        self.line = line
        self.field = field
        super().__init__(str(self))

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions pickle by their positional arguments; the place would be lost between processes.
        return _restored, (type(self), self.message, self.file, self.line, self.field)

    @property
    def place(self) -> str:
        """``file:line: field``, with only the parts that are known; empty when none is."""
        where = self.file or ""
        if self.line is not None:
            where = f"{where}:{self.line}" if where else f"line {self.line}"
        return ": ".join(part for part in (where, self.field) if part)

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


def _restored(
    kind: type[InputError], message: str, file: str | None, line: int | None, field: str | None
) -> InputError:
    return kind(message, file=file, line=line, field=field)


class ProfileError(InputError):
    """A profile that cannot be used: a wrong value, an unknown name, a gate that can never fire."""


class ModelError(AssayError):
    """A model that is not installed, cannot be found, or cannot be loaded."""


class PluginError(AssayError):
    """A name that no built-in and no installed entry point provides, or one that fails to load."""
