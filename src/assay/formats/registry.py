"""Row formats by name, and by the fields of a row."""

from __future__ import annotations

from collections.abc import Iterable

from assay.errors import InputError, PluginError
from assay.formats.protocol import RowFormat
from assay.plugins import available, load_named

GROUP = "assay.formats"
BUILTIN = {
    "assay": "assay.formats.assay_rows:FORMAT",
    "ragas": "assay.formats.ragas:FORMAT",
    "deepeval": "assay.formats.deepeval:FORMAT",
    "alce": "assay.formats.alce:FORMAT",
    "ragchecker": "assay.formats.ragchecker:FORMAT",
    "ragtruth": "assay.formats.ragtruth:FORMAT",
}


def format_names() -> list[str]:
    """All formats, built-in and installed, sorted."""
    return available(GROUP, BUILTIN)


def get_format(name: str) -> RowFormat:
    """A format by name.

    Raises:
        PluginError: Nothing provides it, or what does is no row format.
    """
    loaded = load_named(GROUP, name, BUILTIN)
    try:
        form = loaded() if isinstance(loaded, type) else loaded
    except Exception as error:
        raise PluginError(f"the format {name!r} failed to start: {error}") from error
    if not isinstance(form, RowFormat):
        raise PluginError(f"the format {name!r} lacks one of name, needs, structured, to_sample")
    return form


def detect(fields: Iterable[str]) -> RowFormat | None:
    """The format that a row with these fields is of, or None if none fits.

    Where two fit, the one that asks for all the other asks for and more is meant.

    Raises:
        InputError: Two fit equally.
    """
    names = frozenset(fields)
    fitting = [(max(sets, key=len), form) for form in _usable() if (sets := _met(form, names))]
    best = [
        form for needs, form in fitting if not any(needs < other for other, _ in fitting)
    ]  # a proper subset asks for less
    if len(best) > 1:
        raise InputError(
            f"the rows fit the formats {' and '.join(form.name for form in best)}; "
            "say which with --format, or name the columns with --map response=answer_text"
        )
    return best[0] if best else None


def unrecognised(fields: Iterable[str], file: str) -> InputError:
    """The error for rows that no format fits: what they have, what the formats need, and the way out."""
    found = sorted(map(str, fields))
    shown = ", ".join(found[:20]) + (", ..." if len(found) > 20 else "")
    needs = "; ".join(f"{form.name} ({_listed(form)})" for form in _usable())
    return InputError(
        f"the rows are of no known format. They have: {shown or 'no fields'}. Known formats and what they "
        f"need: {needs}. Name the columns instead, for example: --map response=answer_text",
        file=file,
    )


def _listed(form: RowFormat) -> str:
    return " or ".join(", ".join(sorted(needed)) for needed in form.needs)


def _met(form: RowFormat, names: frozenset[str]) -> list[frozenset[str]]:
    return [needed for needed in form.needs if needed <= names]


def _usable() -> list[RowFormat]:
    forms = []
    for name in [*BUILTIN, *(name for name in format_names() if name not in BUILTIN)]:
        try:
            forms.append(get_format(name))
        except PluginError:
            # A broken package must not stop other files; asked for by name, it says so.
            continue
    return forms
